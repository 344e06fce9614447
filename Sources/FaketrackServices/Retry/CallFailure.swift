#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One failed call: its error, and whether and when to try again.
struct CallFailure: Error {
  let error: ServiceError
  let isWorthRetrying: Bool
  /// Whether the response was not there in time, so that the service may not be answering at all.
  let wasInTime: Bool
  /// The pause that the service asked for.
  let retryAfter: Duration?
  /// The clock's reading when the request was sent.
  let start: Duration
  /// How long it took until the call had failed.
  let duration: Duration

  /// A failure that is certain without a call.
  init(final error: ServiceError) {
    self.error = error
    isWorthRetrying = false
    wasInTime = true
    retryAfter = nil
    start = .zero
    duration = .zero
  }

  /// Classifies whatever a fetcher or a decoder threw.
  ///
  /// - Parameters:
  ///   - limit: how long the response might take, with all tries.
  ///   - start: the clock's reading when the request was sent.
  ///   - end: the clock's reading when the call had failed.
  ///   - now: the date, for a `Retry-After` that names one.
  init(
    _ cause: any Error, response: HTTPResponse?, request: HTTPRequest, limit: Duration,
    service: String, start: Duration, end: Duration, now: Date
  ) {
    let (reason, message) = Self.classify(cause, response: response, limit: limit)
    error = ServiceError(service: service, reason: reason, message: request.redacted(message))
    let isUnavailable = if case ServiceFault.unavailable = cause { true } else { false }
    let isOverdue =
      switch cause {
      case HTTPFailure.overdue, HTTPFailure.tooSlow: true
      default: false
      }
    isWorthRetrying = (reason.isTemporary || isUnavailable) && !isOverdue
    wasInTime = !isOverdue && cause as? HTTPFailure != .timedOut
    retryAfter = response.flatMap { RetryAfter.delay(in: $0, now: now) }
    self.start = start
    duration = end - start
  }

  private static func classify(
    _ cause: any Error, response: HTTPResponse?, limit: Duration
  ) -> (reason: ServiceError.Reason, message: String) {
    switch cause {
    case is UnacceptableStatus:
      (.status(response?.status ?? 0), "")
    case let failure as HTTPFailure:
      classify(failure, limit: limit)
    case ServiceFault.unavailable(let code, let message),
      ServiceFault.refused(let code, let message):
      (.refused(code: code), message)
    case ServiceFault.keyRejected(let code, let message):
      (.keyRejected(code: code), message)
    case ServiceFault.broken(let message):
      (.brokenAnswer, message)
    default:
      (.brokenAnswer, response.map { "\(UnusableBody($0, cause))" } ?? "\(type(of: cause))")
    }
  }

  private static func classify(
    _ failure: HTTPFailure, limit: Duration
  ) -> (reason: ServiceError.Reason, message: String) {
    switch failure {
    case .unreachable(let what):
      (.unreachable, what)
    case .timedOut:
      (.unreachable, "no answer in time")
    case .overdue:
      (.unreachable, "no complete answer within \(limit.rounded)")
    case .tooSlow(let pace):
      (.unreachable, "less than \(pace.bytes >> 10) KB came within \(pace.period.rounded)")
    case .redirected(let status, let address, let refusal):
      (.status(status), "it redirects \(words(for: refusal)): \(address)")
    case .tooLarge(let limit):
      (.tooLarge(limit: limit), "more than \(limit) bytes")
    case .unusableAddress(let what):
      (.unusableAddress, what)
    }
  }

  private static func words(for refusal: HTTPFailure.Refusal) -> String {
    switch refusal {
    case .otherHost: "to another host"
    case .notEncrypted: "without encryption"
    case .notHTTP: "to no web address"
    case .tooMany: "more than five times"
    }
  }
}

/// A response whose status stands for a failure; becomes a ``CallFailure``.
struct UnacceptableStatus: Error {}
