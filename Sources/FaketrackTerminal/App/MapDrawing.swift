import Cities
import Geodesy

/// Draws a map: lines of dots, cities with names that never overlap, and marks.
struct MapDrawing {
  /// A line on the map.
  struct Line {
    var points: [MapCamera.PlanePoint]
    /// The numbers of the points that come after a gap.
    var breaks: Set<Int> = []
    var ink: CellStyle.Ink
  }

  /// A character at a point.
  struct Mark {
    var point: MapCamera.PlanePoint
    var character: Character
    var style: CellStyle
    /// The name beside it, where there is room.
    var name: String?
  }

  var camera: MapCamera
  /// The lines; later ones cover earlier ones.
  var lines: [Line] = []
  /// The largest first.
  var cities: [City] = []
  /// The most important last.
  var marks: [Mark] = []
  /// The id of the highlighted city.
  var chosenCity: Int?

  func draw(in frame: inout Frame, at area: CellArea) {
    var canvas = BrailleCanvas(size: area.size)
    for (rank, line) in lines.enumerated() {
      // The copy of the line whose middle is nearest, as the world repeats itself.
      let middle = line.points.isEmpty ? nil : line.points[line.points.count / 2]
      let shift = middle.map { camera.nearest($0).x - $0.x } ?? 0
      let dots = line.points.map {
        camera.dot(of: .init(x: $0.x + shift, y: $0.y), in: area.size)
      }
      for number in dots.indices.dropFirst() where !line.breaks.contains(number) {
        canvas.line(from: dots[number - 1], to: dots[number], line.ink, rank: rank)
      }
    }
    canvas.draw(in: &frame, at: area)
    // Names cover neither the lines nor the marks.
    var places = LabelPlaces(area: area)
    for cell in canvas.dottedCells {
      places.block(CellPosition(column: area.column + cell.column, row: area.row + cell.row))
    }
    for mark in marks {
      if let cell = cell(of: mark.point, in: area) { places.block(cell) }
    }
    for mark in marks {
      guard let name = mark.name, let cell = cell(of: mark.point, in: area),
        let start = places.place(name, beside: cell)
      else { continue }
      frame.put(name, .plain, column: start.column, row: start.row, in: area)
    }
    drawCities(in: &frame, at: area, &places)
    for mark in marks {
      guard let cell = cell(of: mark.point, in: area) else { continue }
      frame.put(
        String(mark.character), mark.style, column: cell.column, row: cell.row, in: area)
    }
  }

  /// The cell of a point; `nil` outside of the map.
  func cell(of point: MapCamera.PlanePoint, in area: CellArea) -> CellPosition? {
    let dot = camera.dot(of: camera.nearest(point), in: area.size)
    guard dot.x >= 0, dot.y >= 0, dot.x < Double(area.columns * 2), dot.y < Double(area.rows * 4)
    else { return nil }
    return CellPosition(column: area.column + Int(dot.x) / 2, row: area.row + Int(dot.y) / 4)
  }

  /// The city with the dot nearest to a cell, at most 2 cells away.
  func city(at place: CellPosition, in area: CellArea) -> City? {
    cities.compactMap { city -> (city: City, distance: Int)? in
      guard let cell = cell(of: MapCamera.PlanePoint(city.coordinate), in: area) else { return nil }
      let distance = max(abs(cell.column - place.column), 2 * abs(cell.row - place.row))
      return distance <= 2 ? (city, distance) : nil
    }.min { $0.distance < $1.distance }?.city
  }

  private func drawCities(in frame: inout Frame, at area: CellArea, _ places: inout LabelPlaces) {
    let chosen = cities.filter { $0.id == chosenCity }
    for city in chosen + cities.filter({ $0.id != chosenCity }) {
      guard let cell = cell(of: MapCamera.PlanePoint(city.coordinate), in: area),
        places.isFree(cell)
      else { continue }
      let isChosen = city.id == chosenCity
      let style = isChosen ? CellStyle(.accent, isBold: true) : CellStyle.muted
      guard let name = places.place(city.name.safeForTerminal, beside: cell) else { continue }
      frame.put("•", style, column: cell.column, row: cell.row, in: area)
      frame.put(
        city.name.safeForTerminal, style, column: name.column, row: name.row, in: area)
    }
  }
}

/// The free cells of a map, to keep names from covering each other.
private struct LabelPlaces {
  private let area: CellArea
  private var taken: Set<CellPosition> = []

  init(area: CellArea) {
    self.area = area
  }

  func isFree(_ cell: CellPosition) -> Bool { !taken.contains(cell) }

  mutating func block(_ cell: CellPosition) {
    taken.insert(cell)
  }

  /// Takes the cells for a dot and its name, to the right of it or to the left.
  ///
  /// - Returns: the position of the name; `nil` if there is no room.
  mutating func place(_ name: String, beside dot: CellPosition) -> CellPosition? {
    let width = name.columns
    for column in [dot.column + 2, dot.column - 1 - width] {
      let cells = (column - 1...column + width).map { CellPosition(column: $0, row: dot.row) }
      let isInside = column >= area.column && column + width <= area.column + area.columns
      guard isInside, cells.allSatisfy({ $0 == dot || isFree($0) }) else { continue }
      taken.formUnion(cells)
      taken.insert(dot)
      return CellPosition(column: column, row: dot.row)
    }
    return nil
  }
}
