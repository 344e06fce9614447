import Foundation
import Geodesy

struct TrackFix {
  var fix: Fix
  var progress: TrackProgress
  /// The number of laps completed before.
  var lap = 0
}

/// Plays a track with its options: recorded fixes in, the fixes of the replay out, one by one,
/// because there can be millions of interpolated ones between two recorded ones.
struct TrackPlayer {
  enum Step {
    case fix(TrackFix)
    case skipped
    /// Everything up to the last recorded fix has been played.
    case needsFix
  }

  typealias Recorded = (fix: Fix, progress: TrackProgress)

  /// Seconds between the last fix of a lap and the first one of the next.
  private static let lapBreak = 1.0
  /// The largest whole number up to which adding 1 always gives another number.
  private static let largestMultiple = 0x1p53

  let options: ReplayOptions
  private let interval: Double?
  private(set) var odometer: Odometer
  /// The last recorded fix, and whether everything up to it has been played.
  private(set) var current: Recorded?
  private var hasPlayedCurrent = false
  private var previous: Recorded?
  /// The first multiple of the interval that has not been played yet.
  private var multiple = 0.0
  /// The progress that the current lap adds to that on the track.
  private var base: TrackProgress?
  /// The seconds by which times are shifted to follow those of the previous lap.
  private var timeShift: Double?
  /// The latest time of the replay so far and its track time.
  private var newest: (time: Date, elapsed: Double)?
  private(set) var played: TrackProgress?
  private var lap = 0
  /// Whether the replay ends before the rest of the track.
  private(set) var isPastEnd = false

  init(_ options: ReplayOptions) {
    self.options = options
    interval = options.interval.map(\.seconds)
    odometer = Odometer(walkingSpeed: options.walkingSpeed)
  }

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

  /// Takes the next recorded fix; ``next()`` then returns the fixes up to it.
  mutating func advance(to fix: Fix) {
    odometer.advance(to: fix)
    let here = odometer.progress
    if let interval {
      previous = current
      let isGap = previous.map { $0.fix.segment != fix.segment } ?? true
      if isGap { multiple = max(multiple, (here.elapsed / interval).rounded(.up)) }
    }
    current = (fix, here)
    hasPlayedCurrent = false
  }

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
    // Later laps count from the end of the previous one.
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
  /// The fix at a fraction of the way to another one, without speed and course. The time is unknown
  /// if it goes back or jumps.
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
