import FaketrackSupport
import Geodesy

/// The pace of a replay.
struct ReplayPace {
  var speed: ReplaySpeed
  var isPaused = false
}

/// The track time of a device, by the readings of a clock.
///
/// It counts from the moment at which the pace last changed, so rounding errors do not add up over
/// hours.
struct ReplayTime {
  /// The longest wait in seconds, well within the range of every clock.
  static let longestWait = 1e9

  /// A reading of the clock and the track time then, in seconds.
  private var origin: (reading: Duration, elapsed: Double)
  /// The track time of the farthest place that was asked for; `nil` before the first fix.
  private var limit: Double?
  /// The track time of the first fix, where the device is from the start, paused or not.
  private var first = -Double.infinity
  /// The places of the fixes that have been read, from the last one that was reached.
  private var path: [TrackProgress] = []

  init(reading: Duration) {
    origin = (reading, 0)
  }

  /// Starts the time: the device is at `place` now.
  mutating func start(at place: TrackProgress, reading: Duration) {
    origin = (reading, place.elapsed)
    limit = place.elapsed
    first = place.elapsed
  }

  /// Lets the time go on to a place, which an update waits for.
  mutating func ask(for place: TrackProgress) {
    if let limit { self.limit = max(limit, place.elapsed) }
  }

  /// The reading of the clock at which the device reaches a place; `nil` while the device is paused
  /// before the place. The place of the first fix is reached from the start, paused or not.
  mutating func deadline(at place: TrackProgress, _ pace: ReplayPace) -> Duration? {
    // A replay that was late when its pace changed continues from its position.
    origin.elapsed = min(origin.elapsed, place.elapsed)
    if pace.isPaused { return place.elapsed <= first ? origin.reading : nil }
    guard let multiple = pace.speed.multiple else {
      origin.elapsed = place.elapsed
      return origin.reading
    }
    return reading(at: place.elapsed, multiple)
  }

  private func reading(at elapsed: Double, _ multiple: Double) -> Duration {
    let seconds = max(0, elapsed - origin.elapsed) / multiple
    return origin.reading + .seconds(min(seconds, Self.longestWait))
  }

  /// Sets the origin to a reading, before the pace changes.
  mutating func keep(_ pace: ReplayPace, reading: Duration) {
    origin = (reading, elapsed(at: reading, pace))
  }

  /// The track time in seconds; `nil` before the first fix.
  func elapsed(_ pace: ReplayPace, reading: Duration) -> Double? {
    limit.map { min($0, elapsed(at: reading, pace)) }
  }

  private func elapsed(at reading: Duration, _ pace: ReplayPace) -> Double {
    guard !pace.isPaused, let multiple = pace.speed.multiple else { return origin.elapsed }
    return origin.elapsed + (reading - origin.reading).seconds * multiple
  }

  // MARK: Places between updates

  /// Adds the places of fixes that have been read.
  mutating func extendPath(by places: [TrackProgress], _ pace: ReplayPace, reading: Duration) {
    let reached = elapsed(at: reading, pace)
    let first = path.indices.partitionPoint { path[$0].elapsed <= reached }
    path.removeFirst(max(0, first - 1))
    path += places
  }

  /// The place on the way to the next one; `nil` before the first fix.
  func progress(before next: TrackProgress?, _ pace: ReplayPace, reading: Duration)
    -> TrackProgress?
  {
    elapsed(pace, reading: reading).flatMap { elapsed in
      let index = path.indices.partitionPoint { path[$0].elapsed <= elapsed }
      guard let to = index < path.endIndex ? path[index] : next ?? path.last else { return nil }
      let from = index > path.startIndex ? path[index - 1] : to
      return elapsed.fraction(from: from.elapsed, to: to.elapsed).map {
        from.interpolated(to: to, fraction: $0)
      } ?? to
    }
  }

  /// The reading of the clock at a position on the way to the next place; `nil` if that is not
  /// known, or has passed.
  func deadline(
    at position: ReplayPosition, before next: TrackProgress, _ pace: ReplayPace, reading: Duration
  ) -> Duration? {
    guard limit != nil, !pace.isPaused, let multiple = pace.speed.multiple,
      let elapsed = elapsed(at: position, before: next), elapsed >= origin.elapsed
    else { return nil }
    let deadline = self.reading(at: elapsed, multiple)
    return deadline > reading ? deadline : nil
  }

  private func elapsed(at position: ReplayPosition, before last: TrackProgress) -> Double? {
    switch position.place {
    case .start, .end: return nil
    case .elapsed(let elapsed): return elapsed.seconds <= last.elapsed ? elapsed.seconds : nil
    case .meters(let meters):
      let next = path.indices.partitionPoint { path[$0].walked < meters }
      guard next > path.startIndex else { return nil }
      let (from, to) = (path[next - 1], next < path.endIndex ? path[next] : last)
      return meters.fraction(from: from.walked, to: to.walked).map {
        from.interpolated(to: to, fraction: $0).elapsed
      }
    }
  }
}
