/// How text is shown: its colors, if any, and its width.
package struct TerminalStyle: Hashable, Sendable {
  /// Colors of the basic palette, which the user's own theme keeps readable on any background.
  package enum Color: Int, Hashable, Sendable, CaseIterable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36
  }

  package var hasColor: Bool
  /// Columns of a line, or `nil` where lines have no end.
  package var width: Int?

  package init(hasColor: Bool = false, width: Int? = nil) {
    self.hasColor = hasColor
    self.width = width
  }

  package func bold(_ text: String) -> String { wrap(text, in: 1) }
  package func dim(_ text: String) -> String { wrap(text, in: 2) }
  package func colored(_ text: String, _ color: Color) -> String { wrap(text, in: color.rawValue) }

  private func wrap(_ text: String, in code: Int) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// How many columns of a terminal the text occupies.
  package var columns: Int {
    unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The text cut to at most `limit` columns, with an ellipsis if anything is missing.
  package func truncated(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var start = ""
    var width = 0
    for character in self {
      let next = String(character).columns
      if width + next > limit - 1 { break }
      start.append(character)
      width += next
    }
    return start + "…"
  }

  /// The text padded to `width` columns with spaces on the right, or on the left.
  package func padded(toColumns width: Int, onLeft: Bool = false) -> String {
    let filling = String(repeating: " ", count: max(0, width - columns))
    return onLeft ? filling + self : self + filling
  }

  /// The text in lines of at most `width` columns, broken between words.
  func wrapped(toColumns width: Int) -> String {
    var lines: [String] = [""]
    for word in split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.columns + 1 + String(word).columns <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension Unicode.Scalar {
  /// 0 for marks, 2 for the wide scripts of East Asia and emoji, 1 for the rest.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }
}
