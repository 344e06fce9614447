import Cities
import FaketrackFeatures
import FaketrackSupport
import Geodesy

/// The cities: search as you type, the list, and the map beside it or behind Tab.
package struct CitiesView: ScreenView {
  package typealias State = CityListViewModel.State
  package typealias Action = CityListViewModel.Action

  package var mapCities: [City] = []
  private var field: TextField
  private var isTyping = false
  private var selection = RowSelection()
  private var showsMap = false
  private var radius = MapRadius(meters: 100_000)
  /// The rows that were requested last.
  private var requestedRows: Range<Int>?

  package init(query: CityListQuery) {
    field = TextField(query.text)
  }

  package func title(_ state: State) -> String { "Cities" }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    if isTyping { return [KeyHint("Enter", "to the list"), KeyHint("Esc", "done")] }
    let isFavorite = chosen(state)?.isFavorite == true
    var keys = [
      KeyHint("/", "search"), KeyHint("Enter", "open"),
      KeyHint("f", isFavorite ? "unstar" : "star"),
      KeyHint("F", state.query.favoritesOnly ? "all cities" : "favorites only"),
      KeyHint("o", state.query.order == .name ? "by population" : "by name"),
    ]
    if !area.isWide { keys.append(KeyHint("Tab", showsMap ? "list" : "map")) }
    keys.append(KeyHint("+ -", "zoom"))
    if state.list.failure != nil || state.list.value?.favoritesFailure != nil {
      keys.insert(KeyHint("r", "retry"), at: 0)
    }
    return keys
  }

  // MARK: Rows

  private struct Layout {
    var field: CellArea
    var status: CellArea
    var list: CellArea
    var map: CellArea
  }

  private func layout(in area: CellArea) -> Layout {
    let (head, rest) = area.split(afterRows: 2)
    let (field, status) = head.split(afterRows: 1)
    let hasBoth = area.isWide
    let (list, map) = hasBoth ? rest.split(afterColumns: rest.columns / 2) : (rest, rest)
    return Layout(
      field: field, status: status, list: hasBoth || !showsMap ? list : list.inset(top: list.rows),
      map: hasBoth ? map.inset(left: 2) : showsMap ? map : map.inset(top: map.rows))
  }

  /// The chosen row of the current list, which can be opened.
  private func chosen(_ state: State) -> CityRow? { state.currentList.flatMap(chosen) }

  private func chosen(in list: CityList) -> CityRow? {
    let number = selection.row - list.offset
    return list.rows.indices.contains(number) ? list.rows[number] : nil
  }

  /// Loads the rows again, since another screen may have changed the favorites.
  package func appear(_ state: State) -> [Reaction<Action>] {
    guard let list = state.currentList else { return [] }
    let limit = max(list.rows.count, CityListViewModel.pageSize)
    return [.send(.load(offset: list.offset, limit: limit))]
  }

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    let areas = layout(in: area)
    let visible = max(1, areas.list.rows)
    guard let list = state.currentList else {
      return state.list == .idle ? load(from: 0, visible: visible) : []
    }
    selection.fit(count: list.total, visible: visible)
    let wanted = selection.first..<min(list.total, selection.first + visible)
    let loaded = list.offset..<list.offset + list.rows.count
    if loaded.isEmpty ? list.total == 0 : loaded.clamped(to: wanted) == wanted {
      requestedRows = loaded
      return []
    }
    return load(from: selection.first, visible: visible)
  }

  /// Requests the visible rows and as many around them, once.
  private mutating func load(from first: Int, visible: Int) -> [Reaction<Action>] {
    let offset = max(0, first - visible)
    let limit = max(3 * visible, CityListViewModel.pageSize)
    guard requestedRows != offset..<offset + limit else { return [] }
    requestedRows = offset..<offset + limit
    return [.send(.load(offset: offset, limit: limit))]
  }

  // MARK: Input

  package mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]? {
    if isTyping { return type(input, state, in: area) }
    if radius.zoom(by: input) { return [] }
    let areas = layout(in: area)
    let total = state.currentList?.total ?? 0
    if case .click(let place) = input { return click(place, state, areas) }
    if selection.move(by: input, count: total, visible: areas.list.rows) { return [] }
    switch input {
    case .key(.character("/")): isTyping = true
    case .key(.enter), .key(.right), .key(.character("l")):
      return open(chosen(state)?.city)
    case .key(.character("f")):
      return chosen(state).map { [.send(.setFavorite(!$0.isFavorite, id: $0.city.id))] } ?? []
    case .key(.character("F")):
      return change(state) { $0.favoritesOnly.toggle() }
    case .key(.character("o")):
      return change(state) { $0.order = $0.order == .name ? .population : .name }
    case .key(.tab): showsMap.toggle()
    case .key(.character("r")):
      requestedRows = nil
      return load(from: selection.first, visible: areas.list.rows)
    default: return nil
    }
    return []
  }

  private mutating func type(
    _ input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]? {
    switch input {
    case .key(.enter), .key(.escape), .key(.tab), .key(.down):
      isTyping = false
      return []
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
  ) -> [Reaction<Action>] {
    var query = state.query
    change(&query)
    selection = RowSelection()
    requestedRows = nil
    return [.send(.setQuery(query))]
  }

  private mutating func click(
    _ place: CellPosition, _ state: State, _ areas: Layout
  ) -> [Reaction<Action>] {
    if areas.field.contains(place) { isTyping = true }
    if areas.list.contains(place) {
      let row = selection.first + place.row - areas.list.row
      let total = state.currentList?.total ?? 0
      guard row < total else { return [] }
      if row == selection.row { return open(chosen(state)?.city) }
      selection.choose(row, of: total, visible: areas.list.rows)
    } else if areas.map.contains(place) {
      return open(map(state, in: areas.map).city(at: place, in: areas.map))
    }
    return []
  }

  private func open(_ city: City?) -> [Reaction<Action>] {
    city.map { [.open(.city(id: $0.id))] } ?? []
  }

  // MARK: Drawing

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = layout(in: area)
    drawField(in: &frame, at: areas.field)
    drawStatus(state, in: &frame, at: areas.status)
    drawRows(state, in: &frame, at: areas.list)
    if areas.map.rows > 0 { map(state, in: areas.map).draw(in: &frame, at: areas.map) }
  }

  private func drawField(in frame: inout Frame, at area: CellArea) {
    let start = frame.put("Search: ", .muted, in: area)
    if field.text.isEmpty, !isTyping {
      frame.put("press / and type a name", .muted, column: start, in: area)
      return
    }
    let (text, cursor) = field.visible(columns: area.column + area.columns - start)
    frame.put(text, CellStyle(isUnderlined: isTyping), column: start, in: area)
    if isTyping { frame.cursor = CellPosition(column: start + cursor, row: area.row) }
  }

  private func drawStatus(_ state: State, in frame: inout Frame, at area: CellArea) {
    if let failure = state.list.failure ?? state.list.value?.favoritesFailure {
      frame.put(failure.message.safeForTerminal, CellStyle(.failure), in: area)
    } else if let list = state.list.value {
      let count =
        state.query.favoritesOnly
        ? Quantity.count(list.total, "favorite")
        : Quantity.count(list.total, "city", plural: "cities")
      let order = state.query.order == .name ? "by name" : "by population"
      frame.put("\(count), \(order)", .muted, in: area)
    }
  }

  private func drawRows(_ state: State, in frame: inout Frame, at area: CellArea) {
    guard let list = state.list.value else { return }
    if list.total == 0 {
      let hint =
        state.query.favoritesOnly
        ? "No favorites yet: f stars a city." : "No city name starts with that."
      frame.put(hint, .muted, in: area)
    }
    for line in 0..<area.rows {
      let number = selection.first + line - list.offset
      guard list.rows.indices.contains(number) else { continue }
      let place = area.inset(top: line).split(afterRows: 1).top
      draw(list.rows[number], in: &frame, at: place)
      if selection.first + line == selection.row, !isTyping {
        frame.markChosen(place)
      }
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
    putAtEnd(row.isFavorite ? "★" : " ", CellStyle(.highlight))
    if area.columns >= 50 {
      putAtEnd((city.shownPopulation ?? "").padded(toColumns: 11, onLeft: true), .muted)
    }
    let names = area.split(afterColumns: max(0, end)).left
    let start = frame.put(
      row.shownName.safeForTerminal, column: area.column + 1, in: names)
    frame.put(city.shownPlace.safeForTerminal, .muted, column: start + 2, in: names)
  }

  private func shownCity(_ state: State) -> City? {
    state.list.value.flatMap { chosen(in: $0)?.city }
  }

  private func camera(_ state: State, in size: CellSize) -> MapCamera {
    guard let city = shownCity(state) else { return MapCamera(showing: [], in: size) }
    return MapCamera(around: city.coordinate, radius: radius.meters, in: size)
  }

  package func mapBox(_ state: State, in area: CellArea) -> BoundingBox? {
    let map = layout(in: area).map
    return map.rows > 0 ? camera(state, in: map.size).box(in: map.size) : nil
  }

  private func map(_ state: State, in area: CellArea) -> MapDrawing {
    let city = shownCity(state)
    return MapDrawing(
      camera: camera(state, in: area.size),
      cities: mapCities + [city].compactMap(\.self), chosenCity: city?.id)
  }
}
