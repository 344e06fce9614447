import Cities
import FaketrackFeatures
import FaketrackSupport
import Locations

/// The walk: the map, the profile under it, its figures, and the photos, the newest on top.
package struct TrackingView: ScreenView {
  package typealias State = TrackingState
  package typealias Action = TrackingViewModel.Action

  let catalog: TrackCatalog
  private(set) var mapCities: MapCities
  private(set) var selection = RowSelection()
  /// The number of the photo that is chosen; `nil` is the newest one.
  private var chosenPhoto: Int?
  private(set) var framing = Framing.wholeWalk
  private(set) var movesMap = false
  /// Where the walk has been sent and is not yet, in meters along the track.
  private var destination: Double?

  /// What the map shows.
  enum Framing: Hashable {
    case wholeWalk
    /// The walker, at the scale of a camera.
    case walker(MapCamera)
    /// What the user has moved it to.
    case place(MapCamera)
  }

  /// The most dots on the map.
  static let mapLimit = 120

  package init(catalog: TrackCatalog, index: CityIndex) {
    self.catalog = catalog
    mapCities = MapCities(index, limit: Self.mapLimit)
  }

  func entry(_ state: State) -> TrackCatalog.Entry? {
    catalog.entry(state.track)
  }

  func shape(_ state: State) -> TrackShape? { entry(state)?.shape.value }

  package func title(_ state: State) -> String { entry(state)?.title.safeForTerminal ?? "Tracking" }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    switch state.notice()?.remedy {
    case .answer:
      return [KeyHint("a", "allow"), KeyHint("d", "don't allow"), KeyHint("x", "stop")]
    case .allow:
      return [
        KeyHint("a", "allow"), state.isUnderWay ? KeyHint("x", "stop") : KeyHint("s", "start"),
      ]
    case .startAgain, .goBack, nil: break
    }
    let walk =
      switch state.phase {
      case .idle: [KeyHint("s", "start")]
      case .running: [KeyHint("Space", "pause"), KeyHint("x", "stop")]
      case .paused: [KeyHint("Space", "resume"), KeyHint("x", "stop")]
      case .blocked: [KeyHint("x", "stop")]
      case .stopped: [KeyHint("Space", "continue"), KeyHint("s", "start again")]
      case .finished, .failed: [KeyHint("s", "start again")]
      }
    let follow = if case .walker = framing { "whole walk" } else { "follow" }
    let deny = state.isUnderWay ? [KeyHint("d", "deny location")] : []
    return (state.notice() == nil ? walk : [KeyHint("r", "retry")] + walk) + [
      KeyHint("+ -", "speed"), KeyHint("[ ]", "jump"), KeyHint("o", "photo"),
      KeyHint("Tab", movesMap ? "photos" : "map"), KeyHint("z Z", "zoom"), KeyHint("c", follow),
    ] + deny
  }

  // MARK: Input

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    let areas = layout(in: area)
    mapCities.update(camera(state, in: areas.map), in: areas.map.size)
    if state.legs.last?.lowerBound == destination { destination = nil }
    // The chosen photo stays so while others come in above it.
    let chosen = chosenPhoto.flatMap { row(ofPhoto: $0, state) }
    if chosen == nil { chosenPhoto = nil }
    selection.choose(
      chosen ?? 0, of: state.photos.cards.count, visible: areas.photos.rows / 2)
    return []
  }

  package mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]? {
    let areas = layout(in: area)
    if let reactions = control(input, state) { return reactions }
    if movesMap || isForMap(input, areas), move(input, state, in: areas.map) { return [] }
    let cards = state.photos.cards
    if selection.move(by: input, count: cards.count, visible: areas.photos.rows / 2) {
      choose(row: selection.row, of: state, in: areas)
      return []
    }
    switch input {
    case .key(.enter), .key(.character("o")):
      guard let photo = card(row: selection.row, state)?.visit.photo else { return [] }
      return [.browse(photo.page ?? photo.url)]
    case .key(.tab): movesMap.toggle()
    case .click(let place): return click(place, state, areas)
    default: return nil
    }
    return []
  }

  /// The photo in a row, the newest in the first one.
  func card(row: Int, _ state: State) -> PhotoLog.Card? {
    let position = state.photos.cards.count - 1 - row
    return state.photos.cards.indices.contains(position) ? state.photos.cards[position] : nil
  }

  private func row(ofPhoto number: Int, _ state: State) -> Int? {
    state.photos.cards.lastIndex { $0.number == number }.map { state.photos.cards.count - 1 - $0 }
  }

  private mutating func choose(row: Int, of state: State, in areas: Layout) {
    selection.choose(row, of: state.photos.cards.count, visible: areas.photos.rows / 2)
    chosenPhoto = selection.row == 0 ? nil : card(row: selection.row, state)?.number
  }

  /// The keys that steer the walk.
  private mutating func control(_ input: TerminalInput, _ state: State) -> [Reaction<Action>]? {
    guard case .key(.character(let key)) = input else { return nil }
    switch key {
    case "s": return state.isUnderWay ? [] : [.send(.start(track: nil))]
    case " " where !state.isUnderWay:
      return [.send(state.canResume ? .resume : .start(track: nil))]
    case "x": return state.isUnderWay ? [.send(.stop)] : []
    case "[", "]":
      guard let length = shape(state)?.length else { return [] }
      let step = max(100, length / 50)
      // A key that is held does not wait for the walk, and the walk may begin at a gap.
      let start = destination ?? max(state.distance, state.legs.last?.lowerBound ?? 0)
      let end = min(max(0, start + (key == "]" ? step : -step)), length)
      destination = end
      return [.send(.move(to: end))]
    case "d":
      return state.isRefused || !state.isUnderWay ? [] : [.send(.answer(.denied))]
    case "a": return state.lacksPermission ? [.send(.answer(.authorizedWhenInUse))] : []
    case "r":
      if case .failed = state.phase { return [.send(.start(track: nil))] }
      return state.failingSince.map { [.send(.move(to: $0)), .send(.resume)] } ?? []
    default:
      guard let walkKey = WalkKey(key), walkKey != .quit else { return nil }
      return walkKey.action(in: state.phase, at: state.speed).map { [.send($0)] } ?? []
    }
  }

  /// Whether the input is for the map wherever the keys go.
  private func isForMap(_ input: TerminalInput, _ areas: Layout) -> Bool {
    switch input {
    case .key(.character("z")), .key(.character("Z")), .key(.character("c")): true
    case .wheel(_, let place): areas.map.contains(column: place.column, row: place.row)
    default: false
    }
  }

  /// - Returns: whether the input moved the map.
  private mutating func move(_ input: TerminalInput, _ state: State, in area: CellArea) -> Bool {
    var camera = camera(state, in: area)
    let middle = BrailleCanvas.Dot(x: Double(area.columns), y: Double(area.rows * 2))
    switch input {
    case .key(.up): camera.move(columns: 0, rows: -2)
    case .key(.down): camera.move(columns: 0, rows: 2)
    case .key(.left): camera.move(columns: -4, rows: 0)
    case .key(.right): camera.move(columns: 4, rows: 0)
    case .key(.character("z")), .key(.character("Z")):
      camera.zoom(by: input == .key(.character("z")) ? 1.5 : 1 / 1.5, at: middle, in: area.size)
      if case .walker = framing {
        framing = .walker(camera)
        return true
      }
    case .key(.character("c")):
      switch framing {
      case .wholeWalk:
        camera.zoom(by: 4, at: middle, in: area.size)
        framing = .walker(camera)
      case .walker: framing = .wholeWalk
      case .place(let camera): framing = .walker(camera)
      }
      return true
    case .wheel(let steps, let place):
      let dot = BrailleCanvas.Dot(
        x: Double((place.column - area.column) * 2 + 1),
        y: Double((place.row - area.row) * 4 + 2))
      camera.zoom(by: steps > 0 ? 1 / 1.25 : 1.25, at: dot, in: area.size)
    default: return false
    }
    framing = .place(camera)
    return true
  }

  private mutating func click(
    _ place: CellPosition, _ state: State, _ areas: Layout
  ) -> [Reaction<Action>] {
    if areas.profile.contains(column: place.column, row: place.row),
      let length = shape(state)?.length
    {
      let share =
        (Double(place.column - areas.profile.column) + 0.5) / Double(areas.profile.columns)
      return [.send(.move(to: share * length))]
    }
    if areas.photos.contains(column: place.column, row: place.row) {
      let row = selection.first + (place.row - areas.photos.row) / 2
      choose(row: row, of: state, in: areas)
    } else if areas.map.contains(column: place.column, row: place.row) {
      let map = map(state, in: areas.map)
      if let pin = pins(state, on: map, in: areas.map).first(where: { $0.isNear(place) }) {
        if let row = row(ofPhoto: pin.number, state) { choose(row: row, of: state, in: areas) }
      } else if let city = map.city(at: place, in: areas.map) {
        return [.open(.city(id: city.id))]
      }
    }
    return []
  }
}
