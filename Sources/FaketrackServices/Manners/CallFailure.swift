#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A status that is no answer; thrown between the fetch and the sorting of what went wrong.
struct UnacceptableStatus: Error {}

/// One failed call: what to say of it, and whether and when to try again.
struct CallFailure: Error {
  let error: ServiceError
  let isWorthAnotherTry: Bool
  /// The pause that the service asked for.
  let retryAfter: Duration?

  /// A failure that is known without a call.
  init(final error: ServiceError) {
    self.error = error
    isWorthAnotherTry = false
    retryAfter = nil
  }

  /// Sorts whatever a fetch or a decoder threw.
  init(
    _ cause: any Error, response: HTTPResponse?, request: HTTPRequest, service: String, now: Date
  ) {
    let (reason, message, retries) = Self.sort(cause, response: response)
    error = ServiceError(service: service, reason: reason, message: request.redacted(message))
    isWorthAnotherTry = retries
    retryAfter = response.flatMap { RetryAfter.delay(in: $0, now: now) }
  }

  private static func sort(
    _ cause: any Error, response: HTTPResponse?
  ) -> (reason: ServiceError.Reason, message: String, isWorthAnotherTry: Bool) {
    switch cause {
    case is UnacceptableStatus:
      let status = response?.status ?? 0
      return (.status(status), "", status == 429 || (500..<600).contains(status))
    case HTTPFailure.unreachable(let what):
      return (.unreachable, what, true)
    case HTTPFailure.timedOut:
      return (.unreachable, "no answer in time", true)
    case HTTPFailure.tooLarge(let limit):
      return (.tooLarge(limit: limit), "more than \(limit) bytes", false)
    case HTTPFailure.unusableAddress(let what):
      return (.unusableAddress, what, false)
    case ServiceFault.unavailable(let code, let message):
      return (.refused(code: code), message, true)
    case ServiceFault.refused(let code, let message):
      return (.refused(code: code), message, false)
    case ServiceFault.keyRejected(let code, let message):
      return (.keyRejected(code: code), message, false)
    case ServiceFault.broken(let message):
      return (.brokenAnswer, message, true)
    default:
      return (.brokenAnswer, response.map(describeBody) ?? "\(type(of: cause))", true)
    }
  }

  /// Says what kind of thing came instead of the answer, without repeating it.
  private static func describeBody(_ response: HTTPResponse) -> String {
    let start = response.body.first { !UInt8.isBlank($0) }
    return switch start {
    case nil: "the answer is empty"
    case UInt8(ascii: "<"): "HTML instead of the data"
    default: "the data is cut off or of another form"
    }
  }
}

extension UInt8 {
  fileprivate static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
