import FaketrackServices

/// Why a search has no answer, after everything that was worth trying.
///
/// Neither the facts nor the description hold a key, and all texts are safe to print.
public struct PhotoSearchError: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// No connection, or one that broke, or no answer in time.
    case unreachable
    /// An HTTP status that is not an answer.
    case status(Int)
    /// The service said no, in its own code.
    case refused(code: String)
    /// The service does not know the key: every search with it fails.
    case keyRejected(code: String)
    /// The answer is not what was asked for.
    case brokenAnswer
    /// The answer is longer than allowed, in bytes.
    case tooLarge(limit: Int)
    /// The address cannot be asked.
    case unusableAddress
  }

  private let facts: ServiceError

  /// Creates an error; the message is shortened and stripped of control characters.
  public init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    facts = ServiceError(
      service: service, reason: reason.asServiceReason, message: message, attempts: attempts)
  }

  init(_ error: ServiceError) {
    facts = error
  }

  /// What a source threw, which may be one written by somebody else.
  init(_ error: any Error, from source: any PhotoSearching) {
    self =
      error as? PhotoSearchError
      ?? PhotoSearchError(service: source.identity, reason: .brokenAnswer, message: "\(error)")
  }

  /// The service's name as people know it.
  public var service: String { facts.service }
  /// What happened, in one short line.
  public var message: String { facts.message }
  /// How often the service was asked; 0 when it was known that asking is useless.
  public var attempts: Int { facts.attempts }

  public var reason: Reason {
    switch facts.reason {
    case .unreachable: .unreachable
    case .status(let status): .status(status)
    case .refused(let code): .refused(code: code)
    case .keyRejected(let code): .keyRejected(code: code)
    case .brokenAnswer: .brokenAnswer
    case .tooLarge(let limit): .tooLarge(limit: limit)
    case .unusableAddress: .unusableAddress
    }
  }

  /// Whether the key was rejected.
  public var isKeyRejected: Bool {
    facts.isKeyRejected
  }

  /// Whether the service could not be reached at all.
  public var isUnreachable: Bool { facts.isUnreachable }
}

extension PhotoSearchError: CustomStringConvertible {
  public var description: String { facts.description }

  /// What can be done about it, or `nil` when only waiting helps.
  public var recoverySuggestion: String? {
    switch reason {
    case .unreachable: "Check the network and the proxy settings."
    case .keyRejected: "Check the key, or search a source that needs none."
    case .unusableAddress: "Check the address of the service."
    case .tooLarge: "Search a smaller radius."
    case .status, .refused, .brokenAnswer: nil
    }
  }
}

extension PhotoSearchError.Reason {
  fileprivate var asServiceReason: ServiceError.Reason {
    switch self {
    case .unreachable: .unreachable
    case .status(let status): .status(status)
    case .refused(let code): .refused(code: code)
    case .keyRejected(let code): .keyRejected(code: code)
    case .brokenAnswer: .brokenAnswer
    case .tooLarge(let limit): .tooLarge(limit: limit)
    case .unusableAddress: .unusableAddress
    }
  }
}
