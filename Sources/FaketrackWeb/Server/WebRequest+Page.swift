import FaketrackFeatures
import FaketrackServer
import Foundation

extension WebRequest {
  /// The names in the path, with their `%` escapes.
  var pathNames: [Substring] { path.split(separator: "/") }

  /// Whether a script sent it; scripts want no redirection.
  var isFromScript: Bool { headers["X-Faketrack"] != nil }

  /// Whether the browser shows the answer as a page, at the address of the request.
  ///
  /// Browsers send the header only to this machine and to encrypted addresses.
  ///
  /// Source: W3C, "Fetch Metadata Request Headers".
  var isNavigation: Bool {
    guard let mode = headers["Sec-Fetch-Mode"] else {
      return !isFromScript && headers["Accept"]?.contains("text/html") == true
    }
    return mode == "navigate"
  }

  /// Whether a program asks for JSON; browsers that show the answer accept markup.
  var wantsJSON: Bool {
    let accepted = headers.values(of: "Accept").joined(separator: ",").lowercased()
    return accepted.contains("application/json") && !accepted.contains("text/html")
  }

  var acceptsGzip: Bool {
    headers.values(of: "Accept-Encoding").joined(separator: ",").split(separator: ",").contains {
      let pieces = $0.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      return pieces.first?.lowercased() == "gzip" && weight != 0
    }
  }

  /// The screen that led to the request, if the browser names one of this server.
  var origin: Route? {
    guard let host = headers["Host"], let referrer = headers["Referer"] else { return nil }
    let server = "http://\(host)"
    guard referrer.prefix(server.count).lowercased() == server.lowercased() else { return nil }
    let address = referrer.dropFirst(server.count)
    return address.hasPrefix("/") ? Route(address: String(address)) : nil
  }

  /// The screen that the page says its links came from.
  var statedOrigin: Route? { item("from").flatMap(Route.init(address:)) }

  var units: Units { cookie(Units.cookieName).flatMap(Units.init(rawValue:)) ?? .preferred }

  func cookie(_ name: String) -> String? {
    for cookie in headers.values(of: "Cookie").flatMap({ $0.split(separator: ";") }) {
      let sides = cookie.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
      if sides.count == 2, sides[0] == name { return sides[1] }
    }
    return nil
  }

  /// The items of the query.
  var items: FormFields { FormFields(Array(query.utf8)) }

  func item(_ name: String) -> String? { items[name] }

  func form() throws(BodyTooLong) -> FormFields {
    FormFields(try body(limit: FormFields.limit))
  }
}

extension Units {
  fileprivate static let cookieName = "faketrack-units"

  /// The cookie by which a browser remembers them for a year.
  var cookie: String {
    "\(Self.cookieName)=\(rawValue); Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
  }
}

/// The fields of a form or a query in the format `application/x-www-form-urlencoded`.
struct FormFields: Hashable, Sendable {
  static let limit = 16 * 1_024

  private var values: [String: [String]] = [:]

  /// Reads the fields and skips invalid ones.
  init(_ bytes: [UInt8]) {
    for field in bytes.split(separator: UInt8(ascii: "&")) {
      let sides = field.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.text(sides[0]), let value = Self.text(sides.count > 1 ? sides[1] : [])
      else { continue }
      values[name, default: []].append(value)
    }
  }

  /// A single field.
  init(_ name: String, _ value: String) {
    values = [name: [value]]
  }

  /// The first of the fields with a name.
  subscript(name: String) -> String? { values[name]?.first }

  /// All fields with a name, in their order.
  func values(of name: String) -> [String] { values[name] ?? [] }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
  }
}
