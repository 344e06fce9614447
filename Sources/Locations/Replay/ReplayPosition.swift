/// A position along a track.
///
/// Positions count from the start of the track, or from its end in reverse, even if the replay
/// begins farther along, and keep counting in later laps.
public enum ReplayPosition: Hashable, Sendable {
  /// This many meters along the track, without gaps; NaN is never reached.
  case meters(Double)
  /// This much track time after the start.
  case elapsed(Duration)
  /// The end of the replay.
  case end
}

/// The progress of a replay along its track.
package struct TrackProgress: Hashable, Sendable {
  /// Seconds of track time since the start of the track.
  package var elapsed = 0.0
  /// Meters since the start of the track.
  package var walked = 0.0

  enum Measure {
    case elapsed, walked
  }

  subscript(measure: Measure) -> Double {
    get {
      switch measure {
      case .elapsed: elapsed
      case .walked: walked
      }
    }
    set {
      switch measure {
      case .elapsed: elapsed = newValue
      case .walked: walked = newValue
      }
    }
  }

  func interpolated(to next: TrackProgress, fraction: Double) -> TrackProgress {
    TrackProgress(
      elapsed: elapsed + fraction * (next.elapsed - elapsed),
      walked: walked + fraction * (next.walked - walked))
  }
}

extension ReplayPosition {
  func includes(_ place: TrackProgress) -> Bool {
    switch self {
    case .meters(let meters): place.walked <= meters
    case .elapsed(let limit): place.elapsed <= limit.seconds
    case .end: true
    }
  }

  func isReached(at place: TrackProgress) -> Bool {
    switch self {
    case .meters(let meters): place.walked >= meters
    case .elapsed(let limit): place.elapsed >= limit.seconds
    case .end: false
    }
  }

  /// The fraction of the way between two places at which this position is, 0 if it is before the
  /// first, `nil` if it is after the second.
  func fraction(from place: TrackProgress, to next: TrackProgress) -> Double? {
    switch self {
    case .meters(let meters): meters.fraction(from: place.walked, to: next.walked)
    case .elapsed(let elapsed): elapsed.seconds.fraction(from: place.elapsed, to: next.elapsed)
    case .end: nil
    }
  }
}

extension Double {
  func fraction(from start: Double, to end: Double) -> Double? {
    if self <= start { return 0 }
    return self <= end ? (self - start) / (end - start) : nil
  }
}

extension Duration {
  /// The nearest duration to a number of seconds, zero for NaN; `Duration.seconds(_:)` would trap.
  package static func seconds(clamping seconds: Double) -> Duration {
    let limit = 1e20
    return seconds.isNaN ? .zero : .seconds(Swift.min(Swift.max(seconds, -limit), limit))
  }

  /// The duration in seconds, exact to a nanosecond within a century.
  package var seconds: Double {
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    return Double(seconds) + Double(rest) * 1e-18
  }
}
