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

  mutating func add(fact name: String, _ value: String, width: Int = 12) {
    add([(name.padded(toColumns: width), .muted), (value, .plain)])
  }

  /// Adds a line without wrapping it, which has a number if it can be chosen.
  mutating func add(_ pieces: [(text: String, style: CellStyle)], choice: Int? = nil) {
    lines.append((pieces, choice))
  }

  mutating func add(_ failure: Failure) {
    add(failure.message.safeForTerminal, CellStyle(ink: .failure))
    if let hint = failure.hint { add(hint.safeForTerminal, .muted) }
  }

  mutating func addSpace() {
    if !lines.isEmpty { add([]) }
  }

  func line(of choice: Int) -> Int? { lines.firstIndex { $0.choice == choice } }

  /// The choice on a line; `nil` for a line without one or outside of the text.
  func choice(on line: Int) -> Int? { lines.indices.contains(line) ? lines[line].choice : nil }

  /// The lines as output of a command.
  func text(in style: TerminalStyle) -> String {
    lines.map { line in
      line.pieces.map { style.styled($0.text, $0.style) }.joined() + "\n"
    }.joined()
  }

  /// Draws the lines, starting with number `first`; the chosen one is inverse.
  func draw(from first: Int = 0, chosen: Int? = nil, in frame: inout Frame, at area: CellArea) {
    for (row, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
      var column = area.column
      for piece in line.pieces {
        column = frame.put(piece.text, piece.style, column: column, row: area.row + row, in: area)
      }
      if let choice = line.choice, choice == chosen { frame.markChosen(area.line(row)) }
    }
  }
}
