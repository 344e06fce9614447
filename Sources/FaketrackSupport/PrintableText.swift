extension String {
  /// The text without characters that control a terminal or reorder its line: control and separator
  /// characters become spaces; format, private-use and unassigned characters are removed, except between
  /// joined emoji.
  package var safeForTerminal: String {
    var text = self
    if text.withUTF8(\.isPlain) { return self }
    var safe = String.UnicodeScalarView()
    for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: safe.append(" ")
      case .format where scalar == "\u{200D}" && safe.last?.endsEmoji == true:
        let next = unicodeScalars[index...].dropFirst().first
        if next?.properties.isEmoji == true { safe.append(scalar) }
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }

  /// Replaces a scalar, even one that is only a part of a `Character`.
  package func replacing(scalar: Unicode.Scalar, with other: String) -> String {
    String(unicodeScalars.replacing(CollectionOfOne(scalar), with: other.unicodeScalars))
  }

  /// Returns the text for use in a message, in at most `limit` characters including an ellipsis.
  package func shortLine(limit: Int) -> String {
    var line = ""
    var count = 0
    for character in safeForTerminal {
      let isSpace = character.isWhitespace
      if isSpace, line.isEmpty || line.last == " " { continue }
      if count == limit {
        line.removeLast()
        return line + "…"
      }
      line.append(isSpace ? " " : character)
      count += 1
    }
    if line.last == " " { line.removeLast() }
    return line
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether UTF-8 text is certain to be printable Latin text, which cannot control a terminal.
  package var isPlain: Bool {
    var rest = UnsafeRawBufferPointer(self)
    // Of eight bytes at a time, a high bit marks one that is not ASCII, below a space, or U+007F.
    while rest.count >= 8 {
      let word = rest.loadUnaligned(as: UInt64.self)
      let below = word &- 0x2020_2020_2020_2020
      let above = word &+ 0x0101_0101_0101_0101
      guard (word | below | above) & 0x8080_8080_8080_8080 == 0 else { break }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
    }
    // U+0080 ... U+00BF, encoded with the byte C2, contain control characters and the soft hyphen;
    // all characters from there to U+02FF are visible.
    return rest.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) || (0x80..<0xC0).contains(byte) || (0xC3...0xCB).contains(byte)
    }
  }
}

extension Unicode.Scalar {
  /// Whether another emoji can be joined to one that ends with it.
  fileprivate var endsEmoji: Bool {
    self == "\u{FE0F}" || value > 0xFF && properties.isEmoji || properties.isEmojiModifier
  }
}
