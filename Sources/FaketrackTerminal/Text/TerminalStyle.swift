import FaketrackFeatures
import FaketrackSupport

/// The style of the output of commands.
package struct TerminalStyle: Hashable, Sendable {
  package var hasColor: Bool
  /// The columns of a line; `nil` for unlimited lines.
  package var width: Int?
  package var clocks: Clocks

  package init(hasColor: Bool = false, width: Int? = nil, clocks: Clocks = .local) {
    self.hasColor = hasColor
    self.width = width
    self.clocks = clocks
  }

  package func bold(_ text: String) -> String { wrap(text, in: 1) }
  package func dim(_ text: String) -> String { wrap(text, in: 2) }
  package func colored(_ text: String, _ ink: CellStyle.Ink) -> String {
    hasColor ? styled(text, CellStyle(ink: ink)) : text
  }

  /// A line of progress, cut to the width of the terminal.
  func progress(_ columns: [String?]) -> String {
    let line = columns.compactMap(\.self).joined(separator: "  ")
    return width.map { line.truncated(toColumns: max(1, $0 - 1)) } ?? line
  }

  func styled(_ text: String, _ style: CellStyle) -> String {
    style.codes(in: .basic).split(separator: ";").reversed().reduce(text) { text, code in
      wrap(text, in: Int(code) ?? 0)
    }
  }

  private func wrap(_ text: String, in code: Int) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The columns that the text occupies in a terminal.
  package var columns: Int {
    // Most text is ASCII or plain, with a column for each scalar, which are counted faster.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
    var text = self
    if text.withUTF8({ $0.isPlain }) { return unicodeScalars.count }
    return reduce(0) { $0 + $1.columns }
  }

  /// The text cut to at most `limit` columns, with an ellipsis if anything is missing.
  func truncated(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var width = 0
    let start = prefix { character in
      width += character.columns
      return width < limit
    }
    return start + "…"
  }

  package func padded(toColumns width: Int, onLeft: Bool = false) -> String {
    let missing = width - columns
    if missing <= 0 { return self }
    let filling = String(repeating: " ", count: missing)
    return onLeft ? filling + self : self + filling
  }

  /// The text in lines of at most `width` columns, broken between words.
  package func wrapped(toColumns width: Int) -> String {
    var lines = [""]
    for word in split(separator: " ").map(String.init) {
      let last = lines.removeLast()
      if last.isEmpty {
        lines.append(word)
      } else if last.columns + 1 + word.columns <= width {
        lines.append(last + " " + word)
      } else {
        lines += [last, word]
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension Character {
  /// The columns that the character occupies in a terminal: 0, 1 or 2.
  var columns: Int {
    var scalars = unicodeScalars[...]
    guard let first = scalars.popFirst() else { return 0 }
    return scalars.reduce(first.columns) { min(2, $0 + ($1.joins ? 0 : $1.columns)) }
  }
}

extension Unicode.Scalar {
  /// Whether it adds no columns to the scalar before: skin tones, vowels and finals of Korean.
  fileprivate var joins: Bool {
    switch value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x1F3FB...0x1F3FF: true
    default: false
    }
  }

  /// 0 for marks, 2 for the wide scripts of East Asia and emoji, 1 for the rest.
  ///
  /// Source: Unicode Standard Annex 11, East Asian Width. The letters of flags are one column each.
  fileprivate var columns: Int {
    if (0x20..<0x7F).contains(value) { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      return 2
    case 0x1F1E6...0x1F1FF: return 1
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}
