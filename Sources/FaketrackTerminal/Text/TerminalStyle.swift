/// How text is shown: its colours, if any, and its width.
package struct TerminalStyle: Hashable, Sendable {
  /// Colours of the basic palette, which the user's own theme keeps readable on any background.
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
