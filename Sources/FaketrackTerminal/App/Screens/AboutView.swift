import FaketrackFeatures

/// About: version, credits and licenses, and how to report a problem.
struct AboutView: ScreenView {
  typealias State = Document
  typealias Action = Never

  private var pane = ListPane()

  func title(_ state: State) -> String { "About" }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    pane.show(TextBlock(state, columns: min(area.columns, 90)), visible: area.rows)
    return []
  }

  mutating func move(by input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    pane.move(by: input) ? [] : nil
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    pane.draw(in: &frame, at: area)
  }
}
