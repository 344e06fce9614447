/// Decides when calls to a service wait or fail without a request. Times are readings of the client's
/// clock.
struct CircuitBreaker {
  /// The time without a response before calls fail, and then the time in which they fail: long enough for
  /// all locations of a track at full speed, short enough for a manual retry.
  private static let timeout: Duration = .seconds(10)

  private var keyRejection: ServiceError?
  private var lastResponse: Duration?
  private var timeoutError: ServiceError?
  private var timeoutEnd: Duration = .zero
  private var pauseEnd: Duration = .zero
  /// The length of all pauses since the last usable answer.
  private var totalPause: Duration = .zero
  private var pauseError: ServiceError?

  /// Returns the error of calls at this time, or `nil` if they may be made after ``pause(at:)``.
  mutating func error(at now: Duration) -> ServiceError? {
    if pauseError != nil, now >= pauseEnd { noteUsableAnswer() }
    return keyRejection ?? (now < timeoutEnd ? timeoutError : nil) ?? pauseError
  }

  func pause(at now: Duration) -> Duration {
    max(.zero, pauseEnd - now)
  }

  mutating func rejectKey(_ error: ServiceError) {
    keyRejection = error
  }

  mutating func noteResponse(at now: Duration) {
    lastResponse = now
    timeoutError = nil
  }

  mutating func noteUsableAnswer() {
    totalPause = .zero
    pauseError = nil
  }

  /// Fails the next calls if the service has not responded to any call since `start`.
  mutating func noteTimeout(_ error: ServiceError, at now: Duration, since start: Duration) {
    let hasResponded = lastResponse.map { $0 >= start } ?? false
    guard !hasResponded, now - start >= Self.timeout else { return }
    timeoutEnd = now + Self.timeout
    timeoutError = error
  }

  /// Pauses calls from now on, unless a longer pause is in effect; returns an error if the pauses are too
  /// long to wait for.
  mutating func pause(
    _ duration: Duration, from now: Duration, because error: ServiceError
  ) -> ServiceError? {
    if now + duration > pauseEnd {
      totalPause += now + duration - max(now, pauseEnd)
      pauseEnd = now + duration
      if totalPause > RetryAfter.maximum {
        pauseError = error.adding(
          duration > RetryAfter.maximum
            ? "it asks for a pause of \(Self.text(duration))"
            : "it asks for one pause after another, \(Self.text(totalPause)) in all")
      }
    }
    return pauseError
  }

  private static func text(_ pause: Duration) -> String {
    let seconds = pause.components.seconds
    return seconds < 31_536_000 ? "\(seconds) seconds" : "more than a year"
  }
}
