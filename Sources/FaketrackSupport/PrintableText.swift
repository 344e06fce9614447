extension String {
  /// Whether the text is certain to be printable Latin text, which cannot control a terminal; a fast check
  /// of its bytes.
  package var isPlain: Bool {
    var text = self
    return text.withUTF8 { $0.isPlain }
  }

  /// The text without characters that control a terminal or reorder its line: control and separator
  /// characters become spaces; format, private-use and unassigned characters are removed.
  package var safeForTerminal: String {
    if isPlain { return self }
    var safe = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: safe.append(" ")
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }

  /// Returns the text with every occurrence of a scalar replaced.
  ///
  /// This includes a scalar that is only a part of a `Character`, such as a quotation mark before a
  /// combining accent.
  package func replacing(scalar: Unicode.Scalar, with other: String) -> String {
    String(unicodeScalars.replacing(CollectionOfOne(scalar), with: other.unicodeScalars))
  }

  /// Returns the text for use in a message: safe for a terminal, with white space collapsed.
  ///
  /// - Parameter limit: The maximum number of characters including an ellipsis, at least 1.
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
  /// Whether UTF-8 text is plain, as ``Swift/String/isPlain``.
  package var isPlain: Bool {
    var rest = UnsafeRawBufferPointer(self)
    // Checks eight bytes at a time: a high bit marks one that is not ASCII, below a space, or U+007F.
    while rest.count >= 8 {
      let word = rest.loadUnaligned(as: UInt64.self)
      let below = word &- 0x2020_2020_2020_2020
      let above = word &+ 0x0101_0101_0101_0101
      guard (word | below | above) & 0x8080_8080_8080_8080 == 0 else { break }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
    }
    // U+0080 ... U+00BF, encoded with the byte C2, contain control characters and the soft hyphen; all
    // characters from there to U+02FF are visible.
    return rest.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) || (0x80..<0xC0).contains(byte) || (0xC3...0xCB).contains(byte)
    }
  }
}
