import FaketrackSupport
import Geodesy
import Locations

/// The track of a receiver: what was walked so far.
///
/// Each fix extends the track; those at the distance filter are the locations of the walk. Fixes that
/// arrive during a pause are dropped. There is a gap after a pause, a stop and a loss of signal.
package final class LiveTrack: LiveLocationProviding, PaceControlling {
  private struct Recording {
    var builder = TrackShapeBuilder(walkingSpeed: ReplayOptions().walkingSpeed)
    var times = TimeLine(.none)
    var filter: DistanceFilter
    var isPaused = false
    /// The number of the current updates; fixes of earlier updates are dropped.
    var run = 0
    /// The segment of the next fix, and the segment of the last fix as the receiver counts segments.
    var segment = 0
    var receiverSegment: Int?

    /// Leaves a gap before the next fix.
    mutating func breakOff() {
      if receiverSegment != nil { segment += 1 }
      receiverSegment = nil
      filter.reset()
    }

    /// Adds a fix; returns it with its place on the track.
    mutating func add(_ fix: Fix) -> Fix {
      if let receiverSegment, receiverSegment != fix.segment { breakOff() }
      receiverSegment = fix.segment
      var placed = fix
      placed.segment = segment
      // The receiver has judged the times since it was connected, not those before a pause.
      placed.origin.verdict = .open
      placed = times.judge([placed])[0]
      builder.add(placed)
      placed.distance = builder.progress.walked
      placed.elapsedSeconds = builder.progress.elapsed
      return placed
    }
  }

  private let receiver: any LocationProviding
  private let distanceFilter: Double
  private let recording: Locked<Recording>
  private let didGrow = Locked<@Sendable (TrackShape, TrackShape.Place?) -> Void>({ _, _ in })

  /// - Parameters:
  ///   - receiver: delivers every fix.
  ///   - distanceFilter: the meters between two locations of the walk.
  package init(_ receiver: any LocationProviding, distanceFilter: Double) {
    self.receiver = receiver
    self.distanceFilter = distanceFilter
    recording = Locked(
      Recording(filter: DistanceFilter(minimumDistance: distanceFilter)))
  }

  /// Calls a function with the track and the position after every change.
  func follow(_ change: @escaping @Sendable (TrackShape, TrackShape.Place?) -> Void) {
    didGrow.withLock { $0 = change }
  }

  /// Prepares for the updates of a walk.
  ///
  /// - Parameter isNew: whether the walk begins; it continues otherwise.
  func begin(isNew: Bool) {
    recording.withLock { recording in
      let run = recording.run + 1
      if isNew {
        recording = Recording(filter: DistanceFilter(minimumDistance: distanceFilter))
      } else {
        recording.breakOff()
        recording.isPaused = false
      }
      recording.run = run
    }
    if isNew { didGrow.withLock(\.self)(TrackShape(), nil) }
  }

  /// The locations of the walk. The track also grows while they are not awaited.
  package func updates() -> LocationUpdates {
    LocationUpdates(delivering: { deliver in
      let run = self.recording.withLock(\.run)
      for try await update in self.receiver.updates() {
        if let update = self.record(update, of: run) { deliver(update) }
      }
    })
  }

  /// Every fix on a separate connection, except during a pause.
  package func liveUpdates() -> LocationUpdates {
    LocationUpdates(delivering: { deliver in
      for try await update in self.receiver.updates()
      where update.location == nil || !self.recording.withLock(\.isPaused) {
        deliver(update)
      }
    })
  }

  /// Records an update; returns it unless it is a fix that is no new location.
  private func record(_ update: LocationUpdate, of run: Int) -> LocationUpdate? {
    guard let fix = update.location else {
      if update.locationUnavailable {
        recording.withLock { if $0.run == run { $0.breakOff() } }
      }
      return update
    }
    let recorded = recording.withLock { recording -> (shape: TrackShape, location: Fix?)? in
      if recording.isPaused || recording.run != run { return nil }
      let placed = recording.add(fix)
      let isLocation = recording.filter.admit(fix.coordinate)
      return (recording.builder.shape, isLocation ? placed : nil)
    }
    guard let recorded else { return nil }
    var walker = recorded.shape.end
    walker?.course = fix.course
    didGrow.withLock(\.self)(recorded.shape, walker)
    guard let location = recorded.location else { return nil }
    var passed = update
    passed.location = location
    return passed
  }

  // MARK: PaceControlling

  package func pause() { recording.withLock { $0.isPaused = true } }

  package func resume() {
    recording.withLock { recording in
      recording.isPaused = false
      recording.breakOff()
    }
  }

  package var speed: ReplaySpeed {
    get { .realTime }
    set {}
  }

  package var elapsed: Duration? { nil }
}
