/// The step from the last known time of a track to the recorded time of a fix, which may be unusable.
package enum TimeStep: Hashable, Sendable {
  /// The track continues this many seconds later; only such a time can be used.
  case advance(Double)
  /// The same time again, to the millisecond.
  case repeated
  /// An earlier time.
  case backward
  /// More than ``longestPause`` later.
  case jump

  /// The longest time between two fixes in seconds; after a longer one the recorder is assumed to
  /// have been switched off.
  package static let longestPause = 6.0 * 3_600

  /// - Parameter seconds: the time since the last known time.
  package init(seconds: Double) {
    if abs(seconds) < 0.0005 {
      self = .repeated
    } else if seconds < 0 {
      self = .backward
    } else {
      self = seconds > Self.longestPause ? .jump : .advance(seconds)
    }
  }
}
