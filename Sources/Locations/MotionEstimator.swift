import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Speed and course over ground out of the last few seconds of a track, for fixes that do not
/// bring their own.
struct MotionEstimator {
  private struct Sample {
    let coordinate: Coordinate
    let place: WalkPlace
    let time: Date?
  }

  /// Seconds of track that an estimate looks back on, if the fixes are that close.
  static let window = 5.0
  /// Metres below which a movement has no direction: a standing receiver's noise.
  static let smallestMovement = 1.0

  private var samples: [Sample] = []
  private var piece = (lap: 0, segment: 0)

  /// Takes in the next fix of the track. O(n), n being the fixes within the window.
  mutating func record(_ placed: PlacedFix) {
    let piece = (placed.lap, placed.fix.segment)
    if piece != self.piece {
      self.piece = piece
      samples.removeAll(keepingCapacity: true)
    }
    let outdated = samples.lastIndex { placed.place.elapsed - $0.place.elapsed >= Self.window } ?? 0
    if outdated > 0 { samples.removeFirst(outdated) }
    samples.append(
      Sample(coordinate: placed.fix.coordinate, place: placed.place, time: placed.fix.time))
  }

  /// Metres per second over the window, or `nil` at the start of a segment.
  var speed: Double? {
    guard let first = samples.first?.place, let last = samples.last?.place,
      last.elapsed > first.elapsed
    else { return nil }
    return (last.walked - first.walked) / (last.elapsed - first.elapsed)
  }

  /// Whether the recorded times set the pace over the window, within the second that recorders
  /// round to. Where they do not, the speed is the one that was assumed for the walk.
  var hasRecordedPace: Bool {
    guard let first = samples.first, let last = samples.last,
      let recorded = first.time.flatMap({ last.time?.timeIntervalSince($0) })
    else { return false }
    return recorded > 0 && abs(recorded - (last.place.elapsed - first.place.elapsed)) <= 1
  }

  /// Degrees from true north over the window, or `nil` where there is no movement to tell.
  var course: Double? {
    guard let first = samples.first, let last = samples.last,
      first.coordinate.distance(to: last.coordinate) >= Self.smallestMovement
    else { return nil }
    return first.coordinate.bearing(to: last.coordinate)
  }
}
