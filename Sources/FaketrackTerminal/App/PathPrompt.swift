/// A field for a path, which Tab completes.
struct PathPrompt: Sendable {
  let files: PathCompletion
  /// The endings of the names of the files.
  var endings = PathCompletion.tracks
  private var field: TextField?
  private var completions: [String] = []

  private static let label = "  File: "

  init(files: PathCompletion, endings: [String] = PathCompletion.tracks) {
    self.files = files
    self.endings = endings
  }

  var isOpen: Bool { field != nil }

  var keys: [KeyHint] { [.open, .tab, .back("cancel")] }

  mutating func open() { field = TextField() }

  mutating func close() {
    field = nil
    completions = []
  }

  /// Takes the input of the user. The field stays open after Enter: the path may have to be corrected.
  ///
  /// - Returns: the text to open, if Enter was pressed.
  mutating func react(to input: TerminalInput) -> String? {
    guard let text = field?.text else { return nil }
    completions = []
    switch input {
    case .key(.escape): close()
    case .key(.enter):
      if !text.isEmpty { return text }
      close()
    case .key(.tab):
      let (start, completions) = files.complete(text, endings: endings)
      self.completions = completions
      field = TextField(start)
    default: _ = field?.react(to: input)
    }
    return nil
  }

  /// Adds a line for the field, which has a number, and the possible completions.
  func add(to block: inout TextBlock, line: Int) {
    guard isOpen else { return }
    block.add([(Self.label, .muted)], choice: line)
    for completion in completions.prefix(5) {
      block.add(completion.safeForTerminal, .muted, indent: Self.label.columns)
    }
  }

  /// Draws the text of the field on its line.
  func draw(in frame: inout Frame, at line: CellArea) {
    field?.draw(in: &frame, at: line.inset(left: Self.label.columns))
  }
}
