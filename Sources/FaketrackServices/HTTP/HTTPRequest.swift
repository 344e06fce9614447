#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A GET request that knows which parts of it nobody may see.
///
/// Its description, and whatever is printed by means of it, shows secrets as `***`.
package struct HTTPRequest: Sendable {
  /// Where redirects may lead. An encrypted address never leads to a plain one.
  package enum Redirects: Sendable {
    /// To the same host only.
    case sameHost
    /// Anywhere; for files, which services hand out from other hosts.
    case anyHost
  }

  /// Where to ask. A query of its own comes before ``query``.
  package var endpoint: URL
  /// What to ask, in order.
  package var query: [QueryItem]
  /// Header fields to send.
  package var headers: [String: String]
  /// The most bytes an answer may have, after decompression.
  package var maximumBodySize: Int
  /// Where redirects may lead.
  package var redirects: Redirects

  package init(
    _ endpoint: URL,
    query: [QueryItem] = [],
    headers: [String: String] = [:],
    maximumBodySize: Int = 16 << 20,
    redirects: Redirects = .sameHost
  ) {
    self.endpoint = endpoint
    self.query = query
    self.headers = headers
    self.maximumBodySize = maximumBodySize
    self.redirects = redirects
  }

  /// The address with the query, secrets included: for the one who sends it.
  package var url: URL? {
    assembled { $0.percentEncoded }
  }

  /// The value of the first query item of that name.
  package func value(for name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  func assembled(_ encode: (QueryItem) -> String) -> URL? {
    guard var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else {
      return nil
    }
    let items = [parts.percentEncodedQuery].compactMap(\.self) + query.map(encode)
    parts.percentEncodedQuery = items.isEmpty ? nil : items.joined(separator: "&")
    return parts.url
  }
}
