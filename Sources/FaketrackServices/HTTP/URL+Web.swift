import FaketrackSupport
import Foundation

extension URL {
  /// - Precondition: The literal is a valid address.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else {
      preconditionFailure("\(literal) is not an address")
    }
    self = url
  }

  /// Creates an address from text; returns `nil` if it is not an http or https address with a host.
  package init?(webAddress text: String) {
    guard let url = URL(string: text), url.isWebAddress else { return nil }
    self = url
  }

  /// Whether this is an http or https address with a host.
  package var isWebAddress: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host?.isEmpty == false
  }

  /// The scheme, the host and the port; `nil` for an address without a host.
  package var origin: String? {
    guard let scheme = scheme?.lowercased(), let host = host?.trimmingCharacters(in: ["[", "]"]),
      !host.isEmpty
    else { return nil }
    return "\(scheme)://\(HostAndPort.bracketed(host))" + (port.map { ":\($0)" } ?? "")
  }

  /// The address without user name and password.
  package var withoutUser: URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    parts.user = nil
    parts.password = nil
    return parts.url ?? self
  }
}
