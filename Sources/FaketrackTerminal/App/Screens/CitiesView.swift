import Cities
import FaketrackFeatures
import FaketrackSupport

/// The cities: search as you type, the list, and the map beside it or behind Tab.
package struct CitiesView: ScreenView {
  package typealias State = CityListViewModel.State
  package typealias Action = CityListViewModel.Action

  private var field: TextField
  private var isTyping = false
  private var pane = ListPane()
  private var map: CityMap
  private var requestedRows: Range<Int>?
  /// The list whose chosen city the map showed at once.
  private var mappedList: CityList?

  package init(query: CityListQuery, index: CityIndex) {
    field = TextField(query.text)
    map = CityMap(of: index, radius: 100_000)
  }

  package func title(_ state: State) -> String { "Cities" }

  package var typingKeys: [KeyHint]? {
    isTyping ? [.open("to the list"), .tab, .back("done")] : nil
  }

  package func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>] {
    let hasFailed = state.list.failure != nil || state.list.value?.favoritesFailure != nil
    let chosen = chosen(in: state.currentList)
    let (byName, ofFavorites) = (state.query.order == .name, state.query.favoritesOnly)
    let visible = layout(in: area).list.rows
    return [
      KeyBinding(.retry, isShown: hasFailed) { view, _ in
        view.requestedRows = nil
        return view.load(from: view.pane.first, visible: visible)
      },
      KeyBinding(.search) { $0.isTyping = true },
      KeyBinding(.open, open(chosen?.city)),
      KeyBinding(
        .star(chosen?.isFavorite == true ? "unstar" : "star"),
        chosen.map { [.send(.setFavorite(!$0.isFavorite, id: $0.city.id))] } ?? []),
      KeyBinding(.copy, isShown: false, chosen.map { $0.city.copies() } ?? []),
      KeyBinding(.favorites(ofFavorites ? "all cities" : "favorites only")) { view, _ in
        view.change(state) { $0.favoritesOnly.toggle() }
      },
      KeyBinding(.sort(byName ? "by population" : "by name")) { view, _ in
        view.change(state) { $0.order = byName ? .population : .name }
      },
    ] + map.bindings(of: \.map, in: area, nameOfText: "list")
  }

  private typealias Layout = (field: CellArea, status: CellArea, list: CellArea, map: CellArea)

  private func layout(in area: CellArea) -> Layout {
    let (list, map) = self.map.areas(in: area.inset(top: 2))
    return (area.line(0), area.line(1), list, map)
  }

  private func chosen(in list: CityList?) -> CityRow? {
    guard let list, let row = pane.chosen, list.rows.indices.contains(row - list.offset)
    else { return nil }
    return list.rows[row - list.offset]
  }

  /// Loads the rows again, since another screen may have changed the favorites.
  package func appear(_ state: State) -> Reactions {
    guard let list = state.currentList else { return [] }
    let limit = max(list.rows.count, CityListViewModel.pageSize)
    return [.send(.load(offset: list.offset, limit: limit))]
  }

  package mutating func update(_ state: State, in area: CellArea) -> Reactions {
    let areas = layout(in: area)
    let visible = max(1, areas.list.rows)
    if let list = state.currentList { pane.show(rows: list.total, visible: visible) }
    // A map that follows a held key is restless, and many bytes.
    let isNew = mappedList != state.list.value
    mappedList = state.list.value
    map.update(around: isNew ? chosen(in: mappedList)?.city : nil, in: areas.map)
    guard let list = state.currentList else {
      return state.list == .idle ? load(from: 0, visible: visible) : []
    }
    let wanted = pane.first..<min(list.total, pane.first + visible)
    let loaded = list.offset..<list.offset + list.rows.count
    if loaded.isEmpty ? list.total == 0 : loaded.clamped(to: wanted) == wanted {
      requestedRows = loaded
      return []
    }
    return load(from: pane.first, visible: visible)
  }

  /// Requests the visible rows and as many around them, once.
  private mutating func load(from first: Int, visible: Int) -> Reactions {
    let offset = max(0, first - visible)
    let limit = max(3 * visible, CityListViewModel.pageSize)
    guard requestedRows != offset..<offset + limit else { return [] }
    requestedRows = offset..<offset + limit
    return [.send(.load(offset: offset, limit: limit))]
  }

  package mutating func settle(_ state: State, in area: CellArea) {
    map.update(around: chosen(in: state.list.value)?.city, in: layout(in: area).map)
  }

  package mutating func move(
    by input: TerminalInput, _ state: State, in area: CellArea
  ) -> Reactions? {
    let areas = layout(in: area)
    if map.zoom(by: input, in: areas.map) { return [] }
    if case .click(let place) = input { return click(place, state, areas) }
    return pane.move(by: input) ? [] : nil
  }

  package mutating func type(
    _ input: TerminalInput, _ state: State, in area: CellArea
  ) -> Reactions? {
    switch input {
    case .key(.enter), .key(.escape), .key(.down):
      isTyping = false
      return []
    case .key(.tab):
      // The first city is the best match.
      guard let row = chosen(in: state.currentList) else { return [] }
      field = TextField(row.matched ?? row.city.name)
      let text = field.text
      return change(state) { $0.text = text }
    case .click, .wheel:
      isTyping = false
      return react(to: input, state, in: area)
    default:
      let before = field.text
      guard field.react(to: input), field.text != before else { return [] }
      let text = field.text
      return change(state) { $0.text = text }
    }
  }

  private mutating func change(
    _ state: State, _ change: (inout CityListQuery) -> Void
  ) -> Reactions {
    var query = state.query
    change(&query)
    pane = ListPane()
    requestedRows = nil
    return [.send(.setQuery(query))]
  }

  private mutating func click(_ place: CellPosition, _ state: State, _ areas: Layout) -> Reactions {
    if areas.field.contains(place) { isTyping = true }
    if let row = pane.choice(at: place, in: areas.list) {
      if row == pane.chosen { return open(chosen(in: state.currentList)?.city) }
      pane.choose(row)
    } else if areas.map.contains(place) {
      return open(drawing(state, in: areas.map).city(at: place, in: areas.map))
    }
    return []
  }

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = layout(in: area)
    drawField(in: &frame, at: areas.field)
    drawStatus(state, in: &frame, at: areas.status)
    if let list = state.list.value { draw(list, in: &frame, at: areas.list) }
    if case .loaded(let list) = state.list, list.total == 0, !state.isOutdated {
      let hint =
        switch (state.query.favoritesOnly, list.hasFavorites) {
        case (false, _): "No city name starts with that."
        case (true, false): "No favorites yet: f stars a city."
        case (true, true): "No favorite matches."
        }
      frame.put(hint, .muted, in: areas.list)
    }
    if areas.map.rows > 0 { drawing(state, in: areas.map).draw(in: &frame, at: areas.map) }
  }

  private func drawField(in frame: inout Frame, at area: CellArea) {
    let start = frame.put("Search: ", .muted, in: area)
    if field.text.isEmpty, !isTyping {
      frame.put("press / and type a name", .muted, column: start, in: area)
    } else {
      field.draw(isTyping: isTyping, in: &frame, at: area.inset(left: start - area.column))
    }
  }

  private func drawStatus(_ state: State, in frame: inout Frame, at area: CellArea) {
    if let failure = state.list.failure ?? state.list.value?.favoritesFailure {
      frame.put(failure.message.safeForTerminal, CellStyle(ink: .failure), in: area)
    } else if let list = state.list.value {
      let count =
        state.query.favoritesOnly
        ? Quantity.count(list.total, "favorite")
        : Quantity.count(list.total, "city", plural: "cities")
      let order = state.query.order == .name ? "by name" : "by population"
      frame.put("\(count), \(order)", .muted, in: area)
    }
  }

  private func draw(_ list: CityList, in frame: inout Frame, at area: CellArea) {
    for line in 0..<area.rows {
      let number = pane.first + line - list.offset
      guard list.rows.indices.contains(number) else { continue }
      draw(list.rows[number], in: &frame, at: area.line(line))
      if pane.first + line == pane.chosen, !isTyping { frame.markChosen(area.line(line)) }
    }
  }

  /// Draws the name and the place of a city, and its population at the right edge.
  private func draw(_ row: CityRow, in frame: inout Frame, at area: CellArea) {
    let city = row.city
    var end = area.columns
    func putAtEnd(_ text: String, _ style: CellStyle) {
      end -= text.columns
      if end > 0 { frame.put(text, style, column: area.column + end, in: area) }
      end -= 1
    }
    putAtEnd(row.isFavorite ? "★" : " ", CellStyle(ink: .highlight))
    if area.columns >= 50 {
      putAtEnd((city.shownPopulation ?? "").padded(toColumns: 11, onLeft: true), .muted)
    }
    let names = area.split(afterColumns: max(0, end)).left
    let start = frame.put(row.shownName.safeForTerminal, column: area.column + 1, in: names)
    let room = names.column + names.columns - start - 2
    let place = city.fullPlace.columns <= room ? city.fullPlace : city.shownPlace
    frame.put(place.safeForTerminal, .muted, column: start + 2, in: names)
  }

  private func drawing(_ state: State, in area: CellArea) -> MapDrawing {
    map.drawing(around: chosen(in: state.list.value)?.city, in: area)
  }
}
