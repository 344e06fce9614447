import FaketrackFeatures

/// The track of a walk in the plane of maps, which is projected once.
struct WalkPath: Sendable {
  private(set) var shape: TrackShape?
  private(set) var points: [WebMercator.Point] = []
  /// The northwest and the southeast corner of the track; none without points.
  private(set) var corners: [WebMercator.Point] = []

  mutating func project(_ shape: TrackShape?) {
    guard shape != self.shape else { return }
    self.shape = shape
    points = [WebMercator.Point](line: shape?.points.map(\.coordinate) ?? [])
    corners = []
    guard let first = points.first else { return }
    corners = points.reduce(into: [first, first]) { corners, point in
      corners[0] = .init(x: min(corners[0].x, point.x), y: min(corners[0].y, point.y))
      corners[1] = .init(x: max(corners[1].x, point.x), y: max(corners[1].y, point.y))
    }
  }

  /// The walker, on the same side of the date line as the track.
  func walker(_ state: TrackingState) -> WebMercator.Point? {
    guard let position = state.position else { return nil }
    let (walker, distance) = (WebMercator.Point(position), state.distance)
    let last = shape?.points.lastIndex { $0.distance <= distance }.map { points[$0] }
    return (last ?? points.first).map(walker.nearest) ?? walker
  }
}
