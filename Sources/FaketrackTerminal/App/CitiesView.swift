import Cities
import FaketrackFeatures
import FaketrackSupport

/// The cities: a search that answers each key, the list, and the map beside it or behind Tab.
package struct CitiesView: ScreenView {
  package typealias State = CityListViewModel.State
  package typealias Action = CityListViewModel.Action

  private var mapCities: MapCities
  private var field: TextField
  private var isTyping = false
  private var selection = RowSelection()
  private var showsMap = false
  private var radius = MapRadius(meters: 100_000)
  /// The list that was loaded last, which stays to be seen while the next one is loaded.
  private var lastList: CityList?
  /// The rows that were asked for last.
  private var requestedRows: Range<Int>?

  /// The most dots on the map.
  private static let mapLimit = 200

  package init(query: CityListQuery, index: CityIndex) {
    mapCities = MapCities(index, limit: Self.mapLimit)
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

  private func chosen(_ state: State) -> CityRow? {
    state.list.value.flatMap { chosen(in: $0) }
  }

  private func chosen(in list: CityList) -> CityRow? {
    let number = selection.row - list.offset
    return list.rows.indices.contains(number) ? list.rows[number] : nil
  }

  /// The list on the screen, which may be that of the search before; only rows of the state's own
  /// list can be opened.
  private func shownList(_ state: State) -> CityList? {
    switch state.list {
    case .loaded(let list): list
    case .idle, .loading: lastList
    case .failed: nil
    }
  }

  /// Stars may have changed meanwhile.
  package func appear(_ state: State) -> [Reaction<Action>] {
    guard let list = state.list.value else { return [] }
    let limit = max(list.rows.count, CityListViewModel.pageSize)
    return [.send(.load(offset: list.offset, limit: limit))]
  }

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    let areas = layout(in: area)
    lastList = shownList(state)
    defer {
      if areas.map.rows > 0 {
        mapCities.update(camera(state, in: areas.map.size), in: areas.map.size)
      }
    }
    let visible = max(1, areas.list.rows)
    guard let list = state.list.value else {
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

  /// Asks for the rows to be seen and as many around them, once.
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
    let total = state.list.value?.total ?? 0
    if case .click(let place) = input { return click(place, state, areas) }
    if selection.move(by: input, count: total, visible: areas.list.rows) { return [] }
    switch input {
    case .key(.character("/")): isTyping = true
    case .key(.enter), .key(.right), .key(.character("l")):
      return chosen(state).map { [.open(.city(id: $0.city.id))] } ?? []
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
    return [.replace(with: .cities(query))]
  }

  private mutating func click(
    _ place: CellPosition, _ state: State, _ areas: Layout
  ) -> [Reaction<Action>] {
    if areas.field.contains(column: place.column, row: place.row) { isTyping = true }
    if areas.list.contains(column: place.column, row: place.row) {
      let row = selection.first + place.row - areas.list.row
      let total = state.list.value?.total ?? 0
      guard row < total else { return [] }
      if row == selection.row { return chosen(state).map { [.open(.city(id: $0.city.id))] } ?? [] }
      selection.choose(row, of: total, visible: areas.list.rows)
    } else if areas.map.contains(column: place.column, row: place.row) {
      let city = map(state, in: areas.map).city(at: place, in: areas.map)
      return city.map { [.open(.city(id: $0.id))] } ?? []
    }
    return []
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
    let start = frame.put("Search: ", .muted, column: area.column, row: area.row, in: area)
    if field.text.isEmpty, !isTyping {
      frame.put("press / and type a name", .muted, column: start, row: area.row, in: area)
      return
    }
    let (text, cursor) = field.visible(columns: area.column + area.columns - start)
    frame.put(text, CellStyle(isUnderlined: isTyping), column: start, row: area.row, in: area)
    if isTyping { frame.cursor = CellPosition(column: start + cursor, row: area.row) }
  }

  private func drawStatus(_ state: State, in frame: inout Frame, at area: CellArea) {
    let failure = state.list.failure ?? shownList(state)?.favoritesFailure
    if let failure {
      frame.put(
        failure.message.safeForTerminal, CellStyle(.failure), column: area.column, row: area.row,
        in: area)
      return
    }
    guard let list = shownList(state) else { return }
    let what = state.query.favoritesOnly ? "favorite" : "city"
    let count = Quantity.count(
      list.total, what, plural: state.query.favoritesOnly ? "favorites" : "cities")
    let order = state.query.order == .name ? "by name" : "by population"
    frame.put("\(count), \(order)", .muted, column: area.column, row: area.row, in: area)
  }

  private func drawRows(_ state: State, in frame: inout Frame, at area: CellArea) {
    guard let list = shownList(state) else { return }
    if list.total == 0 {
      let hint =
        state.query.favoritesOnly
        ? "No favorites yet: f stars a city." : "No city name starts with that."
      frame.put(hint, .muted, column: area.column, row: area.row, in: area)
    }
    for line in 0..<area.rows {
      let number = selection.first + line - list.offset
      guard list.rows.indices.contains(number) else { continue }
      let place = area.inset(top: line).split(afterRows: 1).top
      CityLine.draw(list.rows[number], in: &frame, at: place)
      if selection.first + line == selection.row, !isTyping {
        frame.markChosen(place)
      }
    }
  }

  private func shownCity(_ state: State) -> City? {
    shownList(state).flatMap { chosen(in: $0)?.city }
  }

  private func camera(_ state: State, in size: CellSize) -> MapCamera {
    guard let city = shownCity(state) else { return MapCamera(showing: [], in: size) }
    return MapCamera(around: city.coordinate, radius: radius.meters, in: size)
  }

  private func map(_ state: State, in area: CellArea) -> MapDrawing {
    let city = shownCity(state)
    return MapDrawing(
      camera: camera(state, in: area.size), cities: mapCities.cities + [city].compactMap(\.self),
      chosenCity: city?.id)
  }
}
