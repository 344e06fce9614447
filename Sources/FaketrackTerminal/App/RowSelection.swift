/// Rows of which one is chosen, and of which a part is to be seen.
package struct RowSelection: Hashable, Sendable {
  /// The row that is chosen.
  package private(set) var row = 0
  /// The first row that is to be seen.
  package private(set) var first = 0

  package init() {}

  /// Keeps the chosen row among so many, and in sight.
  package mutating func fit(count: Int, visible: Int) {
    row = min(max(0, row), max(0, count - 1))
    first = min(first, row)
    first = max(first, row - max(1, visible) + 1, 0)
    first = min(first, max(0, count - visible))
  }

  /// Chooses a row.
  package mutating func choose(_ row: Int, of count: Int, visible: Int) {
    self.row = row
    fit(count: count, visible: visible)
  }

  /// Moves as keys and the wheel say.
  ///
  /// - Returns: whether the input was one that moves.
  package mutating func move(by input: TerminalInput, count: Int, visible: Int) -> Bool {
    let step =
      switch input {
      case .key(.up), .key(.character("k")): -1
      case .key(.down), .key(.character("j")): 1
      case .key(.pageUp): -max(1, visible - 1)
      case .key(.pageDown): max(1, visible - 1)
      case .key(.home), .key(.character("g")): -count
      case .key(.end), .key(.character("G")): count
      case .wheel(let steps, _): 3 * steps
      default: 0
      }
    guard step != 0 else { return false }
    choose(min(max(0, row + step), max(0, count - 1)), of: count, visible: visible)
    return true
  }
}

/// Text of which a part is to be seen, and that keys and the wheel move through.
struct TextScroll: Hashable, Sendable {
  /// The first line that is to be seen.
  private(set) var first = 0

  /// Keeps the last line at the bottom at most.
  mutating func fit(lines: Int, visible: Int) {
    first = min(max(0, first), max(0, lines - visible))
  }

  /// Moves as keys and the wheel say.
  ///
  /// - Returns: whether the input was one that moves.
  mutating func move(by input: TerminalInput, lines: Int, visible: Int) -> Bool {
    let count = max(0, lines - visible) + 1
    var rows = RowSelection()
    rows.choose(first, of: count, visible: visible)
    guard rows.move(by: input, count: count, visible: visible) else { return false }
    first = rows.row
    return true
  }
}
