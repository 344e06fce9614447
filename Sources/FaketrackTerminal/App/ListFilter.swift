import FaketrackSupport
import Foundation

/// The text that filters a list, typed after `/`.
struct ListFilter: Sendable {
  private var field = TextField()
  private(set) var isTyping = false

  static let label = "Filter: "

  var text: String { field.text }
  var isShown: Bool { isTyping || !text.isEmpty }

  func matches(_ name: String) -> Bool {
    text.isEmpty || name.localizedCaseInsensitiveContains(text)
  }

  var keys: [KeyHint] { [.open("to the list"), .back("show all")] }

  /// - Returns: whether the filter uses the input.
  mutating func react(to input: TerminalInput) -> Bool {
    switch input {
    case .key(.character("/")) where !isTyping: isTyping = true
    case .key(.escape) where isShown: self = ListFilter()
    case .key(.enter) where isTyping: isTyping = false
    default: return isTyping && field.react(to: input)
    }
    return true
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    let start = frame.put(Self.label, .muted, in: area)
    field.draw(isTyping: isTyping, in: &frame, at: area.inset(left: start - area.column))
  }
}
