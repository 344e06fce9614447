import FaketrackFeatures

/// About: what this is, credits and licenses, and where to report a fault.
@MainActor
final class AboutScene: Scene {
  private let about: About
  private var scroll = TextScroll()

  let title = "About"

  init(_ about: About) {
    self.about = about
  }

  func keys(in area: CellArea) -> [KeyHint] { [] }

  func appear() -> [AppReaction] { [] }

  func update(in area: CellArea) -> [AppReaction] {
    scroll.fit(lines: text(columns: area.columns).lines.count, visible: area.rows)
    return []
  }

  func react(to input: TerminalInput, in area: CellArea) -> [AppReaction]? {
    let lines = text(columns: area.columns).lines.count
    return scroll.move(by: input, lines: lines, visible: area.rows) ? [] : nil
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    text(columns: area.columns).draw(from: scroll.first, in: &frame, at: area)
  }

  private func text(columns: Int) -> TextBlock {
    var block = TextBlock(columns: min(columns, 90))
    block.add(about.summary)
    for section in about.sections {
      block.addSpace()
      block.add(section.title, .heading)
      for paragraph in section.paragraphs {
        block.add(paragraph.map(\.text).joined())
        for piece in paragraph {
          guard let link = piece.link?.absoluteString else { continue }
          block.add(link, CellStyle(.accent, link: link), indent: 2)
        }
      }
    }
    return block
  }
}
