#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension URL {
  /// Creates an address from a literal, which is known to be valid; traps if it is not.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else {
      preconditionFailure("\(literal) is not an address")
    }
    self = url
  }

  /// The address of a text, if it is one of the web.
  package init?(webAddress text: String) {
    guard let url = URL(string: text), url.isWebAddress else { return nil }
    self = url
  }

  /// Whether this is an http or https address with a host.
  package var isWebAddress: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host?.isEmpty == false
  }

  /// The same address without the user name and the password it may contain.
  package var withoutUser: URL {
    changing {
      $0.user = nil
      $0.password = nil
    }
  }

  /// The same address without its query and what follows it.
  var withoutQuery: URL {
    changing {
      $0.percentEncodedQuery = nil
      $0.percentEncodedFragment = nil
    }
  }

  /// The address with other parts; the same one if it has none, or they make no address.
  private func changing(_ change: (inout URLComponents) -> Void) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    change(&parts)
    return parts.url ?? self
  }
}

extension String {
  /// The text with everything percent-encoded except the unreserved characters of RFC 3986; that
  /// includes `/`, and `+`, which some services read as a space.
  package var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }
}
