/// A drawing of dots, two in a row and four in a column of each cell.
struct DotCanvas: Sendable {
  struct Dot: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  private struct DottedCell: Sendable {
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

  /// Sets a dot, unless it is outside; in a cell, the color with the highest rank wins.
  mutating func set(_ x: Int, _ y: Int, _ ink: CellStyle.Ink, rank: Int = 0) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let position = y / 4 * size.columns + x / 2
    // Unicode's order: down the left side, down the right, then the last row.
    let bit = y % 4 == 3 ? 6 + x % 2 : x % 2 * 3 + y % 4
    cells[position].dots |= 1 << UInt8(bit)
    if rank >= cells[position].rank {
      cells[position].ink = ink
      cells[position].rank = rank
    }
  }

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

  /// Sets all dots of the cell with a dot.
  mutating func fillCell(with dot: Dot, _ ink: CellStyle.Ink, rank: Int) {
    let (x, top) = ((dot.x / 2).rounded(.down) * 2, (dot.y / 4).rounded(.down) * 4)
    for row in 0..<4 {
      let y = top + Double(row)
      line(from: Dot(x: x, y: y), to: Dot(x: x + 1, y: y), ink, rank: rank)
    }
  }

  /// Leaves out every other dot.
  mutating func thin() {
    for number in cells.indices { cells[number].dots &= 0b1001_0101 }
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    for (number, cell) in cells.enumerated() where cell.dots != 0 {
      let (row, column) = number.quotientAndRemainder(dividingBy: size.columns)
      frame.put(
        String(frame.glyphs.character(for: cell.dots)), CellStyle(ink: cell.ink),
        column: area.column + column, row: area.row + row, in: area)
    }
  }

  /// The highest rank in a cell; `nil` where it is empty or outside.
  func rank(column: Int, row: Int) -> Int? {
    guard (0..<size.columns).contains(column), (0..<size.rows).contains(row) else { return nil }
    let cell = cells[row * size.columns + column]
    return cell.dots == 0 ? nil : cell.rank
  }

  /// Lets everything that is drawn from now on cover what there is.
  mutating func flatten() {
    for number in cells.indices { cells[number].rank = -1 }
  }

  func dottedCells(at area: CellArea) -> Set<CellPosition> {
    Set(
      cells.indices.filter { cells[$0].dots != 0 }.map {
        CellPosition(column: area.column + $0 % size.columns, row: area.row + $0 / size.columns)
      })
  }

  /// The part of a line within the canvas (Liang and Barsky's method), or `nil` if there is none.
  private func clipped(_ start: Dot, _ end: Dot) -> (Dot, Dot)? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    guard dx.isFinite, dy.isFinite, start.x.isFinite, start.y.isFinite else { return nil }
    var (first, last) = (0.0, 1.0)
    for (change, distance) in [
      (-dx, start.x), (dx, Double(width) - start.x), (-dy, start.y), (dy, Double(height) - start.y),
    ] {
      if change < 0 {
        first = max(first, distance / change)
      } else if change > 0 {
        last = min(last, distance / change)
      } else if distance < 0 {
        return nil
      }
    }
    guard first <= last else { return nil }
    return (
      Dot(x: start.x + dx * first, y: start.y + dy * first),
      Dot(x: start.x + dx * last, y: start.y + dy * last)
    )
  }
}
