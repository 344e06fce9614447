import FaketrackFeatures

/// The track of a walk in the plane of maps, which is projected once.
struct WalkPath: Sendable {
  private(set) var shape: TrackShape?
  private(set) var points: [WebMercator.Point] = []
  private(set) var box: PlaneBox?

  init(_ shape: TrackShape? = nil) { project(shape) }

  mutating func project(_ shape: TrackShape?) {
    guard shape != self.shape else { return }
    self.shape = shape
    points = [WebMercator.Point](line: shape?.points.map(\.coordinate) ?? [])
    box = points.box
  }

  /// The walker, on the same side of the date line as the track.
  func walker(_ state: TrackingState) -> WebMercator.Point? {
    guard let position = state.position else { return nil }
    let (walker, distance) = (WebMercator.Point(position), state.distance)
    let last = shape?.points.lastIndex { $0.distance <= distance }.map { points[$0] }
    return (last ?? points.first).map(walker.nearest) ?? walker
  }
}
