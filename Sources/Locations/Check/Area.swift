import Foundation
import Geodesy

/// An area on the Earth, for the expectations of a walk: a circle, a box or a polygon.
public struct Area: Hashable, Sendable {
  /// The name of the area.
  public var identifier: String
  private let shape: Shape

  private enum Shape: Hashable, Sendable {
    case circle(CircularRegion)
    case polygons([Polygon])
  }

  /// The area of a circle.
  public init(_ region: CircularRegion) {
    (identifier, shape) = (region.identifier, .circle(region))
  }

  /// The area between parallels and meridians.
  public init(identifier: String, _ box: BoundingBox) {
    let east = box.maximumLongitude + (box.crossesDateLine ? 360 : 0)
    let (west, south, north) = (box.minimumLongitude, box.minimumLatitude, box.maximumLatitude)
    let corners = [(west, south), (east, south), (east, north), (west, north)]
    self.identifier = identifier
    shape = .polygons([Polygon(rings: [corners.map { Polygon.Point(x: $0.0, y: $0.1) }])])
  }

  /// The area of polygons, whose edges are straight in degrees and do not cross the date line. The first ring of
  /// a polygon is its outline, others are holes.
  ///
  /// Source: RFC 7946, "The GeoJSON Format", 3.1.
  public init(identifier: String, polygons: [[[Coordinate]]]) {
    self.identifier = identifier
    shape = .polygons(
      polygons.map { rings in
        Polygon(
          rings: rings.map { $0.map { Polygon.Point(x: $0.longitude, y: $0.latitude) } })
      })
  }

  /// Whether a position is inside or on the edge. O(corners).
  public func contains(_ coordinate: Coordinate) -> Bool {
    switch shape {
    case .circle(let region): region.contains(coordinate)
    case .polygons(let polygons): polygons.contains { $0.contains(coordinate) }
    }
  }

  /// The meters to the area; 0 inside, infinite for an area without corners. O(corners).
  public func distance(to coordinate: Coordinate) -> Double {
    switch shape {
    case .circle(let region):
      max(0, region.center.distance(to: coordinate) - max(0, region.radius))
    case .polygons(let polygons):
      contains(coordinate)
        ? 0
        : polygons.compactMap { $0.nearest(to: coordinate) }
          .map { coordinate.distance(to: $0) }.min() ?? .infinity
    }
  }

  /// The fractions of a leg, between two of them, at which it meets the edge, or is nearest to a circle.
  ///
  /// - Parameter length: the meters of the leg, of which some kilometers are straight in a plane.
  func fractions(
    from first: Double, to last: Double, of start: Fix, _ end: Fix, length: Double
  ) -> [Double] {
    switch shape {
    case .circle(let region):
      return region.fractions(from: first, to: last, of: start, end, length: length)
    case .polygons(let polygons):
      func place(at fraction: Double) -> Coordinate {
        start.coordinate.interpolated(to: end.coordinate, fraction: fraction)
      }
      return polygons.flatMap { polygon in
        polygon.crossings(from: place(at: first), to: place(at: last))
      }.map { crossing in
        // A tenth of a millimeter farther, it is inside, or outside.
        first + (last - first) * crossing + 1e-4 / length
      }.filter { $0 > first && $0 < last }
    }
  }

  /// The relation of the device to the area, after another one; `nil` if an update tells nothing.
  func state(after state: RegionMonitor.State, _ update: LocationUpdate) -> RegionMonitor.State? {
    if update.accuracyLimited || update.authorization?.isAuthorized == false { return .unknown }
    guard let fix = update.location else { return nil }
    if contains(fix.coordinate) { return .inside }
    let isNear =
      state == .inside
      && fix.horizontalAccuracy.map { distance(to: fix.coordinate) <= $0 } == true
    return isNear ? .inside : .outside
  }
}

