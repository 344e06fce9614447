/// A drawing of dots, two in a row and four in a column of each cell, as Braille patterns.
struct BrailleCanvas {
  /// A position in dots; the upper left is 0, 0.
  struct Dot: Hashable {
    var x: Double
    var y: Double
  }

  private struct DottedCell {
    var dots: UInt8 = 0
    var ink = CellStyle.Ink.plain
    var rank = -1
  }

  let size: CellSize
  private var cells: [DottedCell]

  init(size: CellSize) {
    self.size = size
    cells = Array(repeating: DottedCell(), count: size.columns * size.rows)
  }

  var width: Int { size.columns * 2 }
  var height: Int { size.rows * 4 }

  /// Sets a dot; ignores positions outside of the canvas.
  ///
  /// - Parameter rank: the priority of the color; the highest one in a cell wins.
  mutating func set(_ x: Int, _ y: Int, _ ink: CellStyle.Ink, rank: Int = 0) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let position = y / 4 * size.columns + x / 2
    cells[position].dots |= Self.bit(x % 2, y % 4)
    if rank >= cells[position].rank {
      cells[position].ink = ink
      cells[position].rank = rank
    }
  }

  /// Draws a line, clipped to the canvas.
  mutating func line(from start: Dot, to end: Dot, _ ink: CellStyle.Ink, rank: Int = 0) {
    guard let (start, end) = clipped(start, end) else { return }
    let steps = max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)
    for step in 0...Int(steps) {
      let share = steps > 0 ? Double(step) / steps : 0
      let x = start.x + (end.x - start.x) * share
      let y = start.y + (end.y - start.y) * share
      set(Int(x.rounded(.down)), Int(y.rounded(.down)), ink, rank: rank)
    }
  }

  /// Puts the drawing into a frame; cells without a dot stay as they are.
  func draw(in frame: inout Frame, at area: CellArea) {
    for row in 0..<min(size.rows, area.rows) {
      for column in 0..<min(size.columns, area.columns) {
        let cell = cells[row * size.columns + column]
        guard cell.dots != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(cell.dots)) else {
          continue
        }
        frame.put(
          String(Character(scalar)), CellStyle(cell.ink), column: area.column + column,
          row: area.row + row, in: area)
      }
    }
  }

  /// The cells with at least one dot.
  var dottedCells: [CellPosition] {
    cells.indices.filter { cells[$0].dots != 0 }.map {
      CellPosition(column: $0 % size.columns, row: $0 / size.columns)
    }
  }

  /// The number of a dot in Unicode's order: down the left side, down the right, then the last row.
  private static func bit(_ x: Int, _ y: Int) -> UInt8 {
    y == 3 ? 1 << UInt8(6 + x) : 1 << UInt8(x * 3 + y)
  }

  /// The part of a line within the canvas (Liang and Barsky's method), or `nil` if there is none.
  private func clipped(_ start: Dot, _ end: Dot) -> (Dot, Dot)? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    guard dx.isFinite, dy.isFinite, start.x.isFinite, start.y.isFinite else { return nil }
    var (first, last) = (0.0, 1.0)
    for (change, distance) in [
      (-dx, start.x), (dx, Double(width) - start.x), (-dy, start.y), (dy, Double(height) - start.y),
    ] {
      if change == 0 {
        if distance < 0 { return nil }
      } else if change < 0 {
        first = max(first, distance / change)
      } else {
        last = min(last, distance / change)
      }
    }
    guard first <= last else { return nil }
    return (
      Dot(x: start.x + dx * first, y: start.y + dy * first),
      Dot(x: start.x + dx * last, y: start.y + dy * last)
    )
  }
}
