import FaketrackFeatures
import FaketrackSupport

/// Lines of styled text, for the app and for the output of commands.
struct TextBlock {
  struct Line {
    var pieces: [(text: String, style: CellStyle)] = []
    /// The number of this line among those that can be chosen.
    var choice: Int?
    /// Whether the user types into this line.
    var isField = false
  }

  private(set) var lines: [Line] = []
  let columns: Int

  init(columns: Int) {
    self.columns = max(1, columns)
  }

  /// Adds a text, wrapped between words.
  mutating func add(_ text: String, _ style: CellStyle = .plain, indent: Int = 0) {
    let wrapped = text.wrapped(toColumns: max(1, columns - indent))
    for line in wrapped.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(
        Line(pieces: [(String(repeating: " ", count: indent), .plain), (String(line), style)]))
    }
  }

  /// Adds a name and a value, in two columns.
  mutating func add(fact name: String, _ value: String, width: Int = 12) {
    lines.append(Line(pieces: [(name.padded(toColumns: width), .muted), (value, .plain)]))
  }

  /// Adds a line without wrapping it.
  ///
  /// - Parameter choice: its number among the lines that can be chosen.
  mutating func add(_ pieces: [(text: String, style: CellStyle)], choice: Int? = nil) {
    lines.append(Line(pieces: pieces, choice: choice))
  }

  /// Adds a line for typing.
  mutating func addField(_ prompt: String, _ text: String) {
    lines.append(
      Line(pieces: [(prompt, .muted), (text, CellStyle(isUnderlined: true))], isField: true))
  }

  /// Adds an error with its hint.
  mutating func add(_ failure: Failure) {
    add(failure.message.safeForTerminal, CellStyle(.failure))
    if let hint = failure.hint { add(hint.safeForTerminal, .muted) }
  }

  mutating func addSpace() {
    if !lines.isEmpty { lines.append(Line()) }
  }

  /// The position of the line with a choice.
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
        column = frame.put(
          piece.text, piece.style, column: column, row: area.row + row, in: area)
      }
      if let choice = line.choice, choice == chosen {
        frame.markChosen(area.inset(top: row).split(afterRows: 1).top)
      }
    }
  }
}
