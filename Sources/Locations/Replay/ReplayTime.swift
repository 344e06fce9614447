import FaketrackSupport
import Geodesy

/// The pace of a replay.
struct ReplayPace {
  var speed: ReplaySpeed
  var isPaused: Bool
  /// The position beyond which the devices do not go, to stop there, and to change the speed.
  var stop: ReplayPosition?
  var turn: ReplayPosition?
  /// Whether the devices stay at the end of their tracks.
  var staysAtEnd = false
  /// Counts the stops, so that one that another one replaced is known.
  var stops = 0

  init(speed: ReplaySpeed, isPaused: Bool = false) {
    self.speed = speed
    self.isPaused = isPaused
  }

  /// Whether a place is beyond where the devices go.
  func bars(_ place: TrackProgress) -> Bool {
    stop?.includes(place) == false || turn?.includes(place) == false
  }
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
  /// The track time up to which the device is, paused or not: of the first fix, or of the place where it was
  /// told something.
  private var reached: Double
  /// The places of the fixes that have been read, from the last one that was reached.
  private var path: [TrackProgress] = []

  /// - Parameter isThere: whether what comes before the first fix is due, paused or not.
  init(reading: Duration, isThere: Bool = false) {
    origin = (reading, 0)
    reached = isThere ? 0 : -.infinity
  }

  /// Starts the time: the device is at `place` now.
  mutating func start(at place: TrackProgress, reading: Duration) {
    origin = (reading, place.elapsed)
    limit = place.elapsed
    reached = place.elapsed
  }

  /// Lets the time go on to a place, which an update waits for.
  mutating func ask(for place: TrackProgress) {
    if let limit { self.limit = max(limit, place.elapsed) }
  }

  /// The reading of the clock at which the device reaches a place; `nil` while the device is paused
  /// before the place.
  mutating func deadline(at place: TrackProgress, _ pace: ReplayPace) -> Duration? {
    // A replay that was late when its pace changed continues from its position.
    origin.elapsed = min(origin.elapsed, place.elapsed)
    if pace.isPaused { return place.elapsed <= reached ? origin.reading : nil }
    if pace.bars(place) { return nil }
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

  /// Puts the device at a place that it has come to.
  mutating func stop(at place: TrackProgress, reading: Duration) {
    origin = (reading, place.elapsed)
    ask(for: place)
  }

  /// Puts the device at a place, where nothing is known of the way.
  mutating func put(at place: TrackProgress, reading: Duration) {
    origin = (reading, place.elapsed)
    (limit, reached, path) = (place.elapsed, place.elapsed, [place])
  }

  /// Lets changes of the device at a place be due there, and forgets the places beyond, which are read
  /// again.
  mutating func reach(_ place: TrackProgress) {
    reached = max(reached, place.elapsed)
    path.removeAll { $0.elapsed > place.elapsed }
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

  /// Adds the places of fixes that have been read, and forgets those before the track time of the device.
  mutating func extendPath(by places: [TrackProgress], from reached: Double) {
    let first = path.indices.partitionPoint { path[$0].elapsed <= reached }
    path.removeFirst(max(0, first - 1))
    path += places
  }

  /// The place on the way to the next one; `nil` before the first fix.
  func progress(before next: TrackProgress?, _ pace: ReplayPace, reading: Duration)
    -> TrackProgress?
  {
    elapsed(pace, reading: reading).flatMap { place(atElapsed: $0, before: next) }
  }

  private func place(atElapsed elapsed: Double, before next: TrackProgress?) -> TrackProgress? {
    let index = path.indices.partitionPoint { path[$0].elapsed <= elapsed }
    guard let to = index < path.endIndex ? path[index] : next ?? path.last else { return nil }
    let from = index > path.startIndex ? path[index - 1] : to
    return elapsed.fraction(from: from.elapsed, to: to.elapsed).map {
      from.interpolated(to: to, fraction: $0)
    } ?? to
  }

  /// The reading of the clock at a position on the way to the next place; `nil` if that is not
  /// known, or has passed.
  func deadline(
    at position: ReplayPosition, before next: TrackProgress, _ pace: ReplayPace, reading: Duration
  ) -> Duration? {
    guard limit != nil, !pace.isPaused, let multiple = pace.speed.multiple,
      let place = place(of: position, before: next), place.elapsed >= origin.elapsed
    else { return nil }
    let deadline = self.reading(at: place.elapsed, multiple)
    return deadline > reading ? deadline : nil
  }

  /// The place of a position on the way to the next place; `nil` if that is not known.
  func place(of position: ReplayPosition, before last: TrackProgress) -> TrackProgress? {
    switch position.place {
    case .start, .end: return nil
    case .elapsed(let elapsed):
      let seconds = elapsed.seconds
      guard seconds <= last.elapsed else { return nil }
      var place = place(atElapsed: seconds, before: last) ?? last
      place.elapsed = seconds
      return place
    case .meters(let meters):
      let next = path.indices.partitionPoint { path[$0].walked < meters }
      guard next > path.startIndex else { return nil }
      return position.place(from: path[next - 1], to: next < path.endIndex ? path[next] : last)
    }
  }
}
