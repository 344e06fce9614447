import FaketrackFeatures
import FaketrackServer
import Foundation

/// What the page reads from a request.
extension WebRequest {
  /// The names in the path, with their `%` escapes.
  var pathNames: [Substring] { path.split(separator: "/") }

  /// Whether a script asks, which wants no redirection.
  var isFromScript: Bool { headers["X-Faketrack"] != nil }

  /// Whether the browser shows the answer as a page, at the address of the request.
  ///
  /// Browsers do not say so to an address that is neither this machine's nor encrypted.
  ///
  /// Source: W3C, "Fetch Metadata Request Headers".
  var isNavigation: Bool {
    guard let mode = headers["Sec-Fetch-Mode"] else {
      return !isFromScript && headers["Accept"]?.contains("text/html") == true
    }
    return mode == "navigate"
  }

  /// Whether the answer may be compressed.
  var acceptsGzip: Bool {
    headers.values(of: "Accept-Encoding").joined(separator: ",").split(separator: ",").contains {
      let pieces = $0.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      return pieces.first?.lowercased() == "gzip" && weight != 0
    }
  }

  /// The screen that the request came from, if it is one of this server and the browser names it.
  var origin: Route? {
    guard let host = headers["Host"], let referrer = headers["Referer"] else {
      return nil
    }
    let server = "http://\(host)"
    guard referrer.prefix(server.count).lowercased() == server.lowercased() else { return nil }
    let address = referrer.dropFirst(server.count)
    return address.hasPrefix("/") ? Route(address: String(address)) : nil
  }

  /// The units that the browser remembers.
  var units: Units {
    let cookies = headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }
    for cookie in cookies {
      let sides = cookie.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
      if sides.count == 2, sides[0] == Units.cookieName, let units = Units(rawValue: sides[1]) {
        return units
      }
    }
    return .metric
  }

  /// The value of an item of the query.
  func item(_ name: String) -> String? {
    FormFields(Array(query.utf8))[name]
  }

  /// The fields of a form.
  func form() throws(BodyTooLong) -> FormFields {
    FormFields(try body(limit: FormFields.limit))
  }
}

extension Units {
  fileprivate static let cookieName = "faketrack-units"

  /// Tells the browser to remember them for a year.
  var cookie: String {
    "\(Self.cookieName)=\(rawValue); Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
  }
}

/// The fields of a form in the format `application/x-www-form-urlencoded`, which queries use too.
struct FormFields: Hashable, Sendable {
  /// The most bytes that a form may have.
  static let limit = 16 * 1_024

  private var values: [String: String] = [:]

  /// Reads the fields, without those that are not valid; of fields with the same name the first counts.
  init(_ bytes: [UInt8]) {
    for field in bytes.split(separator: UInt8(ascii: "&")) {
      let sides = field.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.text(sides[0]) else { continue }
      let value = sides.count > 1 ? Self.text(sides[1]) : ""
      if values[name] == nil { values[name] = value }
    }
  }

  subscript(name: String) -> String? { values[name] }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
  }
}
