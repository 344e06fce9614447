import FaketrackFeatures
import Geodesy

/// The part of the Earth on a map in the terminal.
struct MapCamera: Hashable {
  private(set) var center: WebMercator.Point
  /// The size of a dot; the world is 1 wide.
  private(set) var dotSize: Double

  /// Shows all points, with a margin of a tenth on each side; without any, the whole world.
  init(showing points: [WebMercator.Point], in size: CellSize) {
    self.init(showing: points.box, in: size)
  }

  init(showing box: PlaneBox?, in size: CellSize) {
    let box = box ?? PlaneBox(first: .init(x: 0, y: 0.2), last: .init(x: 1, y: 0.7))
    center = box.middle
    let dots = (columns: Double(max(1, size.columns * 2)), rows: Double(max(1, size.rows * 4)))
    dotSize = Self.limited(
      max(
        (box.last.x - box.first.x) / dots.columns, (box.last.y - box.first.y) / dots.rows) * 1.25)
  }

  /// Shows a position and its surroundings, up to a radius in meters.
  init(around coordinate: Coordinate, radius: Double, in size: CellSize) {
    center = WebMercator.Point(coordinate)
    let dots = Double(max(1, min(size.columns * 2, size.rows * 4)))
    dotSize = Self.limited(2 * radius / center.worldWidth / dots)
  }

  /// A dot is at least about 1 m, and the whole world at least some 80 dots.
  private static func limited(_ dotSize: Double) -> Double { min(max(2.5e-8, dotSize), 0.0125) }

  /// Follows a moving point; the map moves when the point leaves its middle third.
  func following(_ point: WebMercator.Point, in size: CellSize) -> MapCamera {
    func step(_ value: Double, _ dots: Int) -> Double {
      let step = Double(max(1, dots)) * dotSize / 3
      return (value / step).rounded() * step
    }
    var camera = self
    camera.center = WebMercator.Point(
      x: step(point.x, size.columns * 2), y: step(point.y, size.rows * 4))
    return camera
  }

  /// Whether a point is on the map, or else in a part of it around its middle.
  ///
  /// - Parameter part: the width and the height of the part; 1 is the whole map.
  func shows(_ point: WebMercator.Point, in size: CellSize, part: Double = 1) -> Bool {
    let dot = dot(of: point.nearest(to: center), in: size)
    let (middleX, middleY) = (Double(size.columns), Double(size.rows * 2))
    return abs(dot.x - middleX) <= middleX * part && abs(dot.y - middleY) <= middleY * part
  }

  func dot(of point: WebMercator.Point, in size: CellSize) -> DotCanvas.Dot {
    DotCanvas.Dot(
      x: Double(size.columns) + (point.x - center.x) / dotSize,
      y: Double(size.rows * 2) + (point.y - center.y) / dotSize)
  }

  func point(at dot: DotCanvas.Dot, in size: CellSize) -> WebMercator.Point {
    WebMercator.Point(
      x: center.x + (dot.x - Double(size.columns)) * dotSize,
      y: center.y + (dot.y - Double(size.rows * 2)) * dotSize)
  }

  mutating func move(columns: Int, rows: Int) {
    shift(x: Double(columns * 2) * dotSize, y: Double(rows * 4) * dotSize)
  }

  /// Zooms around a dot; a factor of 2 halves the visible part.
  mutating func zoom(by factor: Double, at dot: DotCanvas.Dot, in size: CellSize) {
    let fixed = point(at: dot, in: size)
    dotSize = Self.limited(dotSize / factor)
    let moved = point(at: dot, in: size)
    shift(x: fixed.x - moved.x, y: fixed.y - moved.y)
  }

  /// A closer view of the middle, or of another point; a factor of 2 halves the visible part.
  func closer(by factor: Double, at point: WebMercator.Point? = nil) -> MapCamera {
    var camera = self
    camera.center = point ?? center
    camera.dotSize = Self.limited(dotSize / factor)
    return camera
  }

  private mutating func shift(x: Double, y: Double) {
    center.x += x
    center.y = min(max(0, center.y + y), 1)
  }

  /// The visible part of the Earth, at most the whole world.
  func box(in size: CellSize) -> BoundingBox {
    var first = point(at: .init(x: 0, y: 0), in: size)
    var last = point(at: .init(x: Double(size.columns * 2), y: Double(size.rows * 4)), in: size)
    (first.y, last.y) = (max(0, first.y), min(1, last.y))
    let isWorld = last.x - first.x >= 1
    return BoundingBox(
      minimumLatitude: last.coordinate.latitude,
      minimumLongitude: isWorld ? -180 : first.coordinate.longitude,
      maximumLatitude: first.coordinate.latitude,
      maximumLongitude: isWorld ? 180 : last.coordinate.longitude)
  }
}

/// A rectangle in the plane of maps.
struct PlaneBox: Sendable {
  /// The northwest and the southeast corner.
  var first: WebMercator.Point
  var last: WebMercator.Point

  var middle: WebMercator.Point {
    .init(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
  }

  /// Its copy whose middle is nearest to a point, as the world repeats itself.
  func nearest(to point: WebMercator.Point) -> PlaneBox {
    let shift = middle.nearest(to: point).x - middle.x
    return PlaneBox(
      first: .init(x: first.x + shift, y: first.y), last: .init(x: last.x + shift, y: last.y))
  }
}

extension [WebMercator.Point] {
  /// The smallest rectangle with all points; `nil` without any.
  var box: PlaneBox? {
    guard let first else { return nil }
    return reduce(into: PlaneBox(first: first, last: first)) { box, point in
      box.first = .init(x: Swift.min(box.first.x, point.x), y: Swift.min(box.first.y, point.y))
      box.last = .init(x: Swift.max(box.last.x, point.x), y: Swift.max(box.last.y, point.y))
    }
  }
}