/// Rings of corners in degrees.
private struct Polygon: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    /// The longitude, which may be beyond 180 degrees.
    var x: Double
    var y: Double
  }

  let rings: [[Point]]

  private func forEachEdge(_ body: (_ from: Point, _ to: Point) -> Void) {
    for ring in rings {
      guard var last = ring.last else { continue }
      for point in ring {
        if point != last { body(last, point) }
        last = point
      }
    }
  }

  func contains(_ coordinate: Coordinate) -> Bool {
    // A polygon across the date line has longitudes beyond 180 degrees.
    [0.0, 360, -360].contains { turn in
      contains(Point(x: coordinate.longitude + turn, y: coordinate.latitude))
    }
  }

  private func contains(_ point: Point) -> Bool {
    var (isInside, isOnEdge) = (false, false)
    forEachEdge { from, to in
      if min(from.y, to.y) <= point.y, point.y <= max(from.y, to.y) {
        let cross = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
        let isBetween = min(from.x, to.x) <= point.x && point.x <= max(from.x, to.x)
        if cross == 0, isBetween { isOnEdge = true }
      }
      guard (from.y > point.y) != (to.y > point.y) else { return }
      let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside || isOnEdge
  }

  /// The place on the edge that is nearest in a plane around a position; `nil` without edges.
  func nearest(to coordinate: Coordinate) -> Coordinate? {
    let scale = max(0.01, cos(coordinate.latitude * .pi / 180))
    var (least, nearest) = (Double.infinity, Coordinate?.none)
    for turn in [0.0, 360, -360] {
      let (x, y) = (coordinate.longitude + turn, coordinate.latitude)
      forEachEdge { from, to in
        let (dx, dy) = ((to.x - from.x) * scale, to.y - from.y)
        let along = ((x - from.x) * scale * dx + (y - from.y) * dy) / (dx * dx + dy * dy)
        let share = min(max(along, 0), 1)
        let place = Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
        let distance = hypot((place.x - x) * scale, place.y - y)
        guard distance < least else { return }
        least = distance
        nearest = .clamped(latitude: place.y, longitude: place.x.remainder(dividingBy: 360))
      }
    }
    return nearest
  }

  /// The fractions of a straight line at which it meets the edge.
  func crossings(from start: Coordinate, to end: Coordinate) -> [Double] {
    let dy = end.latitude - start.latitude
    let dx = (end.longitude - start.longitude).remainder(dividingBy: 360)
    var found: [Double] = []
    for turn in [0.0, 360, -360] {
      let (x, y) = (start.longitude + turn, start.latitude)
      forEachEdge { from, to in
        let (ex, ey) = (to.x - from.x, to.y - from.y)
        let cross = dx * ey - dy * ex
        guard cross != 0 else { return }
        let along = ((from.x - x) * ey - (from.y - y) * ex) / cross
        let share = ((from.x - x) * dy - (from.y - y) * dx) / cross
        if 0...1 ~= along, 0...1 ~= share { found.append(along) }
      }
    }
    return found
  }
}

extension CircularRegion {
  /// The fractions of a leg, between two of them, at which it meets the circle or is nearest to the
  /// center.
  fileprivate func fractions(
    from first: Double, to last: Double, of start: Fix, _ end: Fix, length: Double
  ) -> [Double] {
    func distance(at meters: Double) -> Double {
      let fraction = first + meters / length
      return center.distance(
        to: start.coordinate.interpolated(to: end.coordinate, fraction: fraction))
    }
    let way = (last - first) * length
    let (before, after) = (distance(at: 0), distance(at: way))
    // Meters to the place that is nearest to the center, and from there to the circle.
    let nearest = (before * before - after * after + way * way) / (2 * way)
    var meters = [nearest]
    for (side, radius) in [(-1.0, radius), (1, radius + (end.horizontalAccuracy ?? 0))] {
      let square = radius * radius - before * before + nearest * nearest
      guard square > 0 else { continue }
      let reach = square.squareRoot()
      var there = nearest + side * reach
      guard there > 0, there < way else { continue }
      for _ in 0..<3 { there -= side * (distance(at: there) - radius) * radius / reach }
      // A tenth of a millimeter farther, it is inside, or outside.
      meters.append(there + 1e-4)
    }
    return meters.filter { $0 > 0 && $0 < way }.map { first + $0 / length }
  }
}
