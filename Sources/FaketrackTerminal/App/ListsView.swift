import FaketrackFeatures

/// The feed, grouped by list.
package struct ListsView: ScreenView {
  package typealias State = ListsViewModel.State
  package typealias Action = ListsViewModel.Action

  private var scroll = TextScroll()
  /// The text of the newest state and width: a feed may have very many lines.
  private var text: (state: State, block: TextBlock)?

  package init() {}

  package func title(_ state: State) -> String { "Lists" }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    let order = KeyHint("o", state.order == .text ? "by number" : "as text")
    let reload = KeyHint("r", state.feed.failure == nil ? "refresh" : "retry")
    if state.feed.value != nil { return [order, reload] }
    return state.feed.failure == nil ? [] : [reload]
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
