import FaketrackServer
import FaketrackSupport
import Foundation

/// The rules for answering requests: they must name this server, and those that change something must
/// come from its own pages.
struct AccessPolicy: Sendable {
  /// The host names of this server, in lower case and without a port.
  private let names: Set<String>
  /// Whether any numeric address is accepted, which is safe because unlike a name it cannot be made to
  /// point here.
  private let allowsNumbers: Bool

  init(listeningOn host: String) {
    names = ["localhost", "127.0.0.1", "[::1]", HostAndPort.bracketed(host.lowercased())]
    allowsNumbers = host == "0.0.0.0" || host == "::"
  }

  /// Whether the request is for this server. Other names are refused even if they point here: the
  /// scripts of their pages could read the answer (DNS rebinding).
  func admits(host: String?) -> Bool {
    guard let host, let name = Self.name(of: host.lowercased()) else { return false }
    if names.contains(name) { return true }
    let isNumber = name.hasPrefix("[") || name.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    return allowsNumbers && isNumber
  }

  func isFromOwnPage(_ headers: WebHeaders) -> Bool {
    guard let host = headers["Host"] else { return false }
    if let origin = headers["Origin"] {
      return origin.lowercased() == "http://\(host.lowercased())"
    }
    return headers["Sec-Fetch-Site"] == "same-origin"
  }

  /// Whether the page of another site sent the request, other than by a link that the user followed.
  ///
  /// Source: W3C, "Fetch Metadata Request Headers".
  func isFromElsewhere(_ headers: WebHeaders) -> Bool {
    guard let site = headers["Sec-Fetch-Site"], site != "same-origin", site != "none" else {
      return false
    }
    return headers["Sec-Fetch-Mode"] != "navigate" || headers["Sec-Fetch-Dest"] != "document"
  }

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

/// The `Content-Security-Policy` of answers.
enum ContentPolicy {
  static let images = "default-src 'none'; style-src 'none'; sandbox"

  /// - Parameter origins: the origins of photos and tiles, such as `https://live.staticflickr.com`.
  static func pages(imagesFrom origins: [String]) -> String {
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      (["img-src 'self'"] + origins).joined(separator: " "),
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }
}
