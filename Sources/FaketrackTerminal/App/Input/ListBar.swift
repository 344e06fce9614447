import FaketrackFeatures
import FaketrackSupport
import Foundation

/// The line above a list: the path of a file after `n`, completed by Tab, or a filter after `/`.
struct ListBar: Sendable {
  private enum Mode: Sendable { case shut, path, filter }

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
  private var path = TextField()
  private var completions: [String] = []
  private var filter = TextField()
  /// Whether Enter was pressed behind the path as it is.
  private var isAsked = false
  /// The answer to the path, below it.
  private var answer = TextBlock(columns: 0)

  private static let completionLimit = 5

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
    if mode == .shut, filter.text.isEmpty { return 0 }
    return 2
      + (completions.isEmpty
        ? answer.lines.count : min(completions.count, Self.completionLimit))
  }

  /// The keys while something is typed.
  var keys: [KeyHint]? {
    switch mode {
    case .shut: nil
    case .path: [.open, .tab, .back("cancel")]
    case .filter: [.open("to the list"), .back("show all")]
    }
  }

  mutating func openPath() { (mode, path, isAsked) = (.path, TextField(), false) }

  /// Shows the answer to the path that was typed: that it is being read, or why it cannot be.
  mutating func answer(_ opened: Loading<Int>, columns: Int) {
    answer = TextBlock(columns: columns)
    guard mode == .path, isAsked else { return }
    if opened == .loading { answer.add("reading …", .muted) }
    if let failure = opened.failure { answer.add(failure) }
  }

  mutating func openFilter() { mode = .filter }

  /// Shuts the bar, and shows the whole list.
  mutating func shut() { self = ListBar(files: files, endings: endings) }

  /// Takes what is typed. The path stays after Enter: it may have to be corrected.
  ///
  /// - Returns: `nil` if the input is not for the bar.
  mutating func type(_ input: TerminalInput) -> Typed? {
    completions = []
    switch (mode, input) {
    case (.shut, _): return nil
    case (.filter, .key(.escape)): shut()
    case (.path, .key(.escape)), (.filter, .key(.enter)): mode = .shut
    case (.path, .key(.enter)):
      isAsked = !path.text.isEmpty
      if isAsked { return .path(path.text) }
      mode = .shut
    case (.path, .key(.tab)):
      let (start, completions) = files.complete(path.text, endings: endings)
      self.completions = completions
      path = TextField(start)
    case (.path, _): _ = path.react(to: input)
    case (.filter, _): return filter.react(to: input) ? .changed : nil
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
    let line = area.line(0)
    let start = frame.put(mode == .path ? "File: " : "Filter: ", .muted, in: line)
    let field = mode == .path ? path : filter
    field.draw(isTyping: mode != .shut, in: &frame, at: line.inset(left: start - line.column))
    for (row, completion) in completions.prefix(Self.completionLimit).enumerated() {
      let place = area.line(row + 1).inset(left: start - line.column)
      frame.put(completion.safeForTerminal, .muted, in: place)
    }
    if completions.isEmpty { answer.draw(in: &frame, at: area.inset(top: 1)) }
  }
}
