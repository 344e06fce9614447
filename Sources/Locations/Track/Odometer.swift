import FaketrackSupport
import Foundation
import Geodesy

/// Measures the progress of each fix along its track, in meters and in seconds of track time.
///
/// Meters count along the fixes of a segment. Seconds follow the recorded times while these
/// advance, also between segments, and wait while they are behind the latest one. A step to a fix
/// without a usable time, or with one that begins a new line, takes as long as walking it, or going at
/// the pace before, or no time between segments. If that is longer than the recording says, the track time waits for the
/// recorded times.
package struct Odometer {
  /// Fast receivers work at 20 Hz. With more fixes in a second, the clock has stopped.
  static let mostInOneSecond = 20
  /// Two times are the same up to this many seconds.
  private static let leastStep = 0.0005
  /// The speed in meters per second below which a step is a pause.
  private static let pauseSpeed = 0.3
  /// The meters within which a pause may be recorded as many steps, and the seconds after which it
  /// is one.
  private static let stop = (reach: 10.0, seconds: 10 / pauseSpeed)

  /// The latest time of the line of times.
  private struct Anchor {
    var time: Double
    /// The track time at `time`.
    var elapsed: Double
    /// The number of fixes after the first that have repeated the time.
    var repeats = 0
    /// Whether any time so far was later than the one before.
    var hasAdvanced = false
  }

  /// Meters per second, above 0.
  let walkingSpeed: Double
  /// The longest pause in seconds; infinite if pauses are kept.
  let maximumPause: Double
  package private(set) var progress = TrackProgress()
  /// The seconds to add to recorded times, so that they follow shortened pauses.
  package private(set) var timeShift = 0.0
  /// A number that changes where a new line of times begins, and where a pause was shortened: across
  /// such a place, the difference of two recorded times is not the track time between them.
  private(set) var clock = 0
  /// The speed of the last step with usable times, in meters per second.
  private var pace = 0.0
  var unusableTimes = UnusableTimes()
  private var previous: (coordinate: Coordinate, segment: Int)?
  private var anchor: Anchor?
  /// The position of the current stop, and the seconds spent within reach of it.
  private var rest: (coordinate: Coordinate, seconds: Double)?

  package init(walkingSpeed: Double, maximumPause: Duration? = nil) {
    self.walkingSpeed = walkingSpeed
    self.maximumPause = maximumPause?.seconds ?? .infinity
  }

  package mutating func advance(to fix: Fix) {
    var step = 0.0
    let isGap = previous?.segment != fix.segment
    if let previous, !isGap {
      step = previous.coordinate.distance(to: fix.coordinate)
      progress.walked += step
    }
    previous = (fix.coordinate, fix.segment)
    let verdict = fix.origin.verdict
    // A bad time must not delay the good ones after it.
    let speed = verdict == .outOfLine ? max(walkingSpeed, pace) : walkingSpeed
    let walkedTo = progress.elapsed + step / speed
    unusableTimes.count(fix)
    guard let time = fix.time?.timeIntervalSinceReferenceDate else {
      progress.elapsed = walkedTo
      return
    }
    guard let anchor, !verdict.beginsLine else {
      progress.elapsed = walkedTo
      if anchor != nil { clock += 1 }
      anchor = Anchor(time: time, elapsed: walkedTo, hasAdvanced: anchor?.hasAdvanced ?? false)
      rest = (fix.coordinate, 0)
      return
    }
    let recorded = time - anchor.time
    if recorded >= Self.leastStep {
      var seconds = recorded
      if maximumPause < .infinity {
        seconds = shortened(recorded, step: isGap ? nil : step, to: fix.coordinate)
        if seconds != recorded { clock += 1 }
        timeShift += seconds - recorded
      }
      pace = step / recorded
      let elapsed = anchor.elapsed + seconds
      progress.elapsed = max(progress.elapsed, elapsed)
      self.anchor = Anchor(time: time, elapsed: elapsed, hasAdvanced: true)
    } else if recorded > -Self.leastStep {
      unusableTimes.repeated += 1
      self.anchor?.repeats += 1
      let isWithinSecond = anchor.hasAdvanced && anchor.repeats + 1 < Self.mostInOneSecond
      progress.elapsed =
        isWithinSecond ? max(progress.elapsed, min(walkedTo, anchor.elapsed + 1)) : walkedTo
    }
  }

  /// The seconds of a step without those beyond the longest pause.
  ///
  /// - Parameter step: the length in meters; `nil` between segments.
  private mutating func shortened(
    _ seconds: Double, step: Double?, to coordinate: Coordinate
  ) -> Double {
    let isPause = step.map { $0 < Self.pauseSpeed * seconds } ?? true
    let isLong = isPause && seconds > maximumPause
    guard !isLong, step != nil, let rest,
      rest.coordinate.distance(to: coordinate) < Self.stop.reach
    else {
      rest = (coordinate, 0)
      return isLong ? maximumPause : seconds
    }
    let left = max(0, max(maximumPause, Self.stop.seconds) - rest.seconds)
    self.rest?.seconds += seconds
    return min(seconds, left)
  }
}
