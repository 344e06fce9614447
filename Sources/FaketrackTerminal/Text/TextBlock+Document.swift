import Cities
import FaketrackFeatures
import FaketrackSupport

extension TextBlock {
  /// The lines of a document; a line of a city can be chosen, by the id of the city.
  ///
  /// - Parameters:
  ///   - tableStyle: makes a table of cities, with their ids, in this style.
  ///   - complete: adds the lines behind a section that a screen has beyond the document.
  init(
    _ document: Document, columns: Int, tableStyle: TerminalStyle? = nil,
    complete: (Document.Section, inout TextBlock) -> Void = { _, _ in }
  ) {
    self.init(columns: columns)
    addHead(of: document)
    for (number, section) in document.sections.enumerated() {
      if number > 0 || section.title != nil { addSpace() }
      add(section, tableStyle: tableStyle)
      complete(section, &self)
    }
  }

  private mutating func addHead(of document: Document) {
    if let title = document.title {
      add([
        (title.safeForTerminal, .heading),
        (document.isStarred ? " ★" : "", CellStyle(ink: .highlight)),
      ])
    }
    if let lead = document.lead { add(lead.safeForTerminal) }
  }

  private mutating func add(_ section: Document.Section, tableStyle: TerminalStyle?) {
    if let title = section.title {
      let style = CellStyle(ink: section.color.map { .group($0) } ?? .plain, isBold: true)
      let count = section.count.map { "  " + Quantity.count($0, "item") } ?? ""
      add([(title.safeForTerminal, style), (count, .muted)])
    }
    let indent = section.title == nil ? 0 : 2
    for block in section.blocks {
      switch block {
      case .paragraph(let pieces, let isMuted):
        let words = pieces.map { $0.text + ($0.link.map { " (\($0.absoluteString))" } ?? "") }
        add(words.joined().safeForTerminal, isMuted ? .muted : .plain, indent: indent)
      case .facts(let facts): add(facts, indent: indent)
      case .hints(let hints):
        let width = hints.map(\.name.columns).max() ?? 0
        for hint in hints {
          add([
            ("  ", .plain), (hint.name.padded(toColumns: width), CellStyle(ink: .accent)),
            ("  " + hint.value, .plain),
          ])
        }
      case .cities(let rows):
        if let tableStyle {
          for line in tableStyle.text(rows).split(separator: "\n") { add([(String(line), .plain)]) }
        } else {
          for row in rows { add(row) }
        }
      case .items(let names):
        let bar = CellStyle(ink: section.color.map { .group($0) } ?? .plain)
        for name in names { add([("│ ", bar), (name.safeForTerminal, .plain)]) }
      case .failure(let title, let failure):
        add(title, .heading, indent: indent)
        add(failure, indent: indent)
      case .waiting(let lines):
        for line in 0..<lines {
          let share = line == lines - 1 ? 0.6 : 0.9
          let bar = String(repeating: "░", count: Int(Double(max(0, columns - indent)) * share))
          add(bar, .muted, indent: indent)
        }
      }
    }
  }

  private mutating func add(_ row: CityRow) {
    let distance = Quantity.distance(row.distance ?? 0).padded(toColumns: 9, onLeft: true)
    add(
      [
        (distance + "  ", .muted), (row.city.name.safeForTerminal, .plain),
        (row.isFavorite ? " ★" : "", CellStyle(ink: .highlight)),
      ], choice: row.city.id)
  }
}

extension TerminalStyle {
  /// A document as the output of a command, where cities are a table with their ids.
  package func text(_ document: Document) -> String {
    TextBlock(document, columns: min(width ?? 100, 100), tableStyle: self).text(in: self)
  }
}
