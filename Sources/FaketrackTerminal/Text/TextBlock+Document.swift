import Cities
import FaketrackFeatures
import FaketrackSupport

extension TextBlock {
  /// The lines of a document; a line of a city can be chosen, by the id of the city.
  init(_ document: Document, columns: Int) {
    self.init(columns: columns)
    addHead(of: document)
    for section in document.sections { add(section) }
  }

  mutating func addHead(of document: Document) {
    if let title = document.title {
      add([
        (title.safeForTerminal, .heading),
        (document.isStarred ? "  ★" : "", CellStyle(ink: .highlight)),
      ])
    }
    if let lead = document.lead { add(lead.safeForTerminal) }
  }

  mutating func add(_ section: Document.Section) {
    if let title = section.title {
      addSpace()
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
      case .cities(let rows): for row in rows { add(row) }
      case .items(let names):
        let bar = CellStyle(ink: section.color.map { .group($0) } ?? .plain)
        for name in names { add([("│ ", bar), (name.safeForTerminal, .plain)]) }
      case .failure(let title, let failure):
        add(title, .heading, indent: indent)
        add(failure, indent: indent)
      case .waiting(let lines):
        for line in 0..<lines {
          let share = line == lines - 1 ? 0.6 : 0.9
          let bar = String(repeating: "░", count: Int(Double(columns - indent) * share))
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
    let columns = min(width ?? 100, 100)
    var block = TextBlock(columns: columns)
    block.addHead(of: document)
    var text = ""
    for var section in document.sections {
      var cities: [CityRow] = []
      section.blocks.removeAll { block in
        guard case .cities(let rows) = block else { return false }
        cities += rows
        return true
      }
      block.add(section)
      if cities.isEmpty { continue }
      text += block.text(in: self) + self.text(cities)
      block = TextBlock(columns: columns)
    }
    return text + block.text(in: self)
  }
}
