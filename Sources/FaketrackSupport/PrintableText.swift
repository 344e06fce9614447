extension String {
  /// Whether the text is nothing but letters, digits and signs of the Latin scripts, as far as its
  /// bytes tell at a glance: then it holds nothing that could steer a terminal.
  package var isPlain: Bool {
    var text = self
    return text.withUTF8 { $0.isPlain }
  }

  /// The text without what could steer a terminal or reorder its line: control and separator
  /// characters become spaces, those without a width or a meaning are dropped.
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

  /// The text with another one in place of a scalar, wherever that stands.
  ///
  /// What Swift takes for one character may begin with it: a quotation mark and an accent after it
  /// are one, but not for who reads the bytes.
  package func replacing(scalar: Unicode.Scalar, with other: String) -> String {
    String(unicodeScalars.replacing(CollectionOfOne(scalar), with: other.unicodeScalars))
  }

  /// The text in a form that fits a message: safe for a terminal, with white space collapsed, and
  /// no more than `limit` characters, an ellipsis included.
  ///
  /// - Parameter limit: at least 1.
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
  /// Whether text in UTF-8 is plain as ``Swift/String/isPlain`` says.
  package var isPlain: Bool {
    var rest = UnsafeRawBufferPointer(self)
    // Eight bytes at once: a high bit tells of one that is not ASCII, below a space, or U+007F.
    while rest.count >= 8 {
      let word = rest.loadUnaligned(as: UInt64.self)
      let below = word &- 0x2020_2020_2020_2020
      let above = word &+ 0x0101_0101_0101_0101
      guard (word | below | above) & 0x8080_8080_8080_8080 == 0 else { break }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
    }
    // U+0080 ... U+00BF, after the byte C2, hold the control characters and the soft hyphen; every
    // character from there up to U+02FF is visible.
    return rest.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) || (0x80..<0xC0).contains(byte) || (0xC3...0xCB).contains(byte)
    }
  }
}
