import Foundation
import Geodesy

/// The part of the Earth on a map in the terminal, in Web Mercator.
struct MapCamera: Hashable {
  /// A point in the plane: the world is a square from 0 to 1, north up; x continues across the date
  /// line.
  struct PlanePoint: Hashable {
    var x: Double
    var y: Double

    /// Source: EPSG 3857, whose latitudes end at ±85.06°.
    init(_ coordinate: Coordinate) {
      x = coordinate.longitude / 360 + 0.5
      let latitude = min(max(-85.05, coordinate.latitude), 85.05) * .pi / 180
      y = 0.5 - asinh(tan(latitude)) / (2 * .pi)
    }

    init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// The copy of the point that is nearest to another one; the world repeats along x.
    func nearest(to other: PlanePoint) -> PlanePoint {
      PlanePoint(x: x + (other.x - x).rounded(), y: y)
    }

    var coordinate: Coordinate {
      let turns = x - x.rounded(.down)
      let latitude = atan(sinh((0.5 - y) * 2 * .pi)) * 180 / .pi
      return Coordinate(
        validLatitude: min(max(-90, latitude), 90), longitude: turns * 360 - 180)
    }
  }

  /// The center of the map.
  private(set) var center: PlanePoint
  /// The size of a dot; the world is 1 wide.
  private(set) var dotSize: Double

  /// A dot is at least about 1 m, and the whole world at least some 80 dots.
  private static let dotSizes = 2.5e-8...0.0125

  /// Shows all of a line.
  ///
  /// - Parameters:
  ///   - points: the points to show; without any, the whole world.
  ///   - size: the size of the map.
  init(showing points: [PlanePoint], in size: CellSize) {
    let (west, east) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 1)
    let (north, south) = (points.map(\.y).min() ?? 0.2, points.map(\.y).max() ?? 0.7)
    center = PlanePoint(x: (west + east) / 2, y: (north + south) / 2)
    // A margin of a tenth on each side.
    let dots = (columns: Double(max(1, size.columns * 2)), rows: Double(max(1, size.rows * 4)))
    let fitting = max((east - west) / dots.columns, (south - north) / dots.rows) * 1.25
    dotSize = min(max(Self.dotSizes.lowerBound, fitting), Self.dotSizes.upperBound)
  }

  /// Shows a position and its surroundings.
  ///
  /// - Parameter radius: the radius of the surroundings in meters.
  init(around coordinate: Coordinate, radius: Double, in size: CellSize) {
    center = PlanePoint(coordinate)
    let metersAround = 40_075_016.686 * cos(min(85, abs(coordinate.latitude)) * .pi / 180)
    let dots = Double(max(1, min(size.columns * 2, size.rows * 4)))
    dotSize = min(
      max(Self.dotSizes.lowerBound, 2 * radius / metersAround / dots), Self.dotSizes.upperBound)
  }

  /// Shows a point, at the same scale.
  func centered(on point: PlanePoint) -> MapCamera {
    var camera = self
    camera.center = point
    return camera
  }

  /// Follows a moving point, at the same scale; the map moves when the point leaves its middle third.
  func following(_ point: PlanePoint, in size: CellSize) -> MapCamera {
    func step(_ value: Double, _ dots: Int) -> Double {
      let step = Double(max(1, dots)) * dotSize / 3
      return (value / step).rounded() * step
    }
    return centered(
      on: PlanePoint(x: step(point.x, size.columns * 2), y: step(point.y, size.rows * 4)))
  }

  /// The dot of a point.
  func dot(of point: PlanePoint, in size: CellSize) -> BrailleCanvas.Dot {
    BrailleCanvas.Dot(
      x: Double(size.columns) + (point.x - center.x) / dotSize,
      y: Double(size.rows * 2) + (point.y - center.y) / dotSize)
  }

  /// The point at a dot.
  func point(at dot: BrailleCanvas.Dot, in size: CellSize) -> PlanePoint {
    PlanePoint(
      x: center.x + (dot.x - Double(size.columns)) * dotSize,
      y: center.y + (dot.y - Double(size.rows * 2)) * dotSize)
  }

  /// Moves the map by cells.
  mutating func move(columns: Int, rows: Int) {
    center.x += Double(columns * 2) * dotSize
    center.y = min(max(0, center.y + Double(rows * 4) * dotSize), 1)
  }

  /// Zooms around a dot.
  ///
  /// - Parameter factor: 2 halves the visible part.
  mutating func zoom(by factor: Double, at dot: BrailleCanvas.Dot, in size: CellSize) {
    let fixed = point(at: dot, in: size)
    dotSize = min(max(Self.dotSizes.lowerBound, dotSize / factor), Self.dotSizes.upperBound)
    let moved = point(at: dot, in: size)
    center.x += fixed.x - moved.x
    center.y = min(max(0, center.y + fixed.y - moved.y), 1)
  }

  /// The visible part of the Earth, at most the whole world.
  func box(in size: CellSize) -> BoundingBox {
    let first = point(at: .init(x: 0, y: 0), in: size)
    let last = point(
      at: .init(x: Double(size.columns * 2), y: Double(size.rows * 4)), in: size)
    let north = PlanePoint(x: 0.5, y: max(0, first.y)).coordinate.latitude
    let south = PlanePoint(x: 0.5, y: min(1, last.y)).coordinate.latitude
    let isWorld = last.x - first.x >= 1
    return BoundingBox(
      minLatitude: south, minLongitude: isWorld ? -180 : first.coordinate.longitude,
      maxLatitude: north, maxLongitude: isWorld ? 180 : last.coordinate.longitude)
  }

  /// The copy of a point that is nearest to the center.
  func nearest(_ point: PlanePoint) -> PlanePoint { point.nearest(to: center) }
}

extension [MapCamera.PlanePoint] {
  /// A line without jumps at the date line.
  init(line coordinates: some Sequence<Coordinate>) {
    self = []
    for coordinate in coordinates {
      var point = MapCamera.PlanePoint(coordinate)
      if let last { point = point.nearest(to: last) }
      append(point)
    }
  }
}
