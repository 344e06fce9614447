import FaketrackFeatures

/// A track in the plane of maps, which is projected once.
struct WalkPath: Sendable {
  private(set) var shape: TrackShape?
  private(set) var points: MapDrawing.Line.Points = []
  private(set) var box: PlaneBox?

  /// - Parameter step: leaves out all points but each one with a multiple of this number, and those beside gaps.
  init(_ shape: TrackShape? = nil, step: Int = 1) { project(shape, step: step) }

  mutating func project(_ shape: TrackShape?, step: Int = 1) {
    guard shape != self.shape else { return }
    self.shape = shape
    let all = shape?.points ?? []
    let shown = all.indices.filter { number in
      number % step == 0 || all[number].isBreak || all.dropFirst(number + 1).first?.isBreak != false
    }
    let line = [WebMercator.Point](line: shown.map { all[$0].coordinate })
    points = zip(line, shown).map { ($0, isBreak: all[$1].isBreak) }
    box = line.box
  }

  /// The walker, on the same side of the date line as the track.
  func walker(_ state: TrackingState) -> WebMercator.Point? {
    guard let position = state.position else { return nil }
    let (walker, distance) = (WebMercator.Point(position), state.distance)
    let last = shape?.points.lastIndex { $0.distance <= distance }.map { points[$0].point }
    return (last ?? points.first?.point).map(walker.nearest) ?? walker
  }
}
