import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells how far along a track each of its fixes is, in metres and in seconds of track time.
///
/// Metres count along the fixes, within segments only. Seconds follow the recorded times where
/// these advance; where a time is missing, repeats or goes back, or the next one is more than
/// ``longestPause`` away, the step takes as long as walking it at `walkingSpeed`. Steps that took
/// too long that way are made up for as soon as the times advance again.
struct Odometer {
  /// Seconds between two fixes above which the recorder is taken to have been off.
  static let longestPause = 6.0 * 3_600
  /// Fixes in a row that a recorder of whole seconds gives one time to, at most: fast receivers
  /// work at 20 Hz. More of them mean that its clock stands.
  static let mostInOneSecond = 20

  /// What the recorded times are reckoned from.
  private struct Anchor {
    var time: Double
    /// The track time at `time`.
    var elapsed: Double
    /// Fixes since the first that had this time.
    var repeats = 0
    /// Whether a time has followed an earlier one.
    var hasAdvanced = false
  }

  let walkingSpeed: Double
  /// Where the last fix lies on the track.
  private(set) var place = WalkPlace()
  private var previous: (coordinate: Coordinate, segment: Int)?
  private var anchor: Anchor?

  /// - Parameter walkingSpeed: metres per second, above zero.
  init(walkingSpeed: Double) {
    self.walkingSpeed = walkingSpeed
  }

  /// Moves on to the next fix; ``place`` is its place afterwards.
  mutating func advance(to fix: Fix, faults: inout TimeFaults) {
    let step = previous.map { $0.coordinate.distance(to: fix.coordinate) } ?? 0
    if let previous, previous.segment == fix.segment { place.walked += step }
    previous = (fix.coordinate, fix.segment)
    let walkedTo = place.elapsed + step / walkingSpeed
    guard let time = fix.time?.timeIntervalSinceReferenceDate else {
      faults.missing += 1
      place.elapsed = walkedTo
      return
    }
    switch anchor {
    case let anchor? where time == anchor.time:
      faults.repeated += 1
      place.elapsed = repeatTime(of: anchor, walkedTo: walkedTo)
    case let anchor? where time > anchor.time && time - anchor.time <= Self.longestPause:
      let elapsed = anchor.elapsed + (time - anchor.time)
      place.elapsed = max(place.elapsed, elapsed)
      self.anchor = Anchor(time: time, elapsed: elapsed, hasAdvanced: true)
    case let anchor?:
      if time < anchor.time { faults.backward += 1 } else { faults.jumps += 1 }
      place.elapsed = walkedTo
      self.anchor = Anchor(time: time, elapsed: walkedTo, hasAdvanced: anchor.hasAdvanced)
    case nil:
      place.elapsed = walkedTo
      anchor = Anchor(time: time, elapsed: walkedTo)
    }
  }

  /// A repeated time stands for the same second as long as that may be; then it says nothing.
  private mutating func repeatTime(of anchor: Anchor, walkedTo: Double) -> Double {
    let repeats = anchor.repeats + 1
    self.anchor?.repeats = repeats
    guard anchor.hasAdvanced, repeats < Self.mostInOneSecond else { return walkedTo }
    return max(place.elapsed, min(walkedTo, anchor.elapsed + 1))
  }
}
