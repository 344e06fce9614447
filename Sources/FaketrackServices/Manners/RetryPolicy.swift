/// How often a failed call is tried, and after how long.
package struct RetryPolicy: Sendable {
  /// Tries in all, the first included.
  package var attempts: Int
  /// The pause before the second try; it doubles from there.
  package var firstDelay: Duration
  /// How much longer than that a pause may be, as a share of it.
  package var jitter: Double
  /// The longest pause that a service is granted by its `Retry-After`.
  package var longestPause: Duration

  package init(
    attempts: Int = 4, firstDelay: Duration = .milliseconds(250), jitter: Double = 0.25,
    longestPause: Duration = .seconds(60)
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.jitter = jitter
    self.longestPause = longestPause
  }

  /// The pause after the given failed try, counted from 1.
  func delay(after attempt: Int, using generator: inout SplitMix64) -> Duration {
    let doubled = firstDelay * (1 << min(attempt - 1, 16))
    return doubled * (1 + jitter * generator.unit())
  }
}
