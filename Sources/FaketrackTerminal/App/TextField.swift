import FaketrackSupport

/// A line of text that is being typed.
package struct TextField: Hashable, Sendable {
  package private(set) var text: String
  /// The number of characters before the cursor.
  package private(set) var position: Int

  /// The maximum number of characters.
  private static let limit = 1_000

  package init(_ text: String = "") {
    self.text = text
    position = text.count
  }

  /// The text before the cursor.
  package var start: Substring { text.prefix(position) }

  /// The visible part of the text, and the column of the cursor in it.
  func visible(columns: Int) -> (text: String, cursor: Int) {
    var shown = Array(text.safeForTerminal)
    var cursor = String(start).safeForTerminal.columns
    while cursor >= max(1, columns), !shown.isEmpty {
      cursor -= shown.removeFirst().columns
    }
    return (String(shown), cursor)
  }

  /// - Returns: whether the field uses the input.
  package mutating func react(to input: TerminalInput) -> Bool {
    switch input {
    case .key(.character(let character)): insert(String(character))
    case .paste(let pasted): insert(pasted.filter { !$0.isNewline })
    case .key(.backspace): removeBefore(1)
    case .key(.control("u")): removeBefore(position)
    case .key(.control("w")):
      removeBefore(start.reversed().drop { $0 == " " }.prefix { $0 != " " }.count + trailingSpaces)
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

  private var trailingSpaces: Int { start.reversed().prefix { $0 == " " }.count }

  private mutating func insert(_ new: String) {
    // An accent may join the character before it.
    let before = String(start) + new.prefix(max(0, Self.limit - text.count))
    text = before + text.dropFirst(position)
    position = min(before.count, text.count)
  }

  private mutating func removeBefore(_ count: Int) {
    let end = text.index(text.startIndex, offsetBy: position)
    let start = text.index(end, offsetBy: -min(count, position))
    position -= text.distance(from: start, to: end)
    text.removeSubrange(start..<end)
  }
}
