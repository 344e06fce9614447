/// Text from a file made fit for a message: short, one line, nothing that steers a terminal.
enum PrintableText {
  /// The bytes as text of at most `limit` characters, an ellipsis included.
  ///
  /// Runs of white space become one space; control and formatting characters, with which a name
  /// could rewrite what a terminal shows, become U+FFFD.
  static func string(_ bytes: some Sequence<UInt8>, limit: Int = 40) -> String {
    // No character that matters takes more than four bytes; the rest is never decoded.
    let head = Array(bytes.prefix(limit * 4 + 1))
    var result = ""
    var count = 0
    var isAfterSpace = true
    for scalar in String(decoding: head, as: UTF8.self).unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if isSpace && isAfterSpace { continue }
      if count == limit {
        result.unicodeScalars.removeLast()
        return result + "…"
      }
      result.unicodeScalars.append(isSpace ? " " : isSafe(scalar) ? scalar : "\u{FFFD}")
      isAfterSpace = isSpace
      count += 1
    }
    if result.hasSuffix(" ") { result.unicodeScalars.removeLast() }
    return result
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }
}
