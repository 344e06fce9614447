import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy

/// A track in Web Mercator, scaled to a square of 1,000 units.
struct PlaneLine {
  private let points: [(point: TrackShape.Point, x: Double, y: Double)]
  /// The drawing with a margin: left, top, width and height.
  private let box: [Double]
  private let left: Double
  private let top: Double
  private let scale: Double

  var viewBox: String { box.map { "\($0)" }.joined(separator: " ") }

  init(_ shape: TrackShape, points count: Int) {
    let stride = max(1, shape.points.count / count)
    let drawn = shape.points.indices.filter { number in
      number.isMultiple(of: stride) || shape.points[number].isBreak
        || number == shape.points.count - 1
    }.map { shape.points[$0] }
    let places = [WebMercator.Point](line: drawn.map(\.coordinate))
    let (left, right) = (places.map(\.x).min() ?? 0, places.map(\.x).max() ?? 0)
    let (top, bottom) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
    let scale = 1_000 / max(right - left, bottom - top, 1e-9)
    (self.left, self.top, self.scale) = (left, top, scale)
    points = zip(drawn, places).map { ($0, ($1.x - left) * scale, ($1.y - top) * scale) }
    // The same margin as on the interactive map, which replaces the drawing.
    let (width, height) = (max((right - left) * scale, 1), max((bottom - top) * scale, 1))
    box = [-width / 8, -height / 8, width * 1.25, height * 1.25].map { $0.rounded(places: 1) }
  }

  /// The units of a pixel of a drawing of this size.
  func units(perPixelOf width: Double, by height: Double) -> Double {
    max(box[2] / width, box[3] / height)
  }

  /// The place of a coordinate in the drawing.
  func point(at coordinate: Coordinate) -> (x: Double, y: Double) {
    let origin = WebMercator.Point(x: left, y: top)
    let place = WebMercator.Point(coordinate).nearest(to: origin)
    return ((place.x - left) * scale, (place.y - top) * scale)
  }

  /// The parts of the line without gaps: the place and the meters along the track of each point in turn.
  var parts: [[Double]] {
    points.reduce(into: [[Double]]()) { parts, next in
      if parts.isEmpty || next.point.isBreak { parts.append([]) }
      parts[parts.count - 1] += [
        next.x.rounded(places: 1), next.y.rounded(places: 1), next.point.distance.rounded(),
      ]
    }
  }

  /// The point at a distance along the track in meters.
  func point(atDistance distance: Double) -> (x: Double, y: Double)? {
    guard let next = points.firstIndex(where: { $0.point.distance > distance }), next > 0 else {
      return (points.last { $0.point.distance <= distance } ?? points.first).map { ($0.x, $0.y) }
    }
    let (last, end) = (points[next - 1], points[next])
    if end.point.isBreak { return (last.x, last.y) }
    let fraction =
      (distance - last.point.distance) / (end.point.distance - last.point.distance)
    return (last.x + fraction * (end.x - last.x), last.y + fraction * (end.y - last.y))
  }

  /// The data of a path that a round cap makes a dot.
  func dot(atDistance distance: Double) -> Attribute? {
    point(atDistance: distance).map {
      .attribute("d", "M\($0.x.rounded(places: 1)) \($0.y.rounded(places: 1))h0")
    }
  }

  /// The parts of the line with the included points, as the data of an SVG path.
  func path(where isIncluded: (TrackShape.Point) -> Bool) -> String {
    var path = ""
    var isDrawing = false
    for (point, x, y) in points {
      let included = isIncluded(point)
      if included {
        path += isDrawing && !point.isBreak ? "L" : "M"
        path += "\(x.rounded(places: 1)) \(y.rounded(places: 1))"
      }
      isDrawing = included
    }
    return path
  }
}
