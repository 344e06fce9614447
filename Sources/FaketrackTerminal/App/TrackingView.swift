import Cities
import FaketrackFeatures
import FaketrackSupport

/// The walk: the map, the profile under it, its figures, and the photos, the newest on top.
package struct TrackingView: ScreenView {
  package typealias State = TrackingState
  package typealias Action = TrackingViewModel.Action

  var inView: CitiesInView
  private(set) var selection = RowSelection()
  /// The number of the chosen photo; `nil` is the one nearest to the position.
  private var chosenPhoto: Int?
  /// The part of the Earth that the user chose; `nil` is the whole walk.
  private(set) var chosenCamera: MapCamera?
  private(set) var followsWalker = false
  private(set) var movesMap = false
  /// Whether the map takes the place of the profile and the photos.
  private(set) var fillsScreen = false
  /// Whether there is room for the picture of the chosen photo.
  let hasPictures: Bool

  package init(index: CityIndex, hasPictures: Bool = false) {
    self.hasPictures = hasPictures
    inView = CitiesInView(index: index, limit: 120)
  }

  package func title(_ state: State) -> String {
    state.entry?.title.safeForTerminal ?? "Tracking"
  }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    let walk = WalkPresentation(state)
    let remedies = walk.notice?.remedies.map(Self.hint(for:)) ?? []
    var controls = walk.controls
    if state.lacksPermission, walk.notice != nil {
      controls.removeAll { $0.kind != (state.isUnderWay ? .stop : .start) }
    }
    let parts: [KeyHint] =
      fillsScreen ? [.map("photos")] : [.map, .tab(movesMap ? "to the photos" : "to the map")]
    return remedies + controls.map { Self.key(of: $0.kind)($0.title.lowercased()) }
      + (walk.isSteerable ? [.speed, .jump] : []) + [.zoom] + parts
      + [.outside("photo"), .follow(followsWalker ? "whole walk" : "follow")]
      + (state.isUnderWay && !state.lacksPermission ? [.deny] : [])
  }

  private static func key(of control: WalkPresentation.Control.Kind) -> KeyHint {
    switch control {
    case .pause, .resume: .pause
    case .start: .start
    case .stop: .stop
    }
  }

  private static func hint(for remedy: WalkNotice.Remedy) -> KeyHint {
    switch remedy {
    case .allow: .allow
    case .deny: .deny("don't allow")
    case .startAgain, .resume, .goBack: .retry
    }
  }

  package mutating func update(_ state: State, in area: CellArea) -> Reactions {
    let areas = layout(in: area)
    // The chosen photo stays chosen while others are added above it.
    let shown = chosenPhoto ?? state.photoHere
    choose(row: shown.flatMap { row(ofPhoto: $0, state) } ?? 0, of: state, in: areas)
    inView.look(at: camera(state, in: areas.map).box(in: areas.map.size))
    return []
  }

  /// The photo in a row, the newest in the first one.
  func card(row: Int, _ state: State) -> PhotoLog.Card? {
    state.photos.cards.dropLast(row).last
  }

  private func row(ofPhoto number: Int, _ state: State) -> Int? {
    state.photos.cards.lastIndex { $0.number == number }.map { state.photos.cards.count - 1 - $0 }
  }

  private mutating func choose(row: Int, of state: State, in areas: Layout) {
    selection.choose(row, of: state.photos.cards.count, visible: areas.photos.rows / 2)
    let number = card(row: selection.row, state)?.number
    chosenPhoto = number == state.photoHere ? nil : number
  }

  package mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> Reactions? {
    let areas = layout(in: area)
    if let actions = control(input, state) { return send(actions) }
    if moveMap(input, state, in: areas.map) { return [] }
    let count = state.photos.cards.count
    if selection.move(by: input, count: count, visible: areas.photos.rows / 2) {
      choose(row: selection.row, of: state, in: areas)
      return []
    }
    switch input {
    case .key(.enter), .key(.character("o")):
      guard let photo = card(row: selection.row, state)?.visit.photo else { return [] }
      return [.browse(photo.pageURL ?? photo.imageURL)]
    case .key(.tab):
      movesMap.toggle()
      return []
    case .key(.character("m")):
      fillsScreen.toggle()
      return []
    case .click(let place): return click(place, state, areas)
    default: return nil
    }
  }

  /// A jump gives up the chosen photo for the one where it ends.
  private mutating func send(_ actions: [Action]) -> Reactions {
    for case .move in actions { chosenPhoto = nil }
    return actions.map { .send($0) }
  }

  /// The actions of a key that steers the walk; `nil` for other input.
  private func control(_ input: TerminalInput, _ state: State) -> [Action]? {
    guard case .key(.character(let key)) = input else { return nil }
    let walk = WalkPresentation(state)
    switch key {
    case " ": return walk.playPause.map { [$0.action] } ?? []
    case "s", "x":
      return walk.controls.filter { Self.key(of: $0.kind).key == String(key) }.map(\.action)
    case "<", ",", ">", ".": return state.action(of: key).map { [$0] } ?? []
    case "[", "]":
      guard walk.isSteerable, let length = state.shape?.length else { return [] }
      let step = max(100, length / 50)
      // A held key continues from the pending jump, and a walk may begin at a gap.
      let start =
        state.destination ?? state.look?.distance
        ?? max(state.distance, state.legs.last?.lowerBound ?? 0)
      let target = min(max(0, start + (key == "]" ? step : -step)), length)
      guard key == "]", target == length else { return [.move(to: target)] }
      // There is nothing left to walk, so that it arrives.
      return state.phase == .finished ? [.move(to: length)] : [.move(to: length), .resume]
    case "d": return state.isRefused || !state.isUnderWay ? [] : [.answer(.denied)]
    case "a": return state.lacksPermission ? [.answer(.authorizedWhenInUse)] : []
    case "r": return walk.notice?.retry?.actions ?? []
    default: return nil
    }
  }

  /// - Returns: whether the input moved the map; arrow keys may choose photos instead.
  private mutating func moveMap(
    _ input: TerminalInput, _ state: State, in area: CellArea
  ) -> Bool {
    var camera = camera(state, in: area)
    let middle = BrailleCanvas.Dot(x: Double(area.columns), y: Double(area.rows * 2))
    var follows = false
    let hasArrows = movesMap || fillsScreen
    switch input {
    case .key(.up) where hasArrows: camera.move(columns: 0, rows: -2)
    case .key(.down) where hasArrows: camera.move(columns: 0, rows: 2)
    case .key(.left) where hasArrows: camera.move(columns: -4, rows: 0)
    case .key(.right) where hasArrows: camera.move(columns: 4, rows: 0)
    case .wheel(let steps, let place) where hasArrows || area.contains(place):
      let dot = BrailleCanvas.Dot(
        x: Double((place.column - area.column) * 2 + 1),
        y: Double((place.row - area.row) * 4 + 2))
      camera.zoom(by: steps > 0 ? 1 / 1.25 : 1.25, at: dot, in: area.size)
    case .key(.character("+")), .key(.character("=")):
      camera.zoom(by: 1.5, at: middle, in: area.size)
      follows = followsWalker
    case .key(.character("-")), .key(.character("_")):
      camera.zoom(by: 1 / 1.5, at: middle, in: area.size)
      follows = followsWalker
    case .key(.character("c")) where followsWalker:
      (chosenCamera, followsWalker) = (nil, false)
      return true
    case .key(.character("c")):
      if chosenCamera == nil { camera.zoom(by: 4, at: middle, in: area.size) }
      follows = true
    default: return false
    }
    (chosenCamera, followsWalker) = (camera, follows)
    return true
  }

  private mutating func click(_ place: CellPosition, _ state: State, _ areas: Layout) -> Reactions {
    if areas.profile.contains(place), let length = state.shape?.length {
      let column = Double(place.column - areas.profile.column) + 0.5
      return send([.move(to: column / Double(areas.profile.columns) * length)])
    }
    if areas.photos.contains(place) {
      let row = selection.first + (place.row - areas.photos.row) / 2
      choose(row: row, of: state, in: areas)
    } else if areas.map.contains(place) {
      let map = map(state, in: areas.map)
      let pin = pins(state, on: map, in: areas.map).first {
        $0.cell.row == place.row && abs($0.cell.column - place.column) <= 1
      }
      if let pin {
        if let row = row(ofPhoto: pin.number, state) { choose(row: row, of: state, in: areas) }
      } else {
        return open(map.city(at: place, in: areas.map))
      }
    }
    return []
  }
}

extension TrackingState {
  /// The number of the photo at the position, or else of the newest.
  fileprivate var photoHere: Int? { currentCard?.number ?? photos.cards.last?.number }

  /// The action of a key, in the app and during a replay; `nil` if it has no effect now.
  package func action(of key: Character) -> TrackingViewModel.Action? {
    switch key {
    case " ": phase == .paused ? .resume : phase == .running ? .pause : nil
    // Also without shift, as on many keyboards; + and - where no map is zoomed.
    case ">", ".", "+", "=": speed.faster == speed ? nil : .setSpeed(speed.faster)
    case "<", ",", "-", "_": speed.slower == speed ? nil : .setSpeed(speed.slower)
    case "q", "Q": .stop
    default: nil
    }
  }
}
