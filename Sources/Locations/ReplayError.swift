/// Why a track cannot be replayed as asked.
public enum ReplayError: Error, Hashable, Sendable {
  /// The walk was to begin beyond the end of the track, which is `length` metres long and takes
  /// `duration`.
  case startBeyondEnd(length: Double, duration: Duration)
}

extension ReplayError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .startBeyondEnd(let length, let duration):
      let (meters, seconds) = (Int(length.rounded()), Int(duration.seconds.rounded()))
      return
        "the start lies beyond the end of the track, which is \(meters) m and \(seconds) s long"
    }
  }
}
