import FaketrackFeatures
import FaketrackSupport

/// The feed, grouped by list.
struct ListsView: ScreenView {
  typealias State = ListsViewModel.State
  typealias Action = ListsViewModel.Action

  private var scroll = TextScroll()
  /// The state of the text, which is kept because a feed may have very many lines.
  private var shown: State?

  func title(_ state: State) -> String { "Lists" }

  func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    let order = KeyHint("o", state.order == .text ? "by number" : "as text")
    let reload = KeyHint("r", state.feed.failure == nil ? "refresh" : "retry")
    if state.feed.value != nil { return [order, reload] }
    return state.feed.failure == nil ? [] : [reload]
  }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    let isCurrent = state == shown && scroll.text.columns == max(1, area.columns)
    let text = isCurrent ? scroll.text : Self.text(state, columns: area.columns)
    scroll.show(text, visible: area.rows)
    shown = state
    return []
  }

  func appear(_ state: State) -> Reactions {
    state.feed == .idle ? [.send(.load)] : []
  }

  mutating func react(to input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    switch input {
    case .key(.character("o")):
      [.send(.setOrder(state.order == .text ? .natural : .text))]
    case .key(.character("r")): [.send(.refresh)]
    default: scroll.move(by: input, visible: area.rows) ? [] : nil
    }
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    scroll.draw(in: &frame, at: area)
  }

  private static func text(_ state: State, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    switch state.feed {
    case .idle:
      block.add("No feed was named.", .muted)
      block.add("Start with faketrack app --lists <file or address>.", .muted)
    case .loading: block.add("…", .muted)
    case .loaded: break
    case .failed(let failure, _):
      block.add("The lists cannot be loaded", .heading)
      block.add(failure)
    }
    if let feed = state.feed.value {
      block.addSpace()
      block.add(feed.count == 0 ? "The feed has no item with a name." : feed.summary, .muted)
      block.add(feed)
    }
    return block
  }
}

extension TextBlock {
  /// Adds the lists of a feed: a heading for each, in one of several colors.
  fileprivate mutating func add(_ feed: ListFeed) {
    for (number, group) in feed.groups.enumerated() {
      addSpace()
      let count = Quantity.count(group.items.count, "item")
      add([
        ("List \(group.id)", CellStyle(ink: .group(number), isBold: true)), ("  \(count)", .muted),
      ])
      for item in group.items {
        add([("│ ", CellStyle(ink: .group(number))), (item.name.safeForTerminal, .plain)])
      }
    }
  }
}

extension TerminalStyle {
  package func text(_ feed: ListFeed) -> String {
    var block = TextBlock(columns: width ?? 100)
    block.add(feed)
    return block.text(in: self)
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
