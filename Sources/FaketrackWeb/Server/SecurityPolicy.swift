import FaketrackServer
import Foundation

/// Which requests are answered: those that name this server, and of those that change something only
/// the ones that come from its own pages.
struct AccessPolicy: Sendable {
  /// The names by which the page may be asked for, in lower case, without a port.
  private let names: Set<String>
  /// Whether any numeric address is accepted: the server listens on all of them, and nobody can
  /// redirect a number as they can a name.
  private let allowsNumbers: Bool

  /// - Parameter host: the address that the server listens on.
  init(listeningOn host: String) {
    names = ["localhost", "127.0.0.1", "[::1]", Self.bracketed(host.lowercased())]
    allowsNumbers = host == "0.0.0.0" || host == "::"
  }

  /// Whether the request is for this server. A name that somebody else made to point here is refused,
  /// since their scripts could read the answer.
  func admits(host: String?) -> Bool {
    guard let host, let name = Self.name(of: host.lowercased()) else { return false }
    if names.contains(name) { return true }
    let isNumber = name.hasPrefix("[") || name.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    return allowsNumbers && isNumber
  }

  /// Whether a request that changes something comes from a page of this server.
  func isFromOwnPage(_ headers: WebHeaders) -> Bool {
    guard let host = headers["Host"] else { return false }
    if let origin = headers["Origin"] {
      return origin.lowercased() == "http://\(host.lowercased())"
    }
    return headers["Sec-Fetch-Site"] == "same-origin"
  }

  /// Whether a page of somebody else asks, by other means than a link that is followed: it must not put
  /// this server to work.
  ///
  /// Source: W3C, "Fetch Metadata Request Headers".
  func isFromElsewhere(_ headers: WebHeaders) -> Bool {
    guard let site = headers["Sec-Fetch-Site"], site != "same-origin", site != "none" else {
      return false
    }
    return headers["Sec-Fetch-Mode"] != "navigate" || headers["Sec-Fetch-Dest"] != "document"
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

/// What the browser may load for a page.
struct ContentPolicy: Hashable, Sendable {
  /// The `Content-Security-Policy` of pages.
  let pages: String
  /// The one of images, which load nothing at all.
  static let images = "default-src 'none'; style-src 'none'; sandbox"

  /// - Parameters:
  ///   - imageHosts: the origins of photos, such as `https://live.staticflickr.com`.
  ///   - tiles: the raster tiles that the map may show.
  init(imageHosts: [String], tiles: TileTemplate) {
    let images = ["'self'"] + imageHosts + [tiles.origin]
    pages = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src \(images.joined(separator: " "))",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }
}

/// The address of raster tiles for the map, with `{z}`, `{x}` and `{y}` in it.
package struct TileTemplate: Hashable, Sendable {
  /// The template as it was given.
  package let text: String
  /// The credit of the tiles, which the map shows.
  package let attribution: String
  /// The page with the terms of the tiles, if it is known.
  let terms: URL?
  /// The scheme, host and port that tiles come from.
  let origin: String

  /// The street map that the page shows to those who ask for it.
  static let openStreetMap = TileTemplate(
    text: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
    attribution: "© OpenStreetMap contributors",
    terms: URL(string: "https://www.openstreetmap.org/copyright"),
    origin: "https://tile.openstreetmap.org")

  private init(text: String, attribution: String, terms: URL?, origin: String) {
    self.text = text
    self.attribution = attribution
    self.terms = terms
    self.origin = origin
  }

  /// Reads a template; `nil` if the text is not one.
  package init?(_ text: String, attribution: String?) {
    guard ["{z}", "{x}", "{y}"].allSatisfy({ text.contains($0) }) else { return nil }
    let sample = ["{z}", "{x}", "{y}"].reduce(text) { $0.replacing($1, with: "0") }
    guard let parts = URLComponents(string: sample), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil,
      // The origin becomes part of the content policy, where these have a meaning of their own.
      !host.contains(where: { $0.isWhitespace || ";,'*".contains($0) })
    else { return nil }
    self.text = text
    self.attribution = attribution ?? "Tiles: \(host)"
    terms = nil
    origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
  }
}
