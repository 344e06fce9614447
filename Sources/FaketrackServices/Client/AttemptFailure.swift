/// The failure of one attempt of a call: of the transfer, of the status, or one that a decoder found.
package struct AttemptFailure: Error, Hashable, Sendable {
  let reason: ServiceError.Reason
  /// May contain secrets.
  let message: String
  let isRetryable: Bool
  /// Whether the response did not arrive in time, so that the service may be unresponsive.
  let isTimeout: Bool

  /// - Parameter isRetryable: By default, whether the reason is temporary.
  package init(
    _ reason: ServiceError.Reason, _ message: String, isRetryable: Bool? = nil,
    isTimeout: Bool = false
  ) {
    self.reason = reason
    self.message = message
    self.isRetryable = isRetryable ?? reason.isTemporary
    self.isTimeout = isTimeout
  }

  /// - Parameter timeout: The timeout of the call with all attempts.
  init(_ cause: any Error, response: ServiceResponse?, timeout: Duration) {
    switch cause {
    case let failure as AttemptFailure: self = failure
    case HTTPFailure.unreachable(let text): self.init(.unreachable, text)
    case HTTPFailure.untrusted: self.init(.untrusted, "its certificate is not trusted")
    case HTTPFailure.timedOut: self.init(.unreachable, "no answer in time", isTimeout: true)
    case HTTPFailure.overdue:
      self.init(
        .unreachable, "no complete answer within \(timeout.rounded)", isRetryable: false,
        isTimeout: true)
    case HTTPFailure.tooSlow(let bytes, let interval):
      self.init(
        .unreachable, "less than \(bytes >> 10) KB came within \(interval.rounded)",
        isRetryable: false, isTimeout: true)
    case HTTPFailure.redirected(let status, let address, let refusal):
      self.init(.status(status), "it redirects \(Self.text(for: refusal)): \(address)")
    case HTTPFailure.tooLarge(let limit):
      self.init(.tooLarge(limit: limit), "more than \(limit) bytes")
    case HTTPFailure.unusableAddress(let text): self.init(.unusableAddress, text)
    default:
      self.init(.brokenAnswer, response?.decodingFailure(cause) ?? "\(type(of: cause))")
    }
  }

  private static func text(for refusal: HTTPFailure.Refusal) -> String {
    switch refusal {
    case .otherHost: "to another host"
    case .notEncrypted: "without encryption"
    case .notHTTP: "to no web address"
    case .tooMany: "more than five times"
    }
  }
}

extension Duration {
  /// The duration in whole seconds, or in minutes from ten minutes on: `30 s`, `60 min`.
  var rounded: String {
    let seconds = components.seconds
    return seconds < 600 ? "\(seconds) s" : "\(seconds / 60) min"
  }
}
