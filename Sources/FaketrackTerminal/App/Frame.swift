/// The size of a terminal, or of a part of it, in cells.
package struct CellSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// A rectangle of a frame.
package struct CellArea: Hashable, Sendable {
  package var column: Int
  package var row: Int
  package var size: CellSize

  package var columns: Int { size.columns }
  package var rows: Int { size.rows }

  package init(column: Int = 0, row: Int = 0, size: CellSize) {
    self.column = column
    self.row = row
    self.size = size
  }

  /// Whether there is room for two parts of a screen side by side.
  var isWide: Bool { columns >= 100 }

  /// The area without its edges.
  func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> CellArea {
    CellArea(
      column: column + min(left, columns), row: row + min(top, rows),
      size: CellSize(columns: columns - left - right, rows: rows - top - bottom))
  }

  /// The first rows, and the others.
  func split(afterRows count: Int) -> (top: CellArea, bottom: CellArea) {
    let count = min(max(0, count), rows)
    return (inset(bottom: rows - count), inset(top: count))
  }

  /// The first columns, and the others.
  func split(afterColumns count: Int) -> (left: CellArea, right: CellArea) {
    let count = min(max(0, count), columns)
    return (inset(right: columns - count), inset(left: count))
  }

  func contains(_ position: CellPosition) -> Bool {
    (column..<column + columns).contains(position.column)
      && (row..<row + rows).contains(position.row)
  }
}

/// The appearance of a cell, by meaning.
package struct CellStyle: Hashable, Sendable {
  /// The meaning of a cell's text; terminals with colors have one for each.
  package enum Ink: Hashable, Sendable {
    case plain
    /// Less important than the rest.
    case muted
    /// Links, and the current position.
    case accent
    /// Success, and the walked part of a track.
    case positive
    /// Stars, and the photos on the map.
    case highlight
    case failure
    /// One of several colors that distinguish groups.
    case group(Int)
  }

  package var ink: Ink
  package var isBold: Bool
  package var isUnderlined: Bool
  /// Whether text and background are swapped, as for the chosen row.
  package var isInverse: Bool
  /// The address of a link, for terminals that support links.
  package var link: String?

  package init(
    _ ink: Ink = .plain, isBold: Bool = false, isUnderlined: Bool = false, isInverse: Bool = false,
    link: String? = nil
  ) {
    self.ink = ink
    self.isBold = isBold
    self.isUnderlined = isUnderlined
    self.isInverse = isInverse
    self.link = link
  }

  package static let plain = CellStyle()
  package static let muted = CellStyle(.muted)
  package static let heading = CellStyle(isBold: true)
}

/// One cell of a terminal.
package struct Cell: Hashable, Sendable {
  /// The character; `nil` for the right half of a wide one.
  package var text: Character?
  package var style: CellStyle

  static let blank = Cell(text: " ", style: .plain)
}

/// The content of a terminal: cells in rows.
package struct Frame: Hashable, Sendable {
  package let size: CellSize
  private var cells: [Cell]
  /// The position of the cursor; `nil` hides it.
  package var cursor: CellPosition?

  package init(size: CellSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  package var area: CellArea { CellArea(size: size) }

  package subscript(column: Int, row: Int) -> Cell {
    cells[row * size.columns + column]
  }

  /// Writes a text, clipped to an area.
  ///
  /// A wide character at the edge becomes a space, and so does one that is covered in part.
  ///
  /// - Parameters:
  ///   - column: the column of the first character; `nil` is the first one of the area.
  ///   - row: the row; `nil` is the first one of the area.
  /// - Returns: the column after the text.
  @discardableResult
  mutating func put(
    _ text: some StringProtocol, _ style: CellStyle = .plain, column: Int? = nil, row: Int? = nil,
    in area: CellArea
  ) -> Int {
    let end = min(area.column + area.columns, size.columns)
    var column = column ?? area.column
    let row = row ?? area.row
    guard area.contains(CellPosition(column: area.column, row: row)), row >= 0, row < size.rows
    else { return column }
    for character in text {
      let width = character.columns
      guard width > 0, column < end else { continue }
      let fits = column + width <= end
      if column >= max(0, area.column) {
        set(Cell(text: fits ? character : " ", style: style), column, row)
        if fits, width == 2 { set(Cell(text: nil, style: style), column + 1, row) }
      }
      column += width
    }
    return min(column, end)
  }

  /// Empties an area.
  mutating func clear(_ area: CellArea) {
    let blank = String(repeating: " ", count: area.columns)
    for row in area.row..<area.row + area.rows {
      put(blank, column: area.column, row: row, in: area)
    }
    cursor = nil
  }

  /// Marks an area as chosen and keeps its text.
  mutating func markChosen(_ area: CellArea) {
    for row in max(0, area.row)..<min(size.rows, area.row + area.rows) {
      for column in max(0, area.column)..<min(size.columns, area.column + area.columns) {
        cells[row * size.columns + column].style.ink = .plain
        cells[row * size.columns + column].style.isInverse = true
      }
    }
  }

  /// Sets a cell; the other half of a wide character that it covers becomes a space.
  private mutating func set(_ cell: Cell, _ column: Int, _ row: Int) {
    let position = row * size.columns + column
    if cells[position].text == nil, cell.text != nil, column > 0 { cells[position - 1].text = " " }
    if cells[position].text != nil, column + 1 < size.columns, cells[position + 1].text == nil {
      cells[position + 1].text = " "
    }
    cells[position] = cell
  }
}

/// The position of a cell; the upper left corner is 0, 0.
package struct CellPosition: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}
