import FaketrackFeatures
import FaketrackSupport

/// The feed, grouped by list.
struct ListsView: ScreenView {
  typealias State = ListsViewModel.State
  typealias Action = ListsViewModel.Action

  private var scroll = TextScroll()
  /// The state of the text, which is kept because a feed may have very many lines.
  private var shown: (state: State, filter: String)?
  private var filter = ListFilter()
  private var prompt: PathPrompt
  /// The feed with which the prompt closes once it has been loaded.
  private var opening: String?

  init(files: PathCompletion) {
    prompt = PathPrompt(files: files, endings: [".json"])
  }

  var isTyping: Bool { prompt.isOpen || filter.isTyping }

  func title(_ state: State) -> String { "Lists" }

  func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    if prompt.isOpen { return prompt.keys }
    if filter.isTyping { return filter.keys }
    let add = KeyHint.add("open a feed")
    let reload = KeyHint.retry(state.feed.failure == nil ? "refresh" : "retry")
    if state.feed.value != nil {
      let order = KeyHint.sort(state.order == .text ? "by number" : "as text")
      return [.search("filter"), order, reload, add]
    }
    return (state.feed.failure == nil ? [] : [reload]) + [add]
  }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    if let location = opening, location == state.location, case .loaded = state.feed {
      prompt.close()
      (opening, filter) = (nil, ListFilter())
    }
    let isCurrent =
      shown.map { $0.state == state && $0.filter == filter.text } ?? false
      && scroll.text.columns == max(1, area.columns)
    let text = isCurrent ? scroll.text : text(state, columns: area.columns)
    scroll.show(text, visible: areas(in: area).list.rows)
    shown = (state, filter.text)
    return []
  }

  func appear(_ state: State) -> Reactions {
    state.feed == .idle ? [.send(.load)] : []
  }

  mutating func react(to input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    if prompt.isOpen {
      opening = prompt.react(to: input).map(prompt.files.feed)
      return opening.map { [.send(.open($0))] } ?? []
    }
    let typed = filter.text
    if state.feed.value != nil, filter.react(to: input) {
      if filter.text != typed { scroll = TextScroll() }
      return []
    }
    switch input {
    case .key(.character("n")):
      prompt.open()
      return []
    case .key(.character("S")):
      return [.send(.setOrder(state.order == .text ? .natural : .text))]
    case .key(.character("r")): return [.send(.refresh)]
    default: return scroll.move(by: input, visible: areas(in: area).list.rows) ? [] : nil
    }
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = areas(in: area)
    if prompt.isOpen {
      var block = TextBlock(columns: area.columns)
      prompt.add(to: &block, line: 0)
      block.draw(in: &frame, at: areas.top)
      prompt.draw(in: &frame, at: areas.top.line(0))
    } else if filter.isShown {
      filter.draw(in: &frame, at: areas.top)
    }
    scroll.draw(in: &frame, at: areas.list)
  }

  /// The area of the input, and the area of the lists.
  private func areas(in area: CellArea) -> (top: CellArea, list: CellArea) {
    let (top, bottom) = area.split(afterRows: prompt.isOpen ? 6 : filter.isShown ? 1 : 0)
    return (top, bottom)
  }

  private func text(_ state: State, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    switch state.feed {
    case .idle:
      block.add("No feed is open: press n to open a file or an address.", .muted)
    case .loading: block.add("…", .muted)
    case .loaded: break
    case .failed(let failure, _):
      block.add("The lists cannot be loaded", .heading)
      block.add(failure)
    }
    if let feed = state.feed.value {
      block.addSpace()
      block.add(feed.count == 0 ? "The feed has no item with a name." : feed.summary, .muted)
      block.add(filter.text.isEmpty ? feed : feed.filtered(by: filter))
    }
    return block
  }
}

extension ListFeed {
  fileprivate func filtered(by filter: ListFilter) -> ListFeed {
    var feed = self
    for index in groups.indices { feed.groups[index].items.removeAll { !filter.matches($0.name) } }
    feed.groups.removeAll { $0.items.isEmpty }
    return feed
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
