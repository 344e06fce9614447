import Cities
import FaketrackFeatures
import Geodesy

/// Draws a map: outlines of the Earth, lines of dots, cities with names that never overlap, and marks.
struct MapDrawing {
  struct Line {
    /// Points, and whether there is a gap before them.
    typealias Points = [(point: WebMercator.Point, isBreak: Bool)]

    var points: Points
    var ink: CellStyle.Ink
  }

  struct Mark {
    var point: WebMercator.Point
    var character: Character
    var style: CellStyle
    var name: String?
  }

  var camera: MapCamera
  var ground: MapGround?
  /// Dots that have been drawn already, below the lines.
  var canvas: DotCanvas?
  /// The lines; later ones cover earlier ones.
  var lines: [Line] = []
  /// The cities, the largest first.
  var cities: [City] = []
  /// The most important last.
  var marks: [Mark] = []
  var chosenCity: Int?

  func draw(in frame: inout Frame, at area: CellArea) {
    ground?.outlines.draw(in: &frame, at: area)
    var canvas = canvas ?? DotCanvas(size: area.size)
    canvas.flatten()
    for (rank, line) in lines.enumerated() {
      canvas.draw(line, from: camera, rank: rank)
    }
    canvas.draw(in: &frame, at: area)
    let marks = self.marks.compactMap { mark in cell(of: mark.point, in: area).map { (mark, $0) } }
    // Names cover neither the lines, nor the marks, nor the scale, nor each other.
    var taken = canvas.dottedCells(at: area).union(marks.map(\.1))
    taken.formUnion(drawScale(in: &frame, at: area.line(area.rows - 1)))
    /// Draws a name to the right of a dot or to the left, if there is room.
    func draw(_ name: String, _ style: CellStyle, beside dot: CellPosition) -> Bool {
      let width = name.columns
      for column in [dot.column + 2, dot.column - 1 - width] {
        let cells = (column - 1...column + width).map { CellPosition(column: $0, row: dot.row) }
        let isInside = column >= area.column && column + width <= area.column + area.columns
        guard isInside, cells.allSatisfy({ $0 == dot || !taken.contains($0) }) else { continue }
        taken.formUnion(cells + [dot])
        frame.put(name, style, column: column, row: dot.row, in: area)
        return true
      }
      return false
    }
    for (mark, cell) in marks {
      if let name = mark.name { _ = draw(name, .plain, beside: cell) }
    }
    let chosen = cities.filter { $0.id == chosenCity }
    for city in chosen + cities.filter({ $0.id != chosenCity }) {
      let style = city.id == chosenCity ? CellStyle(ink: .accent, isBold: true) : CellStyle.muted
      guard let cell = cell(of: WebMercator.Point(city.coordinate), in: area),
        !taken.contains(cell), draw(city.name.safeForTerminal, style, beside: cell)
      else { continue }
      frame.put("•", style, column: cell.column, row: cell.row, in: area)
    }
    for (mark, cell) in marks {
      frame.put(String(mark.character), mark.style, column: cell.column, row: cell.row, in: area)
    }
  }

  /// Draws a scale bar at the left, of at most half the width; returns its cells.
  private func drawScale(in frame: inout Frame, at area: CellArea) -> [CellPosition] {
    let metersPerCell = 2 * camera.dotSize * camera.center.worldWidth
    let meters = Units.metric.roundDistance(atLeast: metersPerCell * Double(area.columns) / 6)
    guard area.columns >= 24, area.row > 0, metersPerCell > 0, meters < 1e7 else { return [] }
    let dashes = String(repeating: "─", count: max(0, Int((meters / metersPerCell).rounded()) - 2))
    let length =
      meters < 1_000
      ? Quantity.height(meters) : Quantity.grouped(Int((meters / 1_000).rounded())) + " km"
    let end = frame.put("├\(dashes)┤ \(length)", .muted, in: area)
    return (area.column...end).map { CellPosition(column: $0, row: area.row) }
  }

  func cell(of point: WebMercator.Point, in area: CellArea) -> CellPosition? {
    let dot = camera.dot(of: point.nearest(to: camera.center), in: area.size)
    guard dot.x >= 0, dot.y >= 0, dot.x < Double(area.columns * 2), dot.y < Double(area.rows * 4)
    else { return nil }
    return CellPosition(column: area.column + Int(dot.x) / 2, row: area.row + Int(dot.y) / 4)
  }

  /// The city with the dot nearest to a cell, at most 2 cells away.
  func city(at place: CellPosition, in area: CellArea) -> City? {
    cities.compactMap { city -> (city: City, distance: Int)? in
      guard let cell = cell(of: WebMercator.Point(city.coordinate), in: area) else { return nil }
      let distance = max(abs(cell.column - place.column), 2 * abs(cell.row - place.row))
      return distance <= 2 ? (city, distance) : nil
    }.min { $0.distance < $1.distance }?.city
  }
}

extension DotCanvas {
  mutating func draw(_ line: MapDrawing.Line, from camera: MapCamera, rank: Int) {
    // The copy of the line whose middle is nearest, as the world repeats itself.
    let middle = line.points.isEmpty ? nil : line.points[line.points.count / 2].point
    let shift = middle.map { $0.nearest(to: camera.center).x - $0.x } ?? 0
    var last: Dot?
    for (point, isBreak) in line.points {
      let dot = camera.dot(of: .init(x: point.x + shift, y: point.y), in: size)
      if let last, !isBreak { self.line(from: last, to: dot, line.ink, rank: rank) }
      last = dot
    }
  }
}
