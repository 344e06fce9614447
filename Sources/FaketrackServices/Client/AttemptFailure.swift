#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The failure of one attempt of a call.
struct AttemptFailure: Error {
  let error: ServiceError
  let isRetryable: Bool
  /// Whether the response did not arrive in time, so that the service may be unresponsive.
  let isTimeout: Bool
  /// The delay that the service asked for.
  let retryAfter: Duration?
  /// The clock's reading when the request was sent.
  let start: Duration
  let duration: Duration

  /// Classifies an error of a fetcher or a decoder.
  ///
  /// - Parameters:
  ///   - limit: The time limit of the call with all attempts.
  ///   - start: The clock's reading when the request was sent.
  ///   - end: The clock's reading when the attempt failed.
  ///   - now: The date, for a `Retry-After` with a date.
  init(
    _ cause: any Error, response: HTTPResponse?, request: HTTPRequest, limit: Duration,
    service: String, start: Duration, end: Duration, now: Date
  ) {
    let (reason, message) = Self.classify(cause, response: response, limit: limit)
    error = ServiceError(service: service, reason: reason, message: request.redacted(message))
    (isRetryable, isTimeout) =
      switch cause {
      case ServiceFault.unavailable: (true, false)
      case HTTPFailure.overdue, HTTPFailure.tooSlow: (false, true)
      case HTTPFailure.timedOut: (true, true)
      default: (reason.isTemporary, false)
      }
    retryAfter = response.flatMap { RetryAfter.delay(in: $0, now: now) }
    self.start = start
    duration = end - start
  }

  private static func classify(
    _ cause: any Error, response: HTTPResponse?, limit: Duration
  ) -> (reason: ServiceError.Reason, message: String) {
    switch cause {
    case is UnacceptableStatus: (.status(response?.status ?? 0), "")
    case HTTPFailure.unreachable(let text): (.unreachable, text)
    case HTTPFailure.timedOut: (.unreachable, "no answer in time")
    case HTTPFailure.overdue: (.unreachable, "no complete answer within \(limit.rounded)")
    case HTTPFailure.tooSlow(let pace):
      (.unreachable, "less than \(pace.bytes >> 10) KB came within \(pace.period.rounded)")
    case HTTPFailure.redirected(let status, let address, let refusal):
      (.status(status), "it redirects \(text(for: refusal)): \(address)")
    case HTTPFailure.tooLarge(let limit): (.tooLarge(limit: limit), "more than \(limit) bytes")
    case HTTPFailure.unusableAddress(let text): (.unusableAddress, text)
    case ServiceFault.unavailable(let code, let message),
      ServiceFault.refused(let code, let message):
      (.refused(code: code), message)
    case ServiceFault.keyRejected(let code, let message): (.keyRejected(code: code), message)
    case ServiceFault.broken(let message): (.brokenAnswer, message)
    default: (.brokenAnswer, response?.decodingFailure(cause) ?? "\(type(of: cause))")
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

/// A response whose status is not one of success; becomes an ``AttemptFailure``.
struct UnacceptableStatus: Error {}
