/// The time in which nothing came from a service. Times are readings of the client's clock.
struct Silence {
  private var lastAnswer: Duration?
  private var end: Duration = .zero
  private var error: ServiceError?

  /// Why calls fail without a request, or `nil` if they are made.
  func error(at now: Duration) -> ServiceError? {
    now < end ? error : nil
  }

  /// Takes note of a response, whatever it is.
  mutating func endWithAnswer(at now: Duration) {
    lastAnswer = now
    error = nil
  }

  /// Takes note of a response that has not come in time.
  ///
  /// - Parameter start: when its call began. Any answer since then, even a useless one, shows that the
  ///   service is not silent.
  mutating func begin(at now: Duration, since start: Duration, with failure: ServiceError) {
    if let lastAnswer, lastAnswer >= start { return }
    guard now - start >= Self.length else { return }
    end = now + Self.length
    error = failure
  }

  /// How long nothing has to have come, and how long no request is sent then: so long that the locations
  /// of a walk at full speed all get there, and so short that who tries again by hand is not refused.
  private static let length: Duration = .seconds(10)
}
