import FaketrackFeatures
import FaketrackSupport

/// The feed, grouped by list.
struct ListsView: ScreenView {
  typealias State = ListsViewModel.State
  typealias Action = ListsViewModel.Action

  private var pane = ListPane()
  private var bar: ListBar
  /// The source of the text, which is kept because a feed may have very many lines.
  private var shown: (state: State, filter: String, columns: Int)?
  /// The feed with which the bar is shut once it has been loaded.
  private var opening: String?

  init(files: PathCompletion) {
    bar = ListBar(files: files, endings: [".json"])
  }

  func title(_ state: State) -> String { "Lists" }

  var typingKeys: [KeyHint]? { bar.keys }

  func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>] {
    let (hasFeed, hasFailed) = (state.feed.value != nil, state.feed.failure != nil)
    let isText = state.order == .text
    return [
      KeyBinding(.escape("show all"), when: !bar.filterText.isEmpty) { $0.bar.shut() },
      KeyBinding(.search("filter"), when: hasFeed) { $0.bar.openFilter() },
      KeyBinding(
        .sort(isText ? "by number" : "as text"), isShown: hasFeed,
        [.send(.setOrder(isText ? .natural : .text))]),
      KeyBinding(
        .retry(hasFailed ? "retry" : "refresh"), isShown: hasFeed || hasFailed, [.send(.refresh)]),
      KeyBinding(.add("open a feed")) { $0.bar.openPath() },
    ]
  }

  mutating func type(_ input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    switch bar.type(input) {
    case .changed: return []
    case .path(let text):
      let location = bar.files.feed(at: text)
      opening = location
      return [.send(.open(location))]
    case nil: return move(by: input, state, in: area)
    }
  }

  mutating func move(by input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    pane.move(by: input) ? [] : nil
  }

  func appear(_ state: State) -> Reactions {
    state.feed == .idle ? [.send(.load)] : []
  }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    if let location = opening, location == state.location, case .loaded = state.feed {
      opening = nil
      bar.shut()
    }
    let visible = bar.areas(in: area).list.rows
    if let shown, shown == (state, bar.filterText, area.columns) {
      pane.fit(visible: visible)
      return []
    }
    if let shown, (shown.filter, shown.state.location) != (bar.filterText, state.location) {
      pane = ListPane()
    }
    pane.show(text(state, columns: area.columns), visible: visible)
    shown = (state, bar.filterText, area.columns)
    return []
  }

  private func text(_ state: State, columns: Int) -> TextBlock {
    var document = state.document(where: bar.matches)
    if state.feed == .idle {
      document.lead = "No feed is open: press n to open a file or an address."
    }
    return TextBlock(document, columns: columns)
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = bar.areas(in: area)
    bar.draw(in: &frame, at: areas.bar)
    pane.draw(in: &frame, at: areas.list)
  }
}
