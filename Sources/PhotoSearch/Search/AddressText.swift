#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// The text of an address that can be made a `URL`, which takes much longer than to check the text
/// of a common one.
struct AddressText: Hashable, Sendable {
  let text: String

  /// The text of an address.
  init(_ url: URL) {
    text = url.absoluteString
  }

  /// Takes text that was an `AddressText` before.
  init(checked text: String) {
    self.text = text
  }

  /// The address that a text stands for; `nil` if it stands for none.
  init?(_ text: String) {
    self.init(text) { URL(string: $0) }
  }

  /// The address that a text stands for, if it is one of the web.
  init?(web text: String) {
    self.init(text) { URL(webAddress: $0) }
  }

  private init?(_ text: String, parse: (String) -> URL?) {
    if Self.isCommon(text) {
      self.init(checked: text)
    } else if let url = parse(text) {
      self.init(url)
    } else {
      return nil
    }
  }

  var url: URL {
    guard let url = URL(string: text) else {
      preconditionFailure("\(text) was not checked")
    }
    return url
  }

  /// Whether a text is an http or https address with a plain host name, without a port, a user or a
  /// fragment, and with everything percent-encoded that has to be; its `URL` gives back such a text
  /// as it is.
  static func isCommon(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) })
      else { return false }
      var rest = bytes.dropFirst(scheme.utf8.count)
      let host = rest.prefix {
        isUnreserved($0) && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "~")
      }
      rest = rest[host.endIndex...]
      guard !host.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: "/") else { return false }
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
          guard let high = rest.popFirst(), let low = rest.popFirst(), isHexadecimal(high),
            isHexadecimal(low)
          else { return false }
        } else if !isUnreserved(byte), !isDelimiter(byte) {
          return false
        }
      }
      return true
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Whether a byte may stand in a path and in a query, besides the unreserved ones.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"),
      UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "="):
      true
    default: false
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}
