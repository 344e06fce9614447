#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Anything that answers HTTP requests: the network, a recording, a stub in a test.
public protocol HTTPFetching: Sendable {
  /// Sends the request once, without retrying.
  ///
  /// A response of any status is returned, not thrown, except for a redirect that is not followed.
  /// It is up to the implementation to keep to the request's ``HTTPRequest/maximumBodySize``,
  /// ``HTTPRequest/timeLimit`` and ``HTTPRequest/redirects``, and to return at once when the task is
  /// canceled.
  ///
  /// - Throws: ``HTTPFailure`` when there is no complete response, `CancellationError` when the
  ///   task was canceled.
  func fetch(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// A complete response.
public struct HTTPResponse: Sendable {
  /// The status code, 100 ... 599.
  public let status: Int
  /// The body, decompressed.
  public let body: Data
  private let headers: [String: String]

  /// Creates a response.
  ///
  /// The case of header names does not matter. Of names that differ only in case, the one that comes
  /// first in the order of strings is used.
  public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.body = body
    let sorted = headers.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) }
    self.headers = Dictionary(sorted) { first, _ in first }
  }

  /// The value of a header field; the case of its name does not matter.
  public func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}

/// Why a request got no response.
public enum HTTPFailure: Error, Hashable, Sendable {
  /// There was no connection, or it broke; says what happened.
  case unreachable(String)
  /// Nothing arrived for a while.
  case timedOut
  /// The response was not complete within ``HTTPRequest/TimeLimit/total``.
  case overdue(limit: Duration)
  /// The body came more slowly than this.
  case tooSlow(HTTPRequest.Pace)
  /// A redirect leads where it must not be followed; the address is without query, user name and
  /// password.
  case redirected(status: Int, to: String, Refusal)
  /// The body is larger than ``HTTPRequest/maximumBodySize``.
  case tooLarge(limit: Int)
  /// The address cannot be used; says what is wrong with it.
  case unusableAddress(String)

  /// Why a redirect is not followed.
  public enum Refusal: Hashable, Sendable {
    /// It leads to another host than the request allows.
    case otherHost
    /// It leads from an encrypted address to one that is not.
    case notEncrypted
    /// It leads to something else than an http or https address.
    case notHTTP
    /// It is one more than five.
    case tooMany
  }
}
