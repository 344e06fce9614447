import FaketrackSupport
import Geodesy

/// A position along a track.
///
/// Positions count from the start of the track, or from its end in reverse, even if the replay
/// begins farther along, and keep counting in later laps.
public struct ReplayPosition: Hashable, Sendable, CustomStringConvertible {
  package enum Place: Hashable, Sendable {
    case start, end
    case meters(Double)
    case elapsed(Duration)
  }

  package let place: Place

  /// The start of the replay.
  public static let start = Self(place: .start)
  /// The end of the replay.
  public static let end = Self(place: .end)

  /// This many meters along the track, without gaps; NaN is never reached.
  public static func meters(_ meters: Double) -> Self { Self(place: .meters(meters)) }

  /// This much track time after the start of the track.
  public static func elapsed(_ elapsed: Duration) -> Self { Self(place: .elapsed(elapsed)) }

  /// The position as it is written in code, such as `.meters(500.0)`.
  public var description: String { ".\(place)" }
}

/// The progress of a replay along its track.
package struct TrackProgress: Hashable, Sendable, CustomStringConvertible {
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

  package var description: String {
    "\(DecimalText.fixed(walked, places: 0)) m, \(DecimalText.fixed(elapsed, places: 0)) s"
  }

  func interpolated(to next: TrackProgress, fraction: Double) -> TrackProgress {
    TrackProgress(
      elapsed: elapsed + fraction * (next.elapsed - elapsed),
      walked: walked + fraction * (next.walked - walked))
  }
}

extension ReplayPosition {
  /// Whether this position is before another; false if only the track can tell.
  package func isBefore(_ other: ReplayPosition) -> Bool {
    switch (place, other.place) {
    case (.meters(let meters), .meters(let others)): meters < others
    case (.elapsed(let elapsed), .elapsed(let others)): elapsed < others
    default: false
    }
  }

  /// Whether this position is beyond a place.
  package func isBeyond(distance: Double, elapsed: Double) -> Bool {
    lead(over: TrackProgress(elapsed: elapsed, walked: distance)).map { $0 > 0 } ?? false
  }

  func includes(_ place: TrackProgress) -> Bool {
    switch self.place {
    case .start: place.elapsed <= 0
    case .meters(let meters): place.walked <= meters
    case .elapsed(let limit): place.elapsed <= limit.seconds
    case .end: true
    }
  }

  func isReached(at place: TrackProgress) -> Bool {
    switch self.place {
    case .start: true
    case .meters(let meters): place.walked >= meters
    case .elapsed(let limit): place.elapsed >= limit.seconds
    case .end: false
    }
  }

  /// The meters or seconds from a place to this position, negative if the place is beyond it; `nil`
  /// for the end.
  func lead(over place: TrackProgress) -> Double? {
    switch self.place {
    case .start: -place.elapsed
    case .meters(let meters): meters - place.walked
    case .elapsed(let elapsed): elapsed.seconds - place.elapsed
    case .end: nil
    }
  }

  /// The fraction of the way between two places at which this position is, 0 if it is before the
  /// first, `nil` if it is after the second.
  func fraction(from place: TrackProgress, to next: TrackProgress) -> Double? {
    switch self.place {
    case .start: 0
    case .meters(let meters): meters.fraction(from: place.walked, to: next.walked)
    case .elapsed(let elapsed): elapsed.seconds.fraction(from: place.elapsed, to: next.elapsed)
    case .end: nil
    }
  }
}

extension ReplayPosition {
  /// The place of this position between two places, exact in its own measure; `nil` if it is after the
  /// second.
  func place(from last: TrackProgress, to next: TrackProgress) -> TrackProgress? {
    fraction(from: last, to: next).map { fraction in
      var place = last.interpolated(to: next, fraction: fraction)
      switch self.place {
      case .meters(let meters): place.walked = max(meters, last.walked)
      case .elapsed(let time): place.elapsed = max(time.seconds, last.elapsed)
      case .start, .end: break
      }
      return place
    }
  }
}

extension Double {
  func fraction(from start: Double, to end: Double) -> Double? {
    if self <= start { return 0 }
    return self <= end ? (self - start) / (end - start) : nil
  }
}
