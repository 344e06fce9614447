import FaketrackFeatures

/// About: what this is, and the credits of cities, photos and summaries.
@MainActor
final class AboutScene: Scene {
  private var scroll = TextScroll()

  let title = "About"

  func keys(in area: CellArea) -> [KeyHint] { [] }

  func appear() -> [AppReaction] { [] }

  func update(in area: CellArea) -> [AppReaction] {
    scroll.fit(lines: Self.text(columns: area.columns).lines.count, visible: area.rows)
    return []
  }

  func react(to input: TerminalInput, in area: CellArea) -> [AppReaction]? {
    let lines = Self.text(columns: area.columns).lines.count
    return scroll.move(by: input, lines: lines, visible: area.rows) ? [] : nil
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    Self.text(columns: area.columns).draw(from: scroll.first, in: &frame, at: area)
  }

  private static func text(columns: Int) -> TextBlock {
    var block = TextBlock(columns: min(columns, 90))
    block.add(Credits.summary)
    for section in Credits.sections {
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
