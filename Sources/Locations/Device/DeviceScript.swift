import FaketrackSupport
import Geodesy

/// A change of a device, and where on its way.
package struct DeviceStep: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case status(AuthorizationStatus)
    case accuracy(AccuracyAuthorization)
    /// The signal is lost for an amount of track time; `nil` until ``signalReturns``.
    case signalLost(for: Duration?)
    case signalReturns
    /// The device is put at a place, from where it goes on as the track does; `nil` is the track.
    case moved(to: Coordinate?)
    /// Nothing changes, but a device that was stopped reports where it is.
    case stopped
    /// The device reports all that it knows, in a segment after this one: it was put there.
    case put(afterSegment: Int)
  }

  package let change: Change
  package let position: ReplayPosition
  /// The place of the device for a change at once, with which it reports a fix; `nil` for a step of a
  /// script that was known before.
  private(set) var place: TrackProgress?

  package init(_ change: Change, at position: ReplayPosition) {
    self.change = change
    self.position = position
  }

  init(_ change: Change, at place: TrackProgress) {
    self.init(change, at: .elapsed(.seconds(clamping: place.elapsed)))
    self.place = place
  }

  /// Whether the device puts itself between two fixes.
  var isPlaced: Bool {
    if case .moved = change { true } else { place != nil }
  }

  /// The place between two others at which the step is due; `nil` if it is due later.
  fileprivate func place(
    from last: TrackProgress, to next: TrackProgress, start: Double
  ) -> TrackProgress? {
    if let place { return place.elapsed <= next.elapsed ? place : nil }
    let fraction =
      if case .elapsed(let due) = position.place {
        (start + due.seconds).fraction(from: last.elapsed, to: next.elapsed)
      } else {
        position.fraction(from: last, to: next)
      }
    return fraction.map { last.interpolated(to: next, fraction: $0) }
  }
}

/// Plays steps along a track, in their order.
struct DeviceScript {
  private(set) var steps: ArraySlice<DeviceStep>
  /// The track time of the first fix.
  private var start: Double?
  /// The place up to which every step has been played.
  private var progress: TrackProgress?

  init(_ steps: [DeviceStep]) {
    self.steps = steps[...]
  }

  /// The steps that have been played.
  var played: Int { steps.startIndex }

  /// Removes and returns the first step if it is due at the start of the track.
  mutating func nextAtStart() -> DeviceStep? {
    steps.first?.position == .start ? steps.removeFirst() : nil
  }

  /// Removes and returns the next step that is due, with its place.
  mutating func next(upTo next: TrackProgress) -> (step: DeviceStep, place: TrackProgress)? {
    if steps.isEmpty { return nil }
    let (last, start) = (progress ?? next, start ?? next.elapsed)
    self.start = start
    guard let step = steps.first, let place = step.place(from: last, to: next, start: start) else {
      progress = next
      return nil
    }
    steps.removeFirst()
    progress = place
    return (step, place)
  }

  /// Removes and returns the next step that is due at the end of the track; drops those that are not
  /// reached.
  mutating func nextAtEnd() -> DeviceStep? {
    while let step = steps.popFirst() {
      if step.position == .end || step.place != nil { return step }
    }
    return nil
  }

  /// The number of steps that have been played by a device at a place.
  func played(at place: TrackProgress, from first: TrackProgress) -> Int {
    var script = self
    while script.nextAtStart() != nil {}
    while script.next(upTo: first) != nil {}
    while script.next(upTo: place) != nil {}
    return script.played
  }
}
