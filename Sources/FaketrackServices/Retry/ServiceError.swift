import FaketrackSupport

/// Why a service gave no usable answer, after all retries.
package struct ServiceError: Error, Hashable, Sendable {
  package typealias Reason = ServiceFailureReason

  /// The service's name as people know it.
  package let service: String
  package let reason: Reason
  /// What happened, on one short line without control characters and secrets.
  package let message: String
  /// How often the service was asked; 0 if it was clear beforehand that no call can succeed.
  package let attempts: Int

  /// Creates an error; the message is shortened and cleaned of control characters.
  package init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    self.service = service
    self.reason = reason
    self.message = message.shortLine(limit: 160)
    self.attempts = attempts
  }

  /// Whether the key was rejected, so that no call with it can succeed.
  package var isKeyRejected: Bool {
    if case .keyRejected = reason { true } else { false }
  }

  /// Whether the service could not be reached at all.
  package var isUnreachable: Bool { reason == .unreachable }

  /// The same error after another number of attempts.
  func after(attempts: Int) -> ServiceError {
    ServiceError(service: service, reason: reason, message: message, attempts: attempts)
  }

  /// The same error with one more thing to say.
  func adding(_ complaint: String) -> ServiceError {
    ServiceError(
      service: service, reason: reason,
      message: message.isEmpty ? complaint : "\(message); \(complaint)", attempts: attempts)
  }
}

/// The kinds of failure of a service.
public enum ServiceFailureReason: Hashable, Sendable {
  /// There was no connection, or it broke, or the response did not arrive in time.
  case unreachable
  /// The response had an HTTP status that stands for a failure.
  case status(Int)
  /// The service refused, with an error code of its own.
  case refused(code: String)
  /// The service does not accept the key: no call with it can succeed.
  case keyRejected(code: String)
  /// The response is not what was asked for.
  case brokenAnswer
  /// The response is larger than allowed, in bytes.
  case tooLarge(limit: Int)
  /// The address cannot be used.
  case unusableAddress
}

extension ServiceError: CustomStringConvertible {
  package var description: String {
    let what =
      switch reason {
      case .unreachable: "cannot be reached: \(message)"
      case .status(let status): "answered HTTP \(status)\(message.isEmpty ? "" : ": \(message)")"
      case .refused(let code): "refused (\(code)): \(message)"
      case .keyRejected(let code): "rejected the key (\(code)): \(message)"
      case .brokenAnswer: "sent an unusable answer: \(message)"
      case .tooLarge(let limit): "sent more than \(limit) bytes"
      case .unusableAddress: "cannot be asked: \(message)"
      }
    return attempts > 1 ? "\(service) \(what) (\(attempts) attempts)" : "\(service) \(what)"
  }
}

/// What is wrong with a response, as found by the code that decodes it.
///
/// Any other error thrown while decoding counts as ``broken(_:)``.
package enum ServiceFault: Error, Hashable, Sendable {
  /// Not what was asked for, or cut off; worth a retry.
  case broken(String)
  /// The service says that it cannot answer now; worth a retry.
  case unavailable(code: String, message: String)
  /// The service refuses; a retry is useless.
  case refused(code: String, message: String)
  /// The service does not accept the key; every further call is useless.
  case keyRejected(code: String, message: String)
}

extension ServiceError.Reason {
  /// Whether the service is likely to answer at another time.
  var isTemporary: Bool {
    switch self {
    case .unreachable, .brokenAnswer: true
    case .status(let status): status == 429 || (500..<600).contains(status)
    case .refused, .keyRejected, .tooLarge, .unusableAddress: false
    }
  }
}
