import FaketrackFeatures

/// The About screen, for reading, with the addresses that its links lead to.
package enum AboutText {
  package static func text(for about: About, style: TerminalStyle) -> String {
    let width = min(style.width ?? 100, 100)
    var text = about.summary.wrapped(toColumns: width) + "\n"
    for section in about.sections {
      text += "\n" + style.bold(section.title) + "\n"
      for paragraph in section.paragraphs {
        let words = paragraph.map { piece in
          piece.text + (piece.link.map { " (\($0.absoluteString))" } ?? "")
        }
        for line in words.joined().wrapped(toColumns: width - 2).split(separator: "\n") {
          text += "  \(line)\n"
        }
      }
    }
    return text
  }
}
