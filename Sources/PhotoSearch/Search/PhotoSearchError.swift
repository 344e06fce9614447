import FaketrackServices

/// The error of a search that has no answer after all retries.
///
/// Neither the facts nor the description contain a key, and all texts are safe to print.
public struct PhotoSearchError: Error, Hashable, Sendable {
  /// The kind of failure.
  public typealias Reason = ServiceFailureReason

  private let facts: ServiceError

  /// Creates an error; the message is shortened and cleaned of control characters.
  ///
  /// - Parameters:
  ///   - service: the service's display name.
  ///   - attempts: the number of calls; 0 if it was clear beforehand that no call can succeed.
  public init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    facts = ServiceError(service: service, reason: reason, message: message, attempts: attempts)
  }

  init(_ error: ServiceError) {
    facts = error
  }

  /// Wraps an error of any source, including an app's own.
  init(_ error: any Error, from source: any PhotoSearching) {
    self =
      error as? PhotoSearchError
      ?? PhotoSearchError(service: source.identity, reason: .brokenAnswer, message: "\(error)")
  }

  /// The service's display name.
  public var service: String { facts.service }
  /// The kind of failure.
  public var reason: Reason { facts.reason }
  /// The cause, on one short line.
  public var message: String { facts.message }
  /// The number of calls; 0 if it was clear beforehand that no call can succeed.
  public var attempts: Int { facts.attempts }
  /// Whether the key was rejected.
  public var isKeyRejected: Bool { facts.isKeyRejected }
  /// Whether the service could not be reached at all.
  public var isUnreachable: Bool { facts.isUnreachable }
}

extension PhotoSearchError: CustomStringConvertible {
  /// The service and the reason, such as "Flickr answered HTTP 503".
  public var description: String { facts.description }

  /// A remedy, or `nil` if only waiting helps.
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
