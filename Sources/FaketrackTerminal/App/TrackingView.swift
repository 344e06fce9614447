import Cities
import FaketrackFeatures
import FaketrackSupport
import Locations

/// The walk: the map, the profile under it, its figures, and the photos, the newest on top.
package struct TrackingView: ScreenView {
  package typealias State = TrackingState
  package typealias Action = TrackingViewModel.Action

  package static let mapLimit = 120
  package var mapCities: [City] = []
  private(set) var selection = RowSelection()
  /// The number of the chosen photo; `nil` is the newest one.
  private var chosenPhoto: Int?
  private(set) var framing = Framing.wholeWalk
  private(set) var movesMap = false

  /// The part of the Earth on the map.
  enum Framing: Hashable {
    case wholeWalk
    /// The walker, at the scale of a camera.
    case walker(MapCamera)
    /// The position that the user moved it to.
    case place(MapCamera)
  }

  package init() {}

  package func title(_ state: State) -> String {
    state.entry?.title.safeForTerminal ?? "Tracking"
  }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    let walk = WalkPresentation(state)
    let remedies = walk.notice?.remedies.map(hint(for:)) ?? []
    if state.lacksPermission, walk.notice != nil {
      let ways = walk.controls.filter { state.isUnderWay ? $0.kind == .stop : $0.kind == .start }
      return remedies + ways.map(hint(for:))
    }
    let follow = if case .walker = framing { "whole walk" } else { "follow" }
    let deny = state.isUnderWay ? [KeyHint("d", "deny location")] : []
    return remedies + walk.controls.map(hint(for:)) + [
      KeyHint("+ -", "speed"), KeyHint("[ ]", "jump"), KeyHint("o", "photo"),
      KeyHint("Tab", movesMap ? "photos" : "map"), KeyHint("z Z", "zoom"), KeyHint("c", follow),
    ] + deny
  }

  private func hint(for control: WalkPresentation.Control) -> KeyHint {
    switch control.kind {
    case .pause, .resume: KeyHint("Space", control.title.lowercased())
    case .start: KeyHint("s", control.title.lowercased())
    case .stop: KeyHint("x", control.title.lowercased())
    }
  }

  private func hint(for remedy: WalkNotice.Remedy) -> KeyHint {
    switch remedy {
    case .allow: KeyHint("a", "allow")
    case .deny: KeyHint("d", "don't allow")
    case .startAgain, .goBack: KeyHint("r", "retry")
    }
  }

  // MARK: Input

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    let areas = layout(in: area)
    // The chosen photo stays chosen while others are added above it.
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
  private func control(_ input: TerminalInput, _ state: State) -> [Reaction<Action>]? {
    guard case .key(.character(let key)) = input else { return nil }
    let walk = WalkPresentation(state)
    func send(_ kind: WalkPresentation.Control.Kind) -> [Reaction<Action>] {
      walk.controls.filter { $0.kind == kind }.map { .send($0.action) }
    }
    switch key {
    case " ": return walk.playPause.map { [.send($0.action)] } ?? []
    case "s": return send(.start)
    case "x": return send(.stop)
    case "[", "]":
      guard let length = state.shape?.length else { return [] }
      let step = max(100, length / 50)
      // A held key continues from the pending jump, and a walk may begin at a gap.
      let start = state.destination ?? max(state.distance, state.legs.last?.lowerBound ?? 0)
      return [.send(.move(to: min(max(0, start + (key == "]" ? step : -step)), length)))]
    case "d":
      return state.isRefused || !state.isUnderWay ? [] : [.send(.answer(.denied))]
    case "a": return state.lacksPermission ? [.send(.answer(.authorizedWhenInUse))] : []
    case "r":
      return walk.notice?.retry?.actions.map { .send($0) } ?? []
    default:
      guard let walkKey = WalkKey(key), walkKey != .quit else { return nil }
      return walkKey.action(in: state.phase, at: state.speed).map { [.send($0)] } ?? []
    }
  }

  /// Whether the input controls the map even when keys choose photos.
  private func isForMap(_ input: TerminalInput, _ areas: Layout) -> Bool {
    switch input {
    case .key(.character("z")), .key(.character("Z")), .key(.character("c")): true
    case .wheel(_, let place): areas.map.contains(place)
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
    if areas.profile.contains(place),
      let length = state.shape?.length
    {
      let share =
        (Double(place.column - areas.profile.column) + 0.5) / Double(areas.profile.columns)
      return [.send(.move(to: share * length))]
    }
    if areas.photos.contains(place) {
      let row = selection.first + (place.row - areas.photos.row) / 2
      choose(row: row, of: state, in: areas)
    } else if areas.map.contains(place) {
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
