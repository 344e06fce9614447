import Foundation
import Geodesy

/// The number of fixes of a track with a time that could not be used.
///
/// The way to such a fix takes as long as walking it at ``ReplayOptions/walkingSpeed``, except that
/// up to twenty fixes with the same time share one second, because many recorders write whole
/// seconds.
public struct UnusableTimes: Hashable, Sendable {
  /// Fixes without a time.
  public var missing: Int
  /// Fixes with the same time as the one before.
  public var repeated: Int
  /// Fixes with an earlier time than the one before.
  public var backward: Int
  /// Fixes with a time more than six hours after the one before.
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
/// advance; any other step takes as long as walking it. If that is longer than the recording says,
/// the track time waits for the recorded times.
package struct Odometer {
  /// Fast receivers work at 20 Hz. With more fixes in a second, the clock has stopped.
  static let mostInOneSecond = 20

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
  package private(set) var progress = TrackProgress()
  private(set) var unusableTimes = UnusableTimes()
  private var previous: (coordinate: Coordinate, segment: Int)?
  private var anchor: Anchor?

  package init(walkingSpeed: Double) {
    self.walkingSpeed = walkingSpeed
  }

  package mutating func advance(to fix: Fix) {
    let step = previous.map { $0.coordinate.distance(to: fix.coordinate) } ?? 0
    if let previous, previous.segment == fix.segment { progress.walked += step }
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
      return
    }
    let timeStep = TimeStep(seconds: time - anchor.time)
    switch timeStep {
    case .advance(let seconds):
      let elapsed = anchor.elapsed + seconds
      progress.elapsed = max(progress.elapsed, elapsed)
      self.anchor = Anchor(time: time, elapsed: elapsed, hasAdvanced: true)
    case .repeated:
      unusableTimes.repeated += 1
      self.anchor?.repeats += 1
      let isWithinSecond = anchor.hasAdvanced && anchor.repeats + 1 < Self.mostInOneSecond
      progress.elapsed =
        isWithinSecond ? max(progress.elapsed, min(walkedTo, anchor.elapsed + 1)) : walkedTo
    case .backward, .jump:
      if timeStep == .backward { unusableTimes.backward += 1 } else { unusableTimes.jumps += 1 }
      progress.elapsed = walkedTo
      self.anchor = Anchor(time: time, elapsed: walkedTo, hasAdvanced: anchor.hasAdvanced)
    }
  }
}
