import FaketrackFeatures

/// The About screen as text, with the addresses of its links.
package enum AboutText {
  package static func text(for about: About, style: TerminalStyle) -> String {
    block(for: about, columns: min(style.width ?? 100, 100)).text(in: style)
  }

  static func block(for about: About, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    block.add(about.summary)
    for section in about.sections {
      block.addSpace()
      block.add(section.title, .heading)
      for paragraph in section.paragraphs {
        let words = paragraph.map { piece in
          piece.text + (piece.link.map { " (\($0.absoluteString))" } ?? "")
        }
        block.add(words.joined(), indent: 2)
      }
    }
    return block
  }
}
