/// A list of rows with a chosen and a first visible one.
struct RowSelection: Hashable, Sendable {
  private(set) var row = 0
  private(set) var first = 0

  /// Chooses a row, within the count, and keeps it visible.
  mutating func choose(_ row: Int, of count: Int, visible: Int) {
    self.row = min(max(0, row), max(0, count - 1))
    first = max(min(first, self.row), self.row - max(1, visible) + 1, 0)
    first = min(first, max(0, count - visible))
  }

  mutating func move(by input: TerminalInput, count: Int, visible: Int) -> Bool {
    guard let step = input.step(count: count, visible: visible) else { return false }
    choose(row + step, of: count, visible: visible)
    return true
  }
}

/// A text that keys and the wheel scroll.
struct TextScroll: Sendable {
  private(set) var first = 0
  private(set) var text = TextBlock(columns: 0)

  /// Shows a text, with its last line at or below the bottom.
  mutating func show(_ text: TextBlock, visible: Int) {
    self.text = text
    scroll(to: first, visible: visible)
  }

  mutating func move(by input: TerminalInput, visible: Int) -> Bool {
    guard let step = input.step(count: text.lines.count, visible: visible) else { return false }
    scroll(to: first + step, visible: visible)
    return true
  }

  func draw(chosen: Int? = nil, in frame: inout Frame, at area: CellArea) {
    text.draw(from: first, chosen: chosen, in: &frame, at: area)
  }

  private mutating func scroll(to line: Int, visible: Int) {
    first = min(max(0, line), max(0, text.lines.count - visible))
  }
}

extension TerminalInput {
  /// The rows to move by in a list; `nil` for input that does not move.
  fileprivate func step(count: Int, visible: Int) -> Int? {
    switch self {
    case .key(.up), .key(.character("k")): -1
    case .key(.down), .key(.character("j")): 1
    case .key(.pageUp), .key(.control("b")): -max(1, visible - 1)
    case .key(.pageDown), .key(.control("f")): max(1, visible - 1)
    case .key(.control("u")): -max(1, visible / 2)
    case .key(.control("d")): max(1, visible / 2)
    case .key(.home), .key(.character("g")): -count
    case .key(.end), .key(.character("G")): count
    case .wheel(let steps, _): 3 * steps
    default: nil
    }
  }
}
