/// Text as it stands in XML, between tags or in an attribute in double quotes.
enum XMLText {
  /// Appends the text with what has a meaning in XML written as a reference, and without what XML
  /// 1.0 cannot hold (section 2.2, Char).
  static func append(_ text: String, to bytes: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      // Needed only behind `]]`, and harmless elsewhere.
      case ">": bytes += "&gt;".utf8
      case "\"": bytes += "&quot;".utf8
      // A reader turns these into spaces or line feeds unless they are references.
      case "\t": bytes += "&#9;".utf8
      case "\n": bytes += "&#10;".utf8
      case "\r": bytes += "&#13;".utf8
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      default: bytes += UTF8.encode(scalar).map { Array($0) } ?? []
      }
    }
  }
}
