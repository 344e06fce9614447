import Foundation
import Geodesy

/// The parts of a track that a replay could not use as they were recorded.
///
/// The way to a fix with an unusable time takes as long as walking it at
/// ``ReplayOptions/walkingSpeed``, except that up to twenty fixes with the same time share one
/// second, because many recorders write whole seconds. After an earlier time, all times are moved
/// so that they go on ascending.
public struct UnusableTimes: Hashable, Sendable {
  /// The meters beyond which a leg with times is a jump.
  package static let jump = 5_000.0

  /// Fixes without a time.
  public var missing: Int
  /// Fixes with the same time as the one before.
  public var repeated: Int
  /// Fixes with an earlier time than the one before.
  public var backward: Int
  /// Legs with times and a length of more than 5 km, between whose ends no fixes are added.
  public var jumps: Int

  /// Creates the counts.
  public init(missing: Int = 0, repeated: Int = 0, backward: Int = 0, jumps: Int = 0) {
    self.missing = missing
    self.repeated = repeated
    self.backward = backward
    self.jumps = jumps
  }
}

/// Measures the progress of each fix along its track, in meters and in seconds of track time.
///
/// Meters count along the fixes of a segment. Seconds follow the recorded times while these
/// advance, also between segments. Any other step takes as long as walking it, or no time between
/// segments. If that is longer than the recording says, the track time waits for the recorded
/// times.
package struct Odometer {
  /// Fast receivers work at 20 Hz. With more fixes in a second, the clock has stopped.
  static let mostInOneSecond = 20
  /// The speed in meters per second below which a step is a pause.
  private static let pauseSpeed = 0.3
  /// The meters within which a pause may be recorded as many steps, and the seconds after which it
  /// is one.
  private static let stop = (reach: 10.0, seconds: 10 / pauseSpeed)

  /// The time that later times are compared with.
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
  /// The seconds to add to recorded times, so that they ascend and follow shortened pauses.
  package private(set) var timeShift = 0.0
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
    let walkedTo = progress.elapsed + step / walkingSpeed
    guard let time = fix.time?.timeIntervalSinceReferenceDate else {
      unusableTimes.missing += 1
      progress.elapsed = walkedTo
      return
    }
    guard let anchor else {
      progress.elapsed = walkedTo
      anchor = Anchor(time: time, elapsed: walkedTo)
      rest = (fix.coordinate, 0)
      return
    }
    switch TimeStep(seconds: time - anchor.time) {
    case .advance(let recorded):
      var seconds = recorded
      if maximumPause < .infinity {
        seconds = shortened(recorded, step: isGap ? nil : step, to: fix.coordinate)
        timeShift += seconds - recorded
      }
      let elapsed = anchor.elapsed + seconds
      progress.elapsed = max(progress.elapsed, elapsed)
      self.anchor = Anchor(time: time, elapsed: elapsed, hasAdvanced: true)
    case .repeated:
      unusableTimes.repeated += 1
      self.anchor?.repeats += 1
      let isWithinSecond = anchor.hasAdvanced && anchor.repeats + 1 < Self.mostInOneSecond
      progress.elapsed =
        isWithinSecond ? max(progress.elapsed, min(walkedTo, anchor.elapsed + 1)) : walkedTo
    case .backward:
      unusableTimes.backward += 1
      timeShift += anchor.time - time + walkedTo - anchor.elapsed
      progress.elapsed = walkedTo
      self.anchor = Anchor(time: time, elapsed: walkedTo, hasAdvanced: anchor.hasAdvanced)
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
