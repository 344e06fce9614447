import FaketrackFeatures
import FaketrackSupport

/// The grouped lists as text: a heading for each list, in one of several colors.
package struct ListsText: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(_ feed: ListFeed) -> String {
    var block = TextBlock(columns: style.width ?? 100)
    block.add(feed)
    return block.text(in: style)
  }
}

extension TextBlock {
  /// Adds the lists of a feed.
  mutating func add(_ feed: ListFeed) {
    for (number, group) in feed.groups.enumerated() {
      addSpace()
      let count = Quantity.count(group.items.count, "item")
      add([("List \(group.id)", CellStyle(.group(number), isBold: true)), ("  \(count)", .muted)])
      for item in group.items {
        add([("│ ", CellStyle(.group(number))), (item.name.safeForTerminal, .plain)])
      }
    }
  }
}

extension ListFeed {
  /// One object per line.
  package var ndjson: String {
    groups.flatMap { group in
      group.items.map { item in
        let object: JSONValue = [
          "listId": .integer(group.id), "id": .integer(item.id), "name": .string(item.name),
        ]
        return object.serialized + "\n"
      }
    }.joined()
  }
}
