import Cities
import FaketrackFeatures
import Geodesy

/// A city: facts, the summary from Wikipedia, neighbors and the map.
package struct CityView: ScreenView {
  package typealias State = CityViewModel.State
  package typealias Action = CityViewModel.Action

  package var mapCities: [City] = []
  /// The number of the neighbor that is chosen; `nil` is the first one.
  private var chosenNeighbor: Int?
  private var scroll = TextScroll()
  private var showsMap = false
  private var radius = MapRadius(meters: 50_000)

  package init() {}

  package func title(_ state: State) -> String {
    state.details.value.map { $0.city.name.safeForTerminal } ?? "City"
  }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    var keys: [KeyHint] = []
    if let details = state.details.value {
      keys.append(KeyHint("f", details.isFavorite ? "unstar" : "star"))
    }
    if state.summary.value??.url != nil { keys.append(KeyHint("o", "article")) }
    if state.summary.failure != nil || state.details.failure != nil {
      keys.append(KeyHint("r", "retry"))
    }
    keys.append(KeyHint("Enter", "open"))
    if !area.isWide {
      keys.append(KeyHint("Tab", showsMap ? "facts" : "map"))
    }
    return keys + [KeyHint("+ -", "zoom"), KeyHint("Esc", "back")]
  }

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    let text = areas(in: area).text
    scroll.fit(lines: block(state, columns: text.columns).lines.count, visible: text.rows)
    return []
  }

  package func appear(_ state: State) -> [Reaction<Action>] {
    state.summary == .loading ? [] : [.send(.load)]
  }

  package mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]? {
    if radius.zoom(by: input) { return [] }
    let (text, _) = areas(in: area)
    if move(by: input, in: block(state, columns: text.columns), rows: text.rows) { return [] }
    switch input {
    case .key(.enter), .key(.character("l")), .key(.right):
      return open(chosen(in: block(state, columns: text.columns), rows: text.rows), state)
    case .key(.character("f")):
      return state.details.value.map { [.send(.setFavorite(!$0.isFavorite))] } ?? []
    case .key(.character("o")):
      return state.summary.value??.url.map { [.browse($0)] } ?? []
    case .key(.character("r")): return [.send(.load)]
    case .key(.tab): showsMap.toggle()
    case .click(let place):
      let areas = areas(in: area)
      if areas.map.contains(place) {
        let city = map(state, in: areas.map)?.city(at: place, in: areas.map)
        return city.map { [.open(.city(id: $0.id))] } ?? []
      }
      let block = block(state, columns: areas.text.columns)
      return open(block.choice(on: scroll.first + place.row - areas.text.row), state)
    default: return nil
    }
    return []
  }

  /// Opens the neighbor with a number.
  private func open(_ number: Int?, _ state: State) -> [Reaction<Action>] {
    guard let number, let neighbors = state.details.value?.neighbors else { return [] }
    return [.open(.city(id: neighbors[number].city.id))]
  }

  /// The number of the chosen neighbor, if its line is visible.
  private func chosen(in block: TextBlock, rows: Int) -> Int? {
    let number = chosenNeighbor ?? 0
    guard let line = block.line(of: number), (scroll.first..<scroll.first + rows).contains(line)
    else { return nil }
    return number
  }

  /// Chooses the next neighbor if its line is visible; otherwise scrolls.
  ///
  /// - Returns: whether the input moves the selection or the text.
  private mutating func move(by input: TerminalInput, in block: TextBlock, rows: Int) -> Bool {
    let step =
      switch input {
      case .key(.up), .key(.character("k")): -1
      case .key(.down), .key(.character("j")): 1
      default: 0
      }
    if step != 0, let number = chosen(in: block, rows: rows),
      let line = block.line(of: number + step),
      (scroll.first..<scroll.first + rows).contains(line)
    {
      chosenNeighbor = number + step
      return true
    }
    guard scroll.move(by: input, lines: block.lines.count, visible: rows) else { return false }
    // Choose the nearest of the neighbors that are visible now.
    let choices = (scroll.first..<scroll.first + rows).compactMap(block.choice)
    if let first = choices.first, let last = choices.last {
      chosenNeighbor = min(max(first, (chosenNeighbor ?? 0) + step), last)
    }
    return true
  }

  // MARK: Drawing

  private func areas(in area: CellArea) -> (text: CellArea, map: CellArea) {
    if area.isWide {
      let (text, map) = area.split(afterColumns: area.columns / 2)
      return (text, map.inset(left: 2))
    }
    let none = area.inset(top: area.rows)
    return showsMap ? (none, area) : (area, none)
  }

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = areas(in: area)
    let block = block(state, columns: areas.text.columns)
    block.draw(
      from: scroll.first, chosen: chosen(in: block, rows: areas.text.rows), in: &frame,
      at: areas.text)
    if areas.map.rows > 0 { map(state, in: areas.map)?.draw(in: &frame, at: areas.map) }
  }

  private func block(_ state: State, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    if let failure = state.details.failure {
      block.add(failure)
      block.addSpace()
    }
    if let details = state.details.value {
      add(details, state.summary, to: &block)
    } else if state.details.failure == nil {
      block.add("…", .muted)
    }
    return block
  }

  private func add(
    _ details: CityViewModel.Details, _ summary: Loading<CitySummary?>, to block: inout TextBlock
  ) {
    let city = details.city
    block.add(city.shortName.safeForTerminal + (details.isFavorite ? " ★" : ""), .heading)
    block.add(fact: "Population", city.shownPopulation ?? "not known")
    block.add(fact: "Position", Quantity.position(city.coordinate, places: 4))
    if let zone = city.timezone { block.add(fact: "Time zone", zone.safeForTerminal) }
    block.addSpace()
    switch summary {
    case .idle, .loading:
      for width in [0.9, 1, 0.6] {
        block.add(String(repeating: "░", count: Int(Double(block.columns) * width)), .muted)
      }
    case .failed(let failure, _): block.add(failure)
    case .loaded(nil): block.add(CitySummary.missing, .muted)
    case .loaded(let article?):
      block.add(article)
      if let url = article.url?.absoluteString {
        block.add("Wikipedia, CC BY-SA", CellStyle(.accent, isUnderlined: true, link: url))
      }
    }
    block.addSpace()
    block.add("Nearby", .heading)
    for (number, row) in details.neighbors.enumerated() {
      let distance = Quantity.distance(row.distance ?? 0).padded(toColumns: 9, onLeft: true)
      block.add(
        [
          (distance + "  ", .muted), (row.city.name.safeForTerminal, .plain),
          (row.isFavorite ? " ★" : "", CellStyle(.highlight)),
        ], choice: number)
    }
  }

  private func camera(_ state: State, in size: CellSize) -> MapCamera? {
    state.details.value.map {
      MapCamera(around: $0.city.coordinate, radius: radius.meters, in: size)
    }
  }

  package func mapBox(_ state: State, in area: CellArea) -> BoundingBox? {
    let map = areas(in: area).map
    return map.rows > 0 ? camera(state, in: map.size)?.box(in: map.size) : nil
  }

  private func map(_ state: State, in area: CellArea) -> MapDrawing? {
    camera(state, in: area.size).map {
      MapDrawing(camera: $0, cities: mapCities, chosenCity: state.id)
    }
  }
}
