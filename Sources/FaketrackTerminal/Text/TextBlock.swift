import FaketrackFeatures
import FaketrackSupport

/// Lines of styled text, for the app and for the output of commands.
struct TextBlock {
  /// A line that can be chosen has a number.
  typealias Line = (pieces: [(text: String, style: CellStyle)], choice: Int?)

  private(set) var lines: [Line] = []
  let columns: Int

  init(columns: Int) {
    self.columns = max(1, columns)
  }

  mutating func add(_ text: String, _ style: CellStyle = .plain, indent: Int = 0) {
    let wrapped = text.wrapped(toColumns: max(1, columns - indent))
    for line in wrapped.split(separator: "\n", omittingEmptySubsequences: false) {
      add([(String(repeating: " ", count: indent), .plain), (String(line), style)])
    }
  }

  /// Adds a line for each fact, with the values below each other.
  mutating func add(_ facts: [Document.Fact], indent: Int = 0) {
    let width = facts.map(\.name.columns).max() ?? 0
    for fact in facts {
      let name = String(repeating: " ", count: indent) + fact.name.padded(toColumns: width + 2)
      add([(name, .muted), (fact.value.safeForTerminal, .plain)])
    }
  }

  /// Adds a line without wrapping it, which has a number if it can be chosen.
  mutating func add(_ pieces: [(text: String, style: CellStyle)], choice: Int? = nil) {
    lines.append((pieces, choice))
  }

  mutating func add(_ failure: Failure, indent: Int = 0) {
    add(failure.message.safeForTerminal, CellStyle(ink: .failure), indent: indent)
    if let hint = failure.hint { add(hint.safeForTerminal, .muted, indent: indent) }
  }

  mutating func addSpace() {
    if !lines.isEmpty { lines.append((pieces: [], choice: nil)) }
  }

  /// The lines as output of a command.
  func text(in style: TerminalStyle) -> String {
    lines.map { line in
      line.pieces.map { style.styled($0.text, $0.style) }.joined() + "\n"
    }.joined()
  }

  /// Draws the lines, starting with number `first`, as far as they fit; the chosen one is inverse.
  func draw(from first: Int = 0, chosen: Int? = nil, in frame: inout Frame, at area: CellArea) {
    for (row, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
      var column = area.column
      for piece in line.pieces {
        let text = piece.text.truncated(toColumns: area.column + area.columns - column)
        column = frame.put(text, piece.style, column: column, row: area.row + row, in: area)
      }
      if let choice = line.choice, choice == chosen { frame.markChosen(area.line(row)) }
    }
  }
}
