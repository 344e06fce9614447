import FaketrackFeatures

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A track in the plane of Web Mercator, in a square of 1,000 units.
struct PlaneLine {
  private let points: [(point: TrackShape.Point, x: Double, y: Double)]
  let viewBox: String

  /// - Parameter points: about how many points it is drawn with.
  init(_ shape: TrackShape, points count: Int) {
    var turn = 0.0
    var last: Double?
    var places: [(point: TrackShape.Point, x: Double, y: Double)] = []
    let stride = max(1, shape.points.count / count)
    for (number, point) in shape.points.enumerated()
    where number.isMultiple(of: stride) || point.isBreak || number == shape.points.count - 1 {
      let longitude = point.coordinate.longitude + turn
      if let last, abs(longitude - last) > 180 { turn += longitude > last ? -360 : 360 }
      last = point.coordinate.longitude + turn
      let latitude = min(max(point.coordinate.latitude, -85), 85) * .pi / 180
      places.append((point, last ?? 0, -log(tan(.pi / 4 + latitude / 2)) * 180 / .pi))
    }
    let (left, right) = (places.map(\.x).min() ?? 0, places.map(\.x).max() ?? 0)
    let (top, bottom) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
    let scale = 1_000 / max(right - left, bottom - top, 1e-6)
    points = places.map { ($0.point, ($0.x - left) * scale, ($0.y - top) * scale) }
    let (width, height) = ((right - left) * scale, (bottom - top) * scale)
    viewBox = "-60 -60 \(Int(width) + 120) \(Int(height) + 120)"
  }

  /// The pieces of the line whose points are wanted.
  func path(where isWanted: (TrackShape.Point) -> Bool) -> String {
    var path = ""
    var isDrawing = false
    for (point, x, y) in points {
      let wanted = isWanted(point)
      if wanted {
        path += isDrawing && !point.isBreak ? "L" : "M"
        path += "\(x.rounded(decimals: 1)) \(y.rounded(decimals: 1))"
      }
      isDrawing = wanted
    }
    return path
  }
}
