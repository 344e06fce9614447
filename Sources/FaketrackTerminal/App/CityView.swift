import Cities
import FaketrackFeatures
import FaketrackSupport

/// A city: facts, the summary from Wikipedia, neighbors and the map.
struct CityView: ScreenView {
  typealias State = CityViewModel.State
  typealias Action = CityViewModel.Action

  private var map: CityMap
  private var scroll = TextScroll()
  private var neighbor = 0

  init(index: CityIndex) {
    map = CityMap(of: index, radius: 50_000)
  }

  func title(_ state: State) -> String {
    state.details.value.map { $0.city.name.safeForTerminal } ?? "City"
  }

  func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    var keys: [KeyHint] = []
    if let details = state.details.value {
      keys.append(.star(details.isFavorite ? "unstar" : "star"))
    }
    if state.summary.value??.url != nil { keys.append(.outside("article")) }
    if state.summary.failure != nil || state.details.failure != nil {
      keys.append(.retry)
    }
    return keys + [.open] + map.keys(in: area, nameOfText: "facts") + [.back]
  }

  func appear(_ state: State) -> Reactions {
    state.summary == .loading ? [] : [.send(.load)]
  }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    let areas = map.areas(in: area)
    scroll.show(Self.text(state, columns: areas.text.columns), visible: areas.text.rows)
    if let city = state.details.value?.city { map.update(around: city, in: areas.map) }
    return []
  }

  mutating func react(to input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    let areas = map.areas(in: area)
    if map.react(to: input) || move(by: input, rows: areas.text.rows) { return [] }
    let details = state.details.value
    switch input {
    case .key(.enter), .key(.character("l")), .key(.right):
      return open(chosen(rows: areas.text.rows), in: details)
    case .key(.character("f")):
      return details.map { [.send(.setFavorite(!$0.isFavorite))] } ?? []
    case .key(.character("o")):
      return state.summary.value??.url.map { [.browse($0)] } ?? []
    case .key(.character("r")): return [.send(.load)]
    case .click(let place) where areas.map.contains(place):
      guard let city = details?.city else { return [] }
      return open(map.drawing(around: city, in: areas.map).city(at: place, in: areas.map))
    case .click(let place):
      return open(scroll.text.choice(on: scroll.first + place.row - areas.text.row), in: details)
    default: return nil
    }
  }

  private func open(_ number: Int?, in details: CityViewModel.Details?) -> Reactions {
    guard let number, let neighbors = details?.neighbors, neighbors.indices.contains(number)
    else { return [] }
    return [.open(.city(id: neighbors[number].city.id))]
  }

  private func isVisible(_ number: Int, rows: Int) -> Bool {
    scroll.text.line(of: number).map((scroll.first..<scroll.first + rows).contains) ?? false
  }

  /// The number of the chosen neighbor, if its line is visible.
  private func chosen(rows: Int) -> Int? { isVisible(neighbor, rows: rows) ? neighbor : nil }

  /// Chooses the next neighbor if its line is visible; otherwise scrolls, and chooses the nearest
  /// visible one.
  private mutating func move(by input: TerminalInput, rows: Int) -> Bool {
    let step =
      switch input {
      case .key(.up), .key(.character("k")): -1
      case .key(.down), .key(.character("j")): 1
      default: 0
      }
    if step != 0, let number = chosen(rows: rows), isVisible(number + step, rows: rows) {
      neighbor += step
      return true
    }
    guard scroll.move(by: input, visible: rows) else { return false }
    let choices = (scroll.first..<scroll.first + rows).compactMap(scroll.text.choice)
    if let first = choices.first, let last = choices.last {
      neighbor = min(max(first, neighbor + step), last)
    }
    return true
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = map.areas(in: area)
    scroll.draw(chosen: chosen(rows: areas.text.rows), in: &frame, at: areas.text)
    if let city = state.details.value?.city, areas.map.rows > 0 {
      map.drawing(around: city, in: areas.map).draw(in: &frame, at: areas.map)
    }
  }

  private static func text(_ state: State, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    if let failure = state.details.failure {
      block.add(failure)
      block.addSpace()
    }
    guard let details = state.details.value else {
      if state.details.failure == nil { block.add("…", .muted) }
      return block
    }
    let city = details.city
    block.add(city.shortName.safeForTerminal + (details.isFavorite ? " ★" : ""), .heading)
    block.add(fact: "Population", city.shownPopulation ?? "not known")
    block.add(fact: "Position", Quantity.position(city.coordinate, places: 4))
    if let zone = city.timezone { block.add(fact: "Time zone", zone.safeForTerminal) }
    block.addSpace()
    switch state.summary {
    case .idle, .loading:
      for width in [0.9, 1, 0.6] {
        block.add(String(repeating: "░", count: Int(Double(block.columns) * width)), .muted)
      }
    case .failed(let failure, _): block.add(failure)
    case .loaded(let article):
      block.add(article)
      if let url = article?.url?.absoluteString {
        block.add("Wikipedia, CC BY-SA", CellStyle(ink: .accent, isUnderlined: true, link: url))
      }
    }
    block.addSpace()
    block.add("Nearby", .heading)
    for (number, row) in details.neighbors.enumerated() {
      let distance = Quantity.distance(row.distance ?? 0).padded(toColumns: 9, onLeft: true)
      block.add(
        [
          (distance + "  ", .muted), (row.city.name.safeForTerminal, .plain),
          (row.isFavorite ? " ★" : "", CellStyle(ink: .highlight)),
        ], choice: number)
    }
    return block
  }
}
