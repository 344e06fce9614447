import FaketrackServices
import Foundation
import PhotoSearch

/// The result of one check of `faketrack doctor`.
package struct Finding: Hashable, Sendable {
  package enum State: String, Sendable {
    case ok, warning, problem
  }

  /// The subject, such as `home`.
  package var check: String
  package var state: State
  /// The fact, without a period.
  package var text: String
  /// The remedy, in a sentence.
  package var hint: String?

  private init(_ check: String, _ state: State, _ text: String, hint: String? = nil) {
    (self.check, self.state, self.text, self.hint) = (check, state, text, hint)
  }

  package static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check, .ok, text)
  }

  package static func warning(_ check: String, _ text: String, hint: String) -> Finding {
    Finding(check, .warning, text, hint: hint)
  }

  package static func problem(_ check: String, _ failure: Failure) -> Finding {
    Finding(check, .problem, failure.message, hint: failure.hint)
  }

  package var json: JSONValue {
    [
      "check": .string(check), "state": .string(state.rawValue), "text": .string(text),
      "hint": .text(hint),
    ]
  }
}

// MARK: Checks of the environment

extension Finding {
  /// The photo source and the key of Flickr, which is never shown.
  package static func photos(_ choice: PhotoSourceChoice, in environment: [String: String])
    -> Finding
  {
    let flickr = PhotoProvider.flickr
    let variable = flickr.keyVariable ?? ""
    guard let key = flickr.key(in: environment)?.value else {
      if case .provider(let chosen) = choice, chosen.name == flickr.name {
        return .problem("photos", PhotoSourceError.missingKey(flickr).failure)
      }
      return .ok("photos", "\(choice.rawValue); \(variable) is not set, and only Flickr needs it")
    }
    guard key.utf8.count == 32, key.allSatisfy(\.isHexDigit) else {
      return .warning(
        "photos", "\(choice.rawValue); \(variable) does not look like a key of Flickr",
        hint: "Its keys have 32 hexadecimal digits; copy yours again.")
    }
    return .ok("photos", "\(choice.rawValue); \(variable) is set")
  }

  /// The addresses that replace the usual addresses of services.
  ///
  /// - Parameter variables: the variables that may hold an address, besides the photo providers' variables.
  package static func endpoints(
    _ variables: [String], in environment: [String: String]
  ) -> [Finding] {
    let all = PhotoProvider.all.compactMap(\.endpointVariable) + variables
    let findings = all.compactMap { variable -> Finding? in
      guard let text = environment[variable], !text.isEmpty else { return nil }
      guard let url = URL(webAddress: text), let host = url.host else {
        return .problem("endpoints", .unusableAddress(in: variable))
      }
      let port = url.port.map { ":\($0)" } ?? ""
      return .ok("endpoints", "\(variable) leads to \(host)\(port)")
    }
    return findings.isEmpty ? [.ok("endpoints", "the services' own")] : findings
  }

  /// The proxies in the variables that libcurl reads, without their passwords.
  package static func proxies(in environment: [String: String]) -> [Finding] {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    var findings = names.compactMap { name -> Finding? in
      guard let text = value(name) else { return nil }
      guard let address = proxyAddress(text) else {
        return .problem(
          "proxy",
          Failure(
            message: "\(name) is not the address of a proxy",
            hint: "Set it to one such as http://proxy.example:3128, or unset it."))
      }
      return .ok("proxy", "\(name) is \(address)")
    }
    if value("HTTP_PROXY") != nil, value("http_proxy") == nil {
      findings.append(
        .warning("proxy", "HTTP_PROXY is ignored", hint: "Set http_proxy, in lower case."))
    }
    if !findings.isEmpty, let name = ["no_proxy", "NO_PROXY"].first(where: { value($0) == "*" }) {
      findings.append(.ok("proxy", "\(name) is *, so no proxy is used"))
    }
    return findings.isEmpty ? [.ok("proxy", "none")] : findings
  }

  /// The scheme, the host and the port of a proxy; `nil` if libcurl cannot use it.
  private static func proxyAddress(_ text: String) -> String? {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let scheme = parts.count == 2 ? parts[0].lowercased() : "http"
    // The password may contain anything.
    let place = parts[parts.count - 1]
    let server = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    guard ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme),
      let url = URLComponents(string: "\(scheme)://\(server)"), let host = url.host, !host.isEmpty,
      url.port.map((1...65_535).contains) ?? true, ["", "/"].contains(url.path)
    else { return nil }
    return url.url?.origin
  }

  /// The terminal and its locale.
  ///
  /// - Parameter size: the columns and rows; `nil` where stdout is not a terminal.
  package static func terminal(
    _ size: (columns: Int, rows: Int)?, in environment: [String: String]
  ) -> [Finding] {
    guard let size else { return [.ok("terminal", "stdout is not a terminal")] }
    let type = environment["TERM", default: ""]
    if ["", "dumb"].contains(type) {
      return [
        .warning(
          "terminal", type.isEmpty ? "TERM is not set" : "TERM is dumb",
          hint: "Use a terminal that moves the cursor for the app, or faketrack serve.")
      ]
    }
    let hasColor = environment["NO_COLOR", default: ""].isEmpty
    let words = "\(type), \(size.columns) × \(size.rows), \(hasColor ? "color" : "NO_COLOR is set")"
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].first { !environment[$0, default: ""].isEmpty }
    let locale = name.flatMap { environment[$0] } ?? ""
    let isUTF8 = ["utf-8", "utf8"].contains(where: locale.lowercased().contains)
    return [
      size.columns < 60 || size.rows < 16
        ? .warning("terminal", words, hint: "Make it larger: the app is laid out for 80 × 24.")
        : .ok("terminal", words),
      isUTF8
        ? .ok("locale", locale)
        : .warning(
          "locale", name.map { "\($0) is \(locale), without UTF-8" } ?? "none is set",
          hint: "Set LANG to a locale such as C.UTF-8, or names and the map may be garbled."),
    ]
  }

  /// The rules of time zones, without which local times are in UTC.
  ///
  /// - Parameter seconds: the summer offset of a place that has one.
  package static func timeZones(
    offset seconds: Int? = TimeZone(identifier: "Europe/Berlin")?
      .secondsFromGMT(for: Date(timeIntervalSince1970: 1_782_864_000))
  ) -> Finding {
    seconds == 7_200
      ? .ok("time zones", "known")
      : .warning(
        "time zones", "the rules of time zones are missing, so times are in UTC",
        hint: "Install tzdata.")
  }
}
