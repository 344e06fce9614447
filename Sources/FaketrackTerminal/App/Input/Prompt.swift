import FaketrackSupport

/// A line that is typed behind a label, with the completions or the answer below it.
struct Prompt: Sendable {
  enum Typed {
    case changed
    /// Enter was pressed behind a text.
    case entered(String)
    case canceled
  }

  typealias Complete = @Sendable (String) -> (text: String, completions: [String])

  private let label: String
  private let complete: Complete
  private var field = TextField()
  private var completions: [String] = []
  /// The number of the first completion that is shown.
  private var first = 0
  /// Whether Enter was pressed behind the text as it is.
  private(set) var isAsked = false
  /// The answer to the text, below it.
  private var answer = TextBlock(columns: 0)

  private static let completionLimit = 5

  init(_ label: String, complete: @escaping Complete) {
    self.label = label
    self.complete = complete
  }

  /// The number of lines.
  var rows: Int {
    1 + (completions.isEmpty ? answer.lines.count : shown.count)
  }

  /// The completions, a part of them where there are many.
  private var shown: [String] {
    let part = completions.dropFirst(first).prefix(Self.completionLimit)
    let rest = completions.count - part.count
    return Array(part) + (rest > 0 ? ["… \(rest) more: Tab"] : [])
  }

  /// Takes what is typed. The text stays after Enter: it may have to be corrected.
  ///
  /// - Returns: `nil` if the input is not for it.
  mutating func type(_ input: TerminalInput) -> Typed? {
    let before = completions
    completions = []
    switch input {
    case .key(.escape): return .canceled
    case .key(.enter):
      isAsked = !field.text.isEmpty
      return isAsked ? .entered(field.text) : .canceled
    case .key(.tab):
      let (start, completions) = complete(field.text)
      // The only one is in the field.
      self.completions = completions.count == 1 ? [] : completions
      let next = first + Self.completionLimit
      first = completions == before && next < completions.count ? next : 0
      field = TextField(start)
    default: return field.react(to: input) ? .changed : nil
    }
    return .changed
  }

  mutating func show(_ answer: TextBlock) { self.answer = answer }

  func draw(in frame: inout Frame, at area: CellArea) {
    let line = area.line(0)
    let start = frame.put(label, .muted, in: line)
    field.draw(in: &frame, at: line.inset(left: start - line.column))
    for (row, completion) in shown.enumerated() {
      let place = area.line(row + 1).inset(left: start - line.column)
      frame.put(completion.safeForTerminal, .muted, in: place)
    }
    if completions.isEmpty { answer.draw(in: &frame, at: area.inset(top: 1)) }
  }
}
