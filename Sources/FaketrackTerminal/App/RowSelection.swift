/// A list of rows with a chosen and a first visible one.
package struct RowSelection: Hashable, Sendable {
  /// The chosen row.
  package private(set) var row = 0
  /// The first visible row.
  package private(set) var first = 0

  package init() {}

  /// Keeps the chosen row within the count, and visible.
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

  /// Moves by keys and the wheel.
  ///
  /// - Returns: whether the input moves the selection.
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

/// A text that keys and the wheel scroll.
struct TextScroll: Hashable, Sendable {
  /// The first visible line.
  private(set) var first = 0

  /// Keeps the last line at or below the bottom.
  mutating func fit(lines: Int, visible: Int) {
    first = min(max(0, first), max(0, lines - visible))
  }

  /// Scrolls by keys and the wheel.
  ///
  /// - Returns: whether the input scrolls.
  mutating func move(by input: TerminalInput, lines: Int, visible: Int) -> Bool {
    let count = max(0, lines - visible) + 1
    var rows = RowSelection()
    rows.choose(first, of: count, visible: visible)
    guard rows.move(by: input, count: count, visible: visible) else { return false }
    first = rows.row
    return true
  }
}
