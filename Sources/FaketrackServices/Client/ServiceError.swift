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
    if case .keyRejected = reason.kind { true } else { false }
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
public struct ServiceFailureReason: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case unreachable
    case untrusted
    case status(Int)
    case refused(code: String)
    case keyRejected(code: String)
    case brokenAnswer
    case tooLarge(limit: Int)
    case unusableAddress
  }

  package let kind: Kind

  /// There was no connection, it was lost, or the response did not arrive in time.
  public static let unreachable = Self(kind: .unreachable)
  /// The server's certificate is not trusted, so that no connection was made.
  public static let untrusted = Self(kind: .untrusted)
  /// The HTTP status is not one of success.
  public static func status(_ number: Int) -> Self {
    Self(kind: .status(number))
  }
  /// The service refused, with its own error code.
  public static func refused(code: String) -> Self {
    Self(kind: .refused(code: code))
  }
  /// The service rejected the key; no call with it can succeed.
  public static func keyRejected(code: String) -> Self {
    Self(kind: .keyRejected(code: code))
  }
  /// The response is not the expected document.
  public static let brokenAnswer = Self(kind: .brokenAnswer)
  /// The response exceeds the maximum size, in bytes.
  public static func tooLarge(limit: Int) -> Self {
    Self(kind: .tooLarge(limit: limit))
  }
  /// The address cannot be used.
  public static let unusableAddress = Self(kind: .unusableAddress)

  /// Whether a later call is likely to succeed.
  var isTemporary: Bool {
    switch kind {
    case .unreachable, .brokenAnswer: true
    case .status(let status): status == 429 || (500..<600).contains(status)
    case .untrusted, .refused, .keyRejected, .tooLarge, .unusableAddress: false
    }
  }
}

extension ServiceError: CustomStringConvertible {
  package var description: String {
    let outcome =
      switch reason.kind {
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
