#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension URL {
  /// Creates an address from a literal.
  ///
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

  /// The address without user name and password.
  package var withoutUser: URL {
    changing {
      $0.user = nil
      $0.password = nil
    }
  }

  /// The address without query and fragment.
  var withoutQuery: URL {
    changing {
      $0.percentEncodedQuery = nil
      $0.percentEncodedFragment = nil
    }
  }

  /// Returns the address with changed components, or unchanged if it cannot be parsed.
  private func changing(_ change: (inout URLComponents) -> Void) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    change(&parts)
    return parts.url ?? self
  }
}
