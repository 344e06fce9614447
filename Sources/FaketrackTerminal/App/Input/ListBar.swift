import FaketrackFeatures
import Foundation

/// The line above a list: the path of a file after `n`, completed by Tab, or a filter after `/`.
struct ListBar: Sendable {
  private enum Mode: Sendable {
    case shut, filter
    case path(Prompt)
  }

  /// The effect of what is typed.
  enum Typed {
    case changed
    /// Enter was pressed behind a path.
    case path(String)
  }

  let files: PathCompletion
  /// The endings of the names of the files.
  private let endings: [String]
  private var mode = Mode.shut
  private var filter = TextField()

  init(files: PathCompletion, endings: [String] = PathCompletion.tracks) {
    self.files = files
    self.endings = endings
  }

  /// Whether an item with this name is in the list.
  func matches(_ name: String) -> Bool {
    filter.text.isEmpty || name.localizedCaseInsensitiveContains(filter.text)
  }

  /// The text that filters the list; empty for the whole list.
  var filterText: String { filter.text }

  /// The lines of the bar, with an empty one behind it.
  private var lines: Int {
    switch mode {
    case .shut where filter.text.isEmpty: 0
    case .shut, .filter: 2
    case .path(let prompt): 1 + prompt.rows
    }
  }

  /// The keys while something is typed.
  var keys: [KeyHint]? {
    switch mode {
    case .shut: nil
    case .path: [.open, .tab, .back("cancel")]
    case .filter: [.open("to the list"), .back("show all")]
    }
  }

  mutating func openPath() {
    mode = .path(
      Prompt("File: ") { [files, endings] in files.complete($0, endings: endings) })
  }

  /// Shows the answer to the path that was typed: that it is being read, or why it cannot be.
  mutating func answer(_ opened: Loading<Int>, columns: Int) {
    guard case .path(var prompt) = mode else { return }
    var answer = TextBlock(columns: columns)
    if prompt.isAsked {
      if opened == .loading { answer.add("reading …", .muted) }
      if let failure = opened.failure { answer.add(failure) }
    }
    prompt.show(answer)
    mode = .path(prompt)
  }

  mutating func openFilter() { mode = .filter }

  /// Shuts the bar, and shows the whole list.
  mutating func shut() { self = ListBar(files: files, endings: endings) }

  /// - Returns: `nil` if the input is not for the bar.
  mutating func type(_ input: TerminalInput) -> Typed? {
    switch (mode, input) {
    case (.shut, _): return nil
    case (.filter, .key(.escape)): shut()
    case (.filter, .key(.enter)): mode = .shut
    case (.filter, _): return filter.react(to: input) ? .changed : nil
    case (.path(var prompt), _):
      let typed = prompt.type(input)
      mode = .path(prompt)
      if case .entered(let path) = typed { return .path(path) }
      if case .canceled = typed { mode = .shut }
    }
    return .changed
  }

  /// The area of the bar, and the area of the list below it.
  func areas(in area: CellArea) -> (bar: CellArea, list: CellArea) {
    let (bar, list) = area.split(afterRows: lines)
    return (bar, list)
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    guard lines > 0 else { return }
    if case .path(let prompt) = mode { return prompt.draw(in: &frame, at: area) }
    let line = area.line(0)
    let start = frame.put("Filter: ", .muted, in: line)
    filter.draw(isTyping: keys != nil, in: &frame, at: line.inset(left: start - line.column))
  }
}
