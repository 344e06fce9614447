import FaketrackFeatures
import FaketrackSupport

/// The grouped lists, for reading: a heading for each list, in a color of its own.
package struct ListsText: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(_ feed: ListFeed) -> String {
    let colors = TerminalStyle.Color.allCases
    return feed.groups.enumerated().map { position, group in
      let color = colors[position % colors.count]
      let heading = "List \(group.id)"
      let count = Quantity.count(group.items.count, "item")
      let lines = group.items.map { item in
        "\(style.colored("│", color)) \(item.name.safeForTerminal)\n"
      }
      return style.bold(style.colored(heading, color)) + style.dim("  \(count)") + "\n"
        + lines.joined()
    }.joined(separator: "\n")
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
