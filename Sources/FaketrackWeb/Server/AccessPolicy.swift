import FlyingFox

/// Whom the page answers: browsers that came to it by one of its own names, and to change anything,
/// from one of its own pages.
struct AccessPolicy: Sendable {
  /// The names by which the page may be asked for, in lower case, without a port.
  private let names: Set<String>
  /// Whether any numeric address will do: the server listens on all of them, and a number cannot
  /// be pointed elsewhere as a name can.
  private let allowsNumbers: Bool

  /// - Parameter host: the address that the server listens on.
  init(listeningOn host: String) {
    names = ["localhost", "127.0.0.1", "[::1]", Self.bracketed(host.lowercased())]
    allowsNumbers = host == "0.0.0.0" || host == "::"
  }

  /// Whether the request asks for this page and not, by a name that was made to point here, for
  /// somebody else's.
  func admits(host: String?) -> Bool {
    guard let host, let name = Self.name(of: host.lowercased()) else { return false }
    if names.contains(name) { return true }
    let isNumber = name.hasPrefix("[") || name.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    return allowsNumbers && isNumber
  }

  /// Whether a request that changes something comes from a page of this server.
  func isFromOwnPage(_ headers: HTTPHeaders) -> Bool {
    guard let host = headers[.host] else { return false }
    if let origin = headers[HTTPHeader("Origin")] {
      return origin.lowercased() == "http://\(host.lowercased())"
    }
    return headers[HTTPHeader("Sec-Fetch-Site")] == "same-origin"
  }

  /// The address as it stands in a URL.
  static func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }

  /// The name before the port, `nil` if there is none.
  private static func name(of host: String) -> String? {
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let rest = host[host.index(after: end)...]
      return rest.isEmpty || rest.hasPrefix(":") ? String(host[...end]) : nil
    }
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.first, !name.isEmpty else { return nil }
    return String(name)
  }
}
