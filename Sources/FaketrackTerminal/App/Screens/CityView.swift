import Cities
import FaketrackFeatures
import FaketrackSupport

/// A city: facts, the summary from Wikipedia, neighbors and the map.
struct CityView: ScreenView {
  typealias State = CityViewModel.State
  typealias Action = CityViewModel.Action

  private var map: CityMap
  private var pane = ListPane()

  init(index: CityIndex) {
    map = CityMap(of: index, radius: 50_000)
  }

  func title(_ state: State) -> String {
    state.details.value.map { $0.city.name.safeForTerminal } ?? "City"
  }

  func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>] {
    let isFavorite = state.details.value?.isFavorite
    let article = state.summary.value??.url
    let hasFailed = state.summary.failure != nil || state.details.failure != nil
    let neighbor = map.areas(in: area).text.rows > 0 ? pane.chosenInSight : nil
    return [
      KeyBinding(
        .star(isFavorite == true ? "unstar" : "star"), when: isFavorite != nil,
        [.send(.setFavorite(isFavorite != true))]),
      KeyBinding(.outside("article"), article.map { [.browse($0)] } ?? []),
      KeyBinding(.copy, state.details.value.map { $0.city.copies() } ?? []),
      KeyBinding(.retry, isShown: hasFailed, [.send(.load)]),
      KeyBinding(.open, neighbor.map { [.open(.city(id: $0))] } ?? []),
    ] + map.bindings(of: \.map, in: area, nameOfText: "facts")
  }

  func appear(_ state: State) -> Reactions {
    state.summary == .loading ? [] : [.send(.load)]
  }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    let areas = map.areas(in: area)
    pane.show(TextBlock(state.document, columns: areas.text.columns), visible: areas.text.rows)
    if let city = state.details.value?.city { map.update(around: city, in: areas.map) }
    return []
  }

  mutating func move(by input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    let areas = map.areas(in: area)
    if map.zoom(by: input, in: areas.map) { return [] }
    guard case .click(let place) = input else {
      return pane.move(by: input) ? [] : nil
    }
    if let id = pane.choice(at: place, in: areas.text) { return [.open(.city(id: id))] }
    guard areas.map.contains(place), let city = state.details.value?.city else { return [] }
    return open(map.drawing(around: city, in: areas.map).city(at: place, in: areas.map))
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = map.areas(in: area)
    pane.draw(isActive: pane.chosenInSight != nil, in: &frame, at: areas.text)
    if let city = state.details.value?.city, areas.map.rows > 0 {
      map.drawing(around: city, in: areas.map).draw(in: &frame, at: areas.map)
    }
  }
}
