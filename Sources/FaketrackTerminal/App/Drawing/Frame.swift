import FaketrackSupport

/// The size of a terminal, or of a part of it, in cells.
package struct CellSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// The position of a cell; the upper left corner is 0, 0.
package struct CellPosition: Hashable, Sendable {
  var column: Int
  var row: Int
}

/// A rectangle of a frame.
package struct CellArea: Hashable, Sendable {
  var column = 0
  var row = 0
  var size: CellSize

  var columns: Int { size.columns }
  var rows: Int { size.rows }

  /// Whether there is room for two parts of a screen side by side.
  var isWide: Bool { columns >= 100 }

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

  func line(_ number: Int) -> CellArea { inset(top: number).split(afterRows: 1).top }

  /// Whether a part of the row from a column on is in it.
  func isCut(from start: Int, _ row: Int) -> Bool {
    (self.row..<self.row + rows).contains(row) && column + columns > start
  }

  func contains(_ position: CellPosition) -> Bool {
    (column..<column + columns).contains(position.column)
      && (row..<row + rows).contains(position.row)
  }
}

/// The appearance of a cell, by meaning.
package struct CellStyle: Hashable, Sendable {
  /// The meaning of a text; terminals with colors have one for each.
  package enum Ink: Hashable, Sendable {
    case plain
    /// Less important than the rest.
    case muted
    /// The ground of a map.
    case faint
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

  var ink = Ink.plain
  var isBold = false
  var isUnderlined = false
  /// Whether text and background are swapped, as for the chosen row.
  var isInverse = false
  /// The address of a link, for terminals that support links.
  var link: String?

  static let plain = CellStyle()
  static let muted = CellStyle(ink: .muted)
  static let heading = CellStyle(isBold: true)
}

struct Cell: Hashable, Sendable {
  /// The character; `nil` for the right half of a wide one.
  var text: Character?
  var style: CellStyle

  static let blank = Cell(text: " ", style: .plain)

  /// Whether it has a character of several scalars.
  var hasUncertainWidth: Bool {
    guard let text, !text.isASCII else { return false }
    return text.unicodeScalars.count > 1
  }
}

/// The content of a terminal: cells in rows.
package struct Frame: Hashable, Sendable {
  let size: CellSize
  /// The characters of maps.
  let glyphs: MapGlyphs
  private var cells: [Cell]
  /// The position of the cursor; `nil` hides it.
  var cursor: CellPosition?
  /// A picture over blank cells.
  var picture: Picture?
  /// The title of the window.
  var title = ""

  package init(size: CellSize, glyphs: MapGlyphs = .braille) {
    self.size = size
    self.glyphs = glyphs
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  package var area: CellArea { CellArea(size: size) }

  subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  /// Writes a text, clipped to an area.
  ///
  /// A wide character at the edge becomes a space, and so does one that is covered in part. The
  /// default column and row are the first ones of the area.
  ///
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

/// Turns frames into the text that shows them, sending changed cells only.
package struct FrameWriter: Sendable {
  package enum Colors: Hashable, Sendable {
    case none
    /// The basic palette, which the user's own theme keeps readable on any background.
    case basic
    /// The basic palette and shades of gray.
    case many
  }

  private let colors: Colors
  private let isASCII: Bool
  private let hasTitle: Bool
  private var shown: Frame?

  /// - Parameters:
  ///   - isASCII: whether the terminal shows nothing else; similar characters stand for others.
  ///   - hasTitle: whether its window has a title.
  package init(colors: Colors, isASCII: Bool = false, hasTitle: Bool = false) {
    self.colors = colors
    self.isASCII = isASCII
    self.hasTitle = hasTitle
  }

  /// Forgets the content of the terminal; the next frame is sent in full.
  package mutating func forget() { shown = nil }

  /// The text that changes the terminal to a frame; empty if the terminal shows the frame already.
  package mutating func text(for frame: Frame) -> TextBuffer {
    if frame == shown { return TextBuffer() }
    var pen = Pen(colors: colors, isASCII: isASCII)
    // Synchronized output: terminals that support it show the whole frame in one step.
    pen.write("\u{1B}[?2026h\u{1B}[?25l")
    let before = shown.flatMap { $0.size == frame.size ? $0 : nil }
    if before == nil { pen.write("\u{1B}[0m\u{1B}[2J") }
    var isPictureNew = before == nil || before?.picture != frame.picture
    // A program that suspended the app, or another size, leaves a picture as well.
    let removed = isPictureNew ? shown?.picture : nil
    pen.write(removed?.removal ?? "")
    for row in 0..<frame.size.rows {
      var isErased = false
      for column in 0..<frame.size.columns {
        let (cell, old) = (frame[column, row], before?[column, row])
        let differs = Self.differs(frame, before, column, row)
        if differs, !isErased, cell.hasUncertainWidth || old?.hasUncertainWidth == true {
          // Terminals do not agree on how wide a character of several scalars is, or was.
          isErased = true
          let start = cell.text == nil ? column - 1 : column
          pen.eraseLine(from: start, row)
          if start < column { pen.draw(frame[start, row], start, row) }
          if frame.picture?.area.isCut(from: start, row) == true { isPictureNew = true }
        }
        let isUncovered =
          isErased || removed?.area.contains(CellPosition(column: column, row: row)) == true
        guard cell.text != nil, isUncovered || differs else { continue }
        pen.draw(cell, column, row)
      }
    }
    pen.change(to: .plain)
    if hasTitle, frame.title != shown?.title {
      pen.write("\u{1B}]2;\(frame.title.safeForTerminal)\u{1B}\\")
    }
    if isPictureNew, let picture = frame.picture {
      picture.drawing.withUnsafeBytes { pen.text.append(contentsOf: $0) }
    }
    if let cursor = frame.cursor {
      pen.write("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h")
    }
    pen.write("\u{1B}[?2026l")
    shown = frame
    return pen.text
  }

  private static func differs(_ frame: Frame, _ before: Frame?, _ column: Int, _ row: Int) -> Bool {
    let cell = frame[column, row]
    guard let before else { return cell != .blank }
    if before[column, row] != cell { return true }
    // A wide character is drawn again if its right half showed something else.
    let right = column + 1
    return right < frame.size.columns && frame[right, row].text == nil
      && before[right, row].text != nil
  }
}

/// Writes cells with as few sequences as possible.
private struct Pen {
  let colors: FrameWriter.Colors
  let isASCII: Bool
  var text = TextBuffer()
  var style = CellStyle.plain
  /// The position of the terminal's cursor; `nil` where it is uncertain.
  var position: CellPosition?

  mutating func write(_ text: String) { self.text.append(contentsOf: text) }

  mutating func draw(_ cell: Cell, _ column: Int, _ row: Int) {
    guard let character = cell.text else { return }
    if let position, position.row == row, position.column < column {
      let count = column - position.column
      write(count == 1 ? "\u{1B}[C" : "\u{1B}[\(count)C")
    } else if position != CellPosition(column: column, row: row) {
      write("\u{1B}[\(row + 1);\(column + 1)H")
    }
    change(to: cell.style)
    let text = isASCII ? character.inASCII : String(character)
    write(text)
    position =
      cell.hasUncertainWidth
      ? nil : CellPosition(column: column + text.columns, row: row)
  }

  mutating func eraseLine(from column: Int, _ row: Int) {
    change(to: .plain)
    write("\u{1B}[\(row + 1);\(column + 1)H\u{1B}[K")
    position = CellPosition(column: column, row: row)
  }

  mutating func change(to new: CellStyle) {
    guard new != style else { return }
    if new.link != style.link {
      // Other characters could end the sequence.
      let isSafe = new.link?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? false
      write("\u{1B}]8;;\(isSafe ? new.link ?? "" : "")\u{1B}\\")
    }
    var before = style
    before.link = new.link
    if new != before { write("\u{1B}[0\(new.codes(in: colors))m") }
    style = new
  }
}

extension CellStyle {
  /// The attributes as parameters of an SGR sequence, each after a semicolon.
  func codes(in colors: FrameWriter.Colors) -> String {
    var codes = ""
    if isBold { codes += ";1" }
    if isUnderlined { codes += ";4" }
    if isInverse { codes += ";7" }
    if ink == .muted || ink == .faint, colors != .many { codes += ";2" }
    guard colors != .none else { return codes }
    switch ink {
    case .plain: break
    case .muted: if colors == .many { codes += ";38;5;245" }
    case .faint: codes += colors == .many ? ";38;5;239" : ";34"
    case .accent: codes += ";36"
    case .positive: codes += ";32"
    case .highlight: codes += ";33"
    case .failure: codes += ";31"
    case .group(let number): codes += ";\(31 + number % 6)"
    }
    return codes
  }
}
