/// The pauses that a service asks for with `Retry-After`. Times are readings of the client's clock.
struct Pauses {
  /// The time before which no request is sent.
  private var end: Duration = .zero
  /// How long the service has had its calls paused since its last usable answer.
  private var total: Duration = .zero
  /// Why the pause is not waited for, if that is too long.
  private var error: ServiceError?

  /// How much is left of the pause.
  func rest(at now: Duration) -> Duration {
    max(.zero, end - now)
  }

  /// Why calls fail instead of waiting, or `nil` if they wait.
  mutating func error(at now: Duration) -> ServiceError? {
    if error != nil, now >= end { clear() }
    return error
  }

  /// Adds a pause from now on, unless there is a longer one already.
  ///
  /// - Parameters:
  ///   - longest: how long the pauses may be in all.
  ///   - failure: what the service answered when it asked for the pause.
  mutating func add(
    _ pause: Duration, from now: Duration, upTo longest: Duration, because failure: ServiceError
  ) {
    guard now + pause > end else { return }
    total += now + pause - max(now, end)
    end = now + pause
    guard total > longest else { return }
    error = failure.adding(
      pause > longest
        ? "it asks for a pause of \(Self.words(for: pause))"
        : "it asks for one pause after another, \(Self.words(for: total)) in all")
  }

  private static func words(for pause: Duration) -> String {
    let seconds = pause.components.seconds
    return seconds < 31_536_000 ? "\(seconds) seconds" : "more than a year"
  }

  /// Forgets how long the pauses were: the service has given a usable answer.
  mutating func clear() {
    total = .zero
    error = nil
  }
}
