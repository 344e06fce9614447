import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A fix and its progress along the replay.
struct TrackFix {
  var fix: Fix
  var progress: TrackProgress
  /// The number of laps completed before.
  var lap = 0
}

/// Plays a track with its options: recorded fixes in, the fixes of the replay out.
///
/// Interpolated fixes are computed one by one as they are taken, because two recorded fixes that are
/// far apart can have millions of them in between.
struct TrackPlayer {
  enum Step {
    /// The next fix of the replay.
    case fix(TrackFix)
    /// A fix that is not part of the replay, because it comes before its start or ends it.
    case skipped
    /// Everything up to the last recorded fix has been played.
    case needsFix
  }

  /// A recorded fix and its place on the track, in the current lap.
  private typealias Recorded = (fix: Fix, progress: TrackProgress)

  /// Seconds between the last fix of a lap and the first one of the next.
  private static let lapBreak = 1.0
  /// The largest whole number up to which adding 1 always gives another number.
  private static let largestMultiple = 0x1p53

  private let options: ReplayOptions
  private let interval: Double?
  private var odometer: Odometer
  /// The last recorded fix, and whether everything up to it has been played.
  private var current: Recorded?
  private var hasPlayedCurrent = false
  /// The recorded fix before it, if fixes are interpolated.
  private var previous: Recorded?
  /// The first multiple of the interval that has not been played yet.
  private var multiple = 0.0
  /// The progress that the current lap adds to that on the track.
  private var base: TrackProgress?
  /// The seconds by which the times of the current lap are shifted, so that they follow those of the
  /// previous lap.
  private var timeShift: Double?
  /// The latest time of the replay so far and its track time.
  private var newest: (time: Date, elapsed: Double)?
  /// The progress of the last fix that was played.
  private var played: TrackProgress?
  private var lap = 0
  /// Whether the track reaches the start of the replay.
  private(set) var hasReachedStart = false
  /// Whether the replay ends before the rest of the track.
  private(set) var isPastEnd = false

  init(_ options: ReplayOptions) {
    self.options = options
    interval = options.interval.map(\.seconds)
    odometer = Odometer(walkingSpeed: options.walkingSpeed)
  }

  /// The progress of the last fix that was played.
  var progress: TrackProgress { played ?? TrackProgress() }

  var hasPlayed: Bool { played != nil }
  var hasTrack: Bool { current != nil }

  /// The progress of the last recorded fix, in the current lap.
  var trackEnd: TrackProgress { odometer.progress }

  /// The times that could not be used in the current lap.
  var unusableTimes: UnusableTimes { odometer.unusableTimes }

  /// Starts the track again from its beginning.
  mutating func beginLap() {
    lap += 1
    odometer = Odometer(walkingSpeed: options.walkingSpeed)
    current = nil
    previous = nil
    multiple = 0
    base = nil
    timeShift = nil
    isPastEnd = false
  }

  /// Takes the next recorded fix; ``next()`` then returns the fixes that it adds to the replay.
  mutating func advance(to fix: Fix) {
    odometer.advance(to: fix)
    let here = odometer.progress
    hasReachedStart = hasReachedStart || (options.start?.isReached(at: here) ?? true)
    if let interval {
      previous = current
      let isGap = previous.map { $0.fix.segment != fix.segment } ?? true
      if isGap { multiple = max(multiple, (here.elapsed / interval).rounded(.up)) }
    }
    current = (fix, here)
    hasPlayedCurrent = false
  }

  /// Plays the next fix on the way to the last recorded one. O(1).
  mutating func next() -> Step {
    guard let current, !hasPlayedCurrent, !isPastEnd else { return .needsFix }
    guard let interval else {
      hasPlayedCurrent = true
      return play(current.fix, at: current.progress)
    }
    let due = multiple * interval
    guard due <= current.progress.elapsed, multiple < Self.largestMultiple else {
      hasPlayedCurrent = true
      return .needsFix
    }
    multiple += 1
    if due == current.progress.elapsed { return play(current.fix, at: current.progress) }
    guard let previous else { return .skipped }
    let duration = current.progress.elapsed - previous.progress.elapsed
    let fraction = (due - previous.progress.elapsed) / duration
    var place = previous.progress.interpolated(to: current.progress, fraction: fraction)
    place.elapsed = due
    guard isIncluded(place) else { return .skipped }
    return play(previous.fix.interpolated(to: current.fix, fraction: fraction), at: place)
  }

  private mutating func play(_ fix: Fix, at place: TrackProgress) -> Step {
    guard isIncluded(place) else { return .skipped }
    // The first lap counts from the start of the track, later ones from the end of the previous lap.
    let base =
      base
      ?? self.played.map { last in
        TrackProgress(
          elapsed: last.elapsed + Self.lapBreak - place.elapsed,
          walked: last.walked - place.walked)
      } ?? TrackProgress()
    self.base = base
    var played = TrackFix(
      fix: fix,
      progress: TrackProgress(
        elapsed: base.elapsed + place.elapsed, walked: base.walked + place.walked),
      lap: lap)
    played.fix.distance = played.progress.walked
    if let recorded = fix.time {
      // The first time of a lap sets the shift.
      let elapsed = played.progress.elapsed
      let shift =
        timeShift ?? newest.map { $0.time.timeIntervalSince(recorded) + elapsed - $0.elapsed } ?? 0
      timeShift = shift
      let time = recorded.addingTimeInterval(shift)
      played.fix.time = time
      if time > newest?.time ?? .distantPast { newest = (time, elapsed) }
    }
    self.played = played.progress
    return .fix(played)
  }

  /// Whether a place on the track is part of the replay; the first one beyond its end ends the lap.
  private mutating func isIncluded(_ place: TrackProgress) -> Bool {
    if let start = options.start, !start.isReached(at: place) { return false }
    isPastEnd = !options.end.includes(place)
    return !isPastEnd
  }
}

extension Fix {
  /// The fix at a fraction of the way to another one, along the geodesic.
  ///
  /// Time, elevation and accuracy are interpolated linearly and unknown if either end's is. The time
  /// is also unknown if it goes back or jumps. Speed and course are left to be estimated.
  func interpolated(to next: Fix, fraction: Double) -> Fix {
    func between(_ start: Double?, _ end: Double?) -> Double? {
      guard let start, let end else { return nil }
      return start + fraction * (end - start)
    }
    let time: Date? = time.flatMap { start in
      guard let duration = next.time?.timeIntervalSince(start),
        (0...TimeStep.longestPause).contains(duration)
      else { return nil }
      return start.addingTimeInterval(fraction * duration)
    }
    return Fix(
      coordinate.interpolated(to: next.coordinate, fraction: fraction), time: time,
      elevation: between(elevation, next.elevation),
      horizontalAccuracy: between(horizontalAccuracy, next.horizontalAccuracy),
      segment: next.segment)
  }
}
