import FaketrackServices

/// Why a search has no answer, after all retries.
///
/// Neither the facts nor the description contain a key, and all texts are safe to print.
public struct PhotoSearchError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public typealias Reason = ServiceFailureReason

  private let facts: ServiceError

  /// Creates an error; the message is shortened and cleaned of control characters.
  ///
  /// - Parameters:
  ///   - service: the service's name as people know it.
  ///   - attempts: how often the service was asked; 0 if it was clear beforehand that no
  ///     call can succeed.
  public init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    facts = ServiceError(service: service, reason: reason, message: message, attempts: attempts)
  }

  init(_ error: ServiceError) {
    facts = error
  }

  /// Wraps whatever a source threw, which may be one that an app has written.
  init(_ error: any Error, from source: any PhotoSearching) {
    self =
      error as? PhotoSearchError
      ?? PhotoSearchError(service: source.identity, reason: .brokenAnswer, message: "\(error)")
  }

  /// The service's name as people know it.
  public var service: String { facts.service }
  /// The kind of failure.
  public var reason: Reason { facts.reason }
  /// What happened, on one short line.
  public var message: String { facts.message }
  /// How often the service was asked; 0 if it was clear beforehand that no call can succeed.
  public var attempts: Int { facts.attempts }
  /// Whether the key was rejected.
  public var isKeyRejected: Bool { facts.isKeyRejected }
  /// Whether the service could not be reached at all.
  public var isUnreachable: Bool { facts.isUnreachable }
}

extension PhotoSearchError: CustomStringConvertible {
  public var description: String { facts.description }

  /// What can be done about it, or `nil` if only waiting helps.
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
