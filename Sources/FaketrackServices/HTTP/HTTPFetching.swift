import Foundation

/// A source of HTTP responses: the network, a recording, or a stub in a test.
public protocol HTTPFetching: Sendable {
  /// Sends the request once, without retrying.
  ///
  /// Returns a response of any status, except for a redirect that is not followed. Implementations
  /// enforce the request's limits, and return immediately when the task is canceled.
  ///
  /// - Throws: ``HTTPFailure`` if there is no complete response, or `CancellationError`.
  func fetch(_ request: ServiceRequest) async throws -> ServiceResponse
}

/// A complete response.
public struct ServiceResponse: Sendable {
  /// The status code, 100 ... 599.
  public let status: Int
  /// The body, decompressed.
  public let body: Data
  private let headers: [String: String]

  /// Creates a response.
  ///
  /// Header names are case-insensitive. Of names that differ only in case, the first in string order
  /// is used.
  public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.body = body
    let sorted = headers.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) }
    self.headers = Dictionary(sorted) { first, _ in first }
  }

  /// The value of a header field; its name is case-insensitive.
  public func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}

/// The failure of a request without a complete response.
public enum HTTPFailure: Error, Hashable, Sendable {
  /// There was no connection, or it was lost; holds a description.
  case unreachable(String)
  /// The server's certificate is not trusted.
  case untrusted
  /// No data arrived within the idle timeout.
  case timedOut
  /// The response was not complete within ``ServiceRequest/timeout``.
  case overdue(limit: Duration)
  /// Fewer bytes of the body than ``ServiceRequest/minimumSpeed`` arrived in an interval.
  case tooSlow(bytes: Int, interval: Duration)
  /// A redirect was refused; the address has no query, user name or password.
  case redirected(status: Int, to: String, Refusal)
  /// The body is larger than ``ServiceRequest/maximumBodySize``.
  case tooLarge(limit: Int)
  /// The address cannot be used; holds a description.
  case unusableAddress(String)

  /// A reason to refuse a redirect.
  public enum Refusal: Hashable, Sendable {
    /// It leads to another host than the request allows.
    case otherHost
    /// It leads from an encrypted address to one that is not.
    case notEncrypted
    /// It does not lead to an http or https address.
    case notHTTP
    /// It is the sixth redirect.
    case tooMany
  }
}
