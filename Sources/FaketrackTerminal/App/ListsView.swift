import FaketrackFeatures

/// The feed, grouped by list.
package struct ListsView: ScreenView {
  package typealias State = ListsViewModel.State
  package typealias Action = ListsViewModel.Action

  private var scroll = TextScroll()
  /// The text of the state and width that were seen last: a feed may have very many lines.
  private var text: (state: State, block: TextBlock)?

  package init() {}

  package func title(_ state: State) -> String { "Lists" }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    if state.feed.failure != nil { return [KeyHint("r", "retry")] }
    guard state.feed.value != nil else { return [] }
    return [
      KeyHint("o", state.order == .text ? "by number" : "as text"), KeyHint("r", "refresh"),
    ]
  }

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    if text?.state != state || text?.block.columns != max(1, area.columns) {
      text = (state, Self.text(state, columns: area.columns))
    }
    scroll.fit(lines: text?.block.lines.count ?? 0, visible: area.rows)
    return []
  }

  package func appear(_ state: State) -> [Reaction<Action>] {
    state.feed == .idle ? [.send(.load)] : []
  }

  package mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]? {
    switch input {
    case .key(.character("o")):
      return [.send(.setOrder(state.order == .text ? .natural : .text))]
    case .key(.character("r")): return [.send(.refresh)]
    default:
      let lines = text?.block.lines.count ?? 0
      return scroll.move(by: input, lines: lines, visible: area.rows) ? [] : nil
    }
  }

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    text?.block.draw(from: scroll.first, in: &frame, at: area)
  }

  private static func text(_ state: State, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    switch state.feed {
    case .idle:
      block.add("No feed was named.", .muted)
      block.add("Start with faketrack app --lists <file or address>.", .muted)
    case .loading: block.add("…", .muted)
    case .failed(let failure):
      block.add("The lists cannot be loaded", .heading)
      block.add(failure)
    case .loaded(let feed) where feed.count == 0:
      block.add("The feed has no item with a name.", .muted)
    case .loaded(let feed):
      block.add(feed.summary, .muted)
      for (number, group) in feed.groups.enumerated() { add(group, number, to: &block) }
    }
    return block
  }

  private static func add(_ group: ListFeed.Group, _ number: Int, to block: inout TextBlock) {
    block.addSpace()
    let style = CellStyle(.group(number), isBold: true)
    block.add(
      [
        ("List \(group.id)", style),
        ("  \(Quantity.count(group.items.count, "item"))", .muted),
      ])
    for item in group.items {
      block.add([("│ ", CellStyle(.group(number))), (item.name.safeForTerminal, .plain)])
    }
  }
}
