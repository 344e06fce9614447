import FaketrackFeatures

/// About: version, credits and licenses, and how to report a problem.
struct AboutView: ScreenView {
  typealias State = About
  typealias Action = Never

  private var scroll = TextScroll()

  func title(_ state: State) -> String { "About" }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    scroll.show(TextBlock(state, columns: min(area.columns, 90)), visible: area.rows)
    return []
  }

  mutating func react(to input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    scroll.move(by: input, visible: area.rows) ? [] : nil
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    scroll.draw(in: &frame, at: area)
  }
}

extension TerminalStyle {
  package func text(_ about: About) -> String {
    TextBlock(about, columns: min(width ?? 100, 100)).text(in: self)
  }
}

extension TextBlock {
  fileprivate init(_ about: About, columns: Int) {
    self.init(columns: columns)
    add(about.summary)
    for section in about.sections {
      addSpace()
      add(section.title, .heading)
      for paragraph in section.paragraphs {
        let words = paragraph.map { $0.text + ($0.link.map { " (\($0.absoluteString))" } ?? "") }
        add(words.joined(), indent: 2)
      }
    }
  }
}
