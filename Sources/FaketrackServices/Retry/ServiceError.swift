#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
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
}

/// The kinds of failure of a service.
public enum ServiceFailureReason: Hashable, Sendable {
  /// There was no connection, or it broke, or nothing arrived in time.
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

/// A response whose status stands for a failure; becomes a ``CallFailure``.
struct UnacceptableStatus: Error {}

/// One failed call: its error, and whether and when to try again.
struct CallFailure: Error {
  let error: ServiceError
  let isWorthRetrying: Bool
  /// The pause that the service asked for.
  let retryAfter: Duration?

  /// A failure that is certain without a call.
  init(final error: ServiceError) {
    self.error = error
    isWorthRetrying = false
    retryAfter = nil
  }

  /// Classifies whatever a fetcher or a decoder threw.
  init(
    _ cause: any Error, response: HTTPResponse?, request: HTTPRequest, profile: ServiceProfile,
    now: Date
  ) {
    let (reason, message) = Self.classify(cause, response: response)
    let isUnavailable = if case ServiceFault.unavailable = cause { true } else { false }
    let retryAfter = response.flatMap { RetryAfter.delay(in: $0, now: now) }
    let isTooLong = retryAfter.map { $0 > profile.retry.longestPause } ?? false
    let complaint = isTooLong ? Self.describe(pause: retryAfter ?? .zero) : nil
    error = ServiceError(
      service: profile.name, reason: reason,
      message: [request.redacted(message), complaint ?? ""].filter { !$0.isEmpty }
        .joined(separator: "; "))
    isWorthRetrying = (reason.isTemporary || isUnavailable) && !isTooLong
    self.retryAfter = retryAfter
  }

  private static func classify(
    _ cause: any Error, response: HTTPResponse?
  ) -> (reason: ServiceError.Reason, message: String) {
    switch cause {
    case is UnacceptableStatus:
      return (.status(response?.status ?? 0), "")
    case HTTPFailure.unreachable(let what):
      return (.unreachable, what)
    case HTTPFailure.timedOut:
      return (.unreachable, "no answer in time")
    case HTTPFailure.tooLarge(let limit):
      return (.tooLarge(limit: limit), "more than \(limit) bytes")
    case HTTPFailure.unusableAddress(let what):
      return (.unusableAddress, what)
    case ServiceFault.unavailable(let code, let message):
      return (.refused(code: code), message)
    case ServiceFault.refused(let code, let message):
      return (.refused(code: code), message)
    case ServiceFault.keyRejected(let code, let message):
      return (.keyRejected(code: code), message)
    case ServiceFault.broken(let message):
      return (.brokenAnswer, message)
    default:
      return (.brokenAnswer, response.map(describeBody) ?? "\(type(of: cause))")
    }
  }

  private static func describe(pause: Duration) -> String {
    "it asks for a pause of \(pause.components.seconds) seconds"
  }

  /// Says what was sent instead of the data, without repeating any of it.
  private static func describeBody(_ response: HTTPResponse) -> String {
    let start = String(decoding: response.body.prefix(1024), as: UTF8.self)
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    if start.isEmpty { return "the answer is empty" }
    guard start.hasPrefix("<") else { return "the data is cut off or malformed" }
    let type = response.header("Content-Type")?.lowercased() ?? ""
    return isHTML(start, type: type) ? "HTML instead of the data" : "XML instead of the data"
  }

  /// Whether markup is HTML rather than XML; an XML declaration comes before XHTML as well.
  private static func isHTML(_ start: String, type: String) -> Bool {
    if start.contains("<html") || start.hasPrefix("<!doctype html") { return true }
    if start.hasPrefix("<?xml") || type.contains("xml") { return false }
    let firstTag = String(start.dropFirst().prefix { $0.isLetter || $0.isNumber })
    return type.contains("html") || start.hasPrefix("<!--") || htmlTags.contains(firstTag)
  }

  /// The tags with which error pages without an `<html>` tag have been seen to begin.
  private static let htmlTags: Set<String> = [
    "head", "title", "meta", "body", "h1", "h2", "h3", "p", "div", "center", "pre", "script",
    "style", "table", "b", "br", "a", "span",
  ]
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
