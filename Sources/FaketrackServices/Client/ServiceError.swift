import FaketrackSupport

/// The failure of a call to a service after all attempts.
package struct ServiceError: Error, Hashable, Sendable {
  package typealias Reason = ServiceFailureReason

  package let service: String
  package let reason: Reason
  /// A short single line without control characters or secrets.
  package let message: String
  /// The number of requests; 0 if the call failed without one.
  package let attempts: Int

  package init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    self.service = service
    self.reason = reason
    self.message = message.shortLine(limit: 160)
    self.attempts = attempts
  }

  package var isKeyRejected: Bool {
    if case .keyRejected = reason { true } else { false }
  }

  package var isUnreachable: Bool { reason == .unreachable }

  func after(attempts: Int) -> ServiceError {
    ServiceError(service: service, reason: reason, message: message, attempts: attempts)
  }

  func adding(_ text: String) -> ServiceError {
    ServiceError(
      service: service, reason: reason, message: message.isEmpty ? text : "\(message); \(text)",
      attempts: attempts)
  }
}

/// The kinds of failure of a service.
public enum ServiceFailureReason: Hashable, Sendable {
  /// There was no connection, it was lost, or the response did not arrive in time.
  case unreachable
  /// The server's certificate is not trusted, so that no connection was made.
  case untrusted
  /// The HTTP status is not one of success.
  case status(Int)
  /// The service refused, with its own error code.
  case refused(code: String)
  /// The service rejected the key; no call with it can succeed.
  case keyRejected(code: String)
  /// The response is not the expected document.
  case brokenAnswer
  /// The response exceeds the maximum size, in bytes.
  case tooLarge(limit: Int)
  /// The address cannot be used.
  case unusableAddress

  /// Whether a later call is likely to succeed.
  var isTemporary: Bool {
    switch self {
    case .unreachable, .brokenAnswer: true
    case .status(let status): status == 429 || (500..<600).contains(status)
    case .untrusted, .refused, .keyRejected, .tooLarge, .unusableAddress: false
    }
  }
}

extension ServiceError: CustomStringConvertible {
  package var description: String {
    let outcome =
      switch reason {
      case .unreachable, .untrusted: "cannot be reached: \(message)"
      case .status(let status): "answered HTTP \(status)\(message.isEmpty ? "" : ": \(message)")"
      case .refused(let code): "refused (\(code)): \(message)"
      case .keyRejected(let code): "rejected the key (\(code)): \(message)"
      case .brokenAnswer: "sent an unusable answer: \(message)"
      case .tooLarge(let limit): "sent more than \(limit) bytes"
      case .unusableAddress: "cannot be asked: \(message)"
      }
    return attempts > 1 ? "\(service) \(outcome) (\(attempts) attempts)" : "\(service) \(outcome)"
  }
}
