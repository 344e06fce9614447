/// A place on a track.
///
/// Places count from the start of the track as it is walked, its end if it is walked backwards,
/// wherever on it the walk begins. Further laps go on counting from the first.
public enum ReplayPosition: Hashable, Sendable {
  /// So many metres along the track; gaps between segments add nothing.
  case meters(Double)
  /// So much track time after the start.
  case elapsed(Duration)
  /// The end of the walk.
  case end
}

extension ReplayPosition {
  /// Whether a place lies before this position or right at it.
  func includes(_ place: WalkPlace) -> Bool {
    switch self {
    case .meters(let meters): place.walked <= meters
    case .elapsed(let limit): place.elapsed <= limit.seconds
    case .end: true
    }
  }

  /// Whether a place lies at this position or after it.
  func isReached(at place: WalkPlace) -> Bool {
    switch self {
    case .meters(let meters): place.walked >= meters
    case .elapsed(let limit): place.elapsed >= limit.seconds
    case .end: false
    }
  }

  /// How far along the way between two places the position lies, 0 ... 1: at the start if it lies
  /// before that; `nil` beyond the way.
  func share(from place: WalkPlace, to next: WalkPlace) -> Double? {
    switch self {
    case .meters(let meters): meters.share(from: place.walked, to: next.walked)
    case .elapsed(let elapsed): elapsed.seconds.share(from: place.elapsed, to: next.elapsed)
    case .end: nil
    }
  }
}

extension Double {
  /// Where the number lies between two, 0 ... 1: 0 if below; `nil` if above.
  func share(from start: Double, to end: Double) -> Double? {
    if self <= start { return 0 }
    return self <= end ? (self - start) / (end - start) : nil
  }
}
