import FaketrackFeatures

/// About: version, credits and licenses, and how to report a problem.
package struct AboutView: ScreenView {
  private var scroll = TextScroll()

  package func title(_ state: About) -> String { "About" }

  package mutating func update(_ state: About, in area: CellArea) -> [Reaction<Never>] {
    scroll.fit(lines: text(state, area).lines.count, visible: area.rows)
    return []
  }

  package mutating func react(
    to input: TerminalInput, _ state: About, in area: CellArea
  ) -> [Reaction<Never>]? {
    let lines = text(state, area).lines.count
    return scroll.move(by: input, lines: lines, visible: area.rows) ? [] : nil
  }

  package func draw(_ state: About, in frame: inout Frame, at area: CellArea) {
    text(state, area).draw(from: scroll.first, in: &frame, at: area)
  }

  private func text(_ about: About, _ area: CellArea) -> TextBlock {
    AboutText.block(for: about, columns: min(area.columns, 90))
  }
}
