import FaketrackSupport

/// A line of text that is being typed.
struct TextField: Hashable, Sendable {
  private(set) var text: String
  private(set) var position: Int

  private static let limit = 1_000

  init(_ text: String = "") {
    self.text = text
    position = text.count
  }

  private var start: Substring { text.prefix(position) }

  /// Draws the text, scrolled to show the cursor, and the cursor while the user types.
  func draw(isTyping: Bool = true, in frame: inout Frame, at area: CellArea) {
    var shown = Array(text.safeForTerminal)
    var cursor = String(start).safeForTerminal.columns
    while cursor >= max(1, area.columns), !shown.isEmpty {
      cursor -= shown.removeFirst().columns
    }
    frame.put(String(shown), CellStyle(isUnderlined: isTyping), in: area)
    if isTyping { frame.cursor = CellPosition(column: area.column + cursor, row: area.row) }
  }

  /// - Returns: whether the field uses the input.
  mutating func react(to input: TerminalInput) -> Bool {
    switch input {
    case .key(.character(let character)): insert(String(character))
    case .paste(let pasted): insert(pasted.filter { !$0.isNewline })
    case .key(.backspace): removeBefore(1)
    case .key(.control("u")): removeBefore(position)
    case .key(.control("w")):
      let spaces = start.reversed().prefix { $0 == " " }.count
      removeBefore(spaces + start.dropLast(spaces).reversed().prefix { $0 != " " }.count)
    case .key(.delete):
      if position < text.count { text.remove(at: text.index(text.startIndex, offsetBy: position)) }
    case .key(.left): position = max(0, position - 1)
    case .key(.right): position = min(text.count, position + 1)
    case .key(.home), .key(.control("a")): position = 0
    case .key(.end), .key(.control("e")): position = text.count
    default: return false
    }
    return true
  }

  private mutating func insert(_ new: String) {
    // An accent may join the character before it.
    let before = String(start) + new.prefix(max(0, Self.limit - text.count))
    text = before + text.dropFirst(position)
    position = min(before.count, text.count)
  }

  private mutating func removeBefore(_ count: Int) {
    let kept = start.dropLast(count)
    text = String(kept) + text.dropFirst(position)
    position = kept.count
  }
}
