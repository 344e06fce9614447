import Cities
import FaketrackFeatures
import FaketrackSupport

/// The walk: the map, the profile under it, its figures, and the photos, the newest on top.
package struct TrackingView: ScreenView {
  package typealias State = TrackingState
  package typealias Action = TrackingViewModel.Action

  private(set) var ground: MapGround
  private(set) var path = WalkPath()
  private(set) var pane = ListPane()
  /// The number of the chosen photo; `nil` is the one nearest to the position.
  private var chosenPhoto: Int?
  /// The part of the Earth that the user chose; `nil` is the whole walk.
  private(set) var chosenCamera: MapCamera?
  private(set) var followsWalker = false
  private(set) var movesMap = false
  /// Whether the map takes the place of the profile and the photos.
  private(set) var fillsScreen = false
  /// Whether the arrows and the wheel are for the map.
  private var mapHasKeys: Bool { movesMap || fillsScreen }
  /// Whether the splits and the cities passed take the place of the photos.
  private(set) var showsFigures = false
  private(set) var figures = ListPane()
  /// The cities passed, which are gathered anew only for a longer history: it may be very long.
  private var passed: (walk: Int, visits: Int, cities: [String]) = (0, 0, [])
  /// Whether there is room for the picture of the chosen photo.
  let hasPictures: Bool

  package init(index: CityIndex, hasPictures: Bool = false) {
    self.hasPictures = hasPictures
    ground = MapGround(of: index, limit: 120)
  }

  package func title(_ state: State) -> String {
    state.entry?.title.safeForTerminal ?? "Tracking"
  }

  package func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>] {
    let walk = WalkPresentation(state)
    let areas = layout(state, in: area)
    let isAsked = state.lacksPermission && walk.notice != nil
    let photo = chosenCard(state)?.visit.photo
    let openPhoto: Reactions = photo.map { [.browse($0.pageURL ?? $0.imageURL)] } ?? []
    let remedies = (walk.notice?.remedies ?? []).map { remedy in
      KeyBinding<Self>(Self.hint(for: remedy), replacesWalk: remedy == .startAgain) { view, _ in
        view.send(remedy.actions)
      }
    }
    let controls = walk.controls.map { control in
      let isMissed = isAsked && control.kind != (state.isUnderWay ? .stop : .start)
      return KeyBinding<Self>(
        Self.key(of: control.kind)(control.title.lowercased()), isShown: !isMissed,
        replacesWalk: control.kind == .start, [.send(control.action)])
    }
    return remedies + controls + [
      KeyBinding(.pan, when: mapHasKeys) {
        $0.pan($1, state, in: areas.map)
      },
      KeyBinding(mapHasKeys ? .jumpBesidePan : .jump, when: walk.isSteerable) {
        view, key in
        view.send(Self.jump(isAhead: key == .character("]") || key == .right, state))
      },
      KeyBinding(.zoom) { $0.zoom(closer: $1.isPlus, state, in: areas.map) },
      KeyBinding(.map(fillsScreen ? "photos" : "map")) { $0.fillsScreen.toggle() },
      KeyBinding(.tab(movesMap ? "to the photos" : "to the map"), isShown: !fillsScreen) {
        $0.movesMap.toggle()
      },
      KeyBinding(.figures(showsFigures ? "photos" : "figures"), isShown: !fillsScreen) {
        $0.showsFigures.toggle()
      },
      KeyBinding(.outside("photo"), openPhoto),
      KeyBinding(.enter("photo"), isShown: false, openPhoto),
      KeyBinding(.copy("copy"), copy(state)),
      KeyBinding(.follow(followsWalker ? "stop following" : "follow")) {
        $0.follow(state, in: areas.map)
      },
      KeyBinding(.whole, when: chosenCamera != nil) {
        ($0.chosenCamera, $0.followsWalker) = (nil, false)
      },
      KeyBinding(
        .deny, when: state.isUnderWay && !state.isRefused, isShown: !state.lacksPermission,
        [.send(.answer(.denied))]),
      KeyBinding(
        .allow, when: state.lacksPermission, isShown: false,
        [.send(.answer(.authorizedWhenInUse))]),
    ]
  }

  /// The address of the chosen photo, or the position where the map has the keys or there is no photo.
  private func copy(_ state: State) -> Reactions {
    if !mapHasKeys, let photo = chosenCard(state)?.visit.photo {
      return [.copy((photo.pageURL ?? photo.imageURL).absoluteString, of: "the photo's address")]
    }
    return state.position.map {
      [.copy(Quantity.position($0, places: 5), of: "the position")]
    } ?? []
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
    let areas = layout(state, in: area)
    // The chosen photo stays chosen while others are added above it.
    let shown = chosenPhoto ?? state.photoHere
    choose(row: shown.flatMap { row(ofPhoto: $0, state) } ?? 0, of: state, in: areas)
    if showsFigures {
      let area = areas.photos
      let visits = state.history.count
      if (passed.walk, passed.visits) != (state.walk, visits) {
        passed = (state.walk, visits, state.citiesPassed.map(\.fullName))
      }
      let text = Self.figures(state, cities: passed.cities, columns: area.columns)
      figures.show(text, visible: area.rows)
    }
    path.project(state.shape)
    ground.look(from: camera(state, in: areas.map), in: areas.map.size)
    return []
  }

  /// The photo in a row, the newest in the first one.
  func card(row: Int, _ state: State) -> PhotoLog.Card? {
    state.photos.cards.dropLast(row).last
  }

  /// The chosen photo, or the newest one.
  func chosenCard(_ state: State) -> PhotoLog.Card? { card(row: pane.chosen ?? 0, state) }

  private func row(ofPhoto number: Int, _ state: State) -> Int? {
    state.photos.cards.lastIndex { $0.number == number }.map { state.photos.cards.count - 1 - $0 }
  }

  private mutating func choose(row: Int, of state: State, in areas: Layout) {
    let visible = areas.photos.rows / 2
    pane.show(rows: state.photos.cards.count, visible: visible)
    pane.choose(row)
    let number = chosenCard(state)?.number
    chosenPhoto = number == state.photoHere ? nil : number
  }

  package mutating func move(
    by input: TerminalInput, _ state: State, in area: CellArea
  ) -> Reactions? {
    let areas = layout(state, in: area)
    switch input {
    case .click(let place): return click(place, state, areas)
    case .drag(let start, let end):
      var camera = camera(state, in: areas.map)
      camera.move(columns: start.column - end.column, rows: start.row - end.row)
      return look(with: camera)
    case .wheel(let steps, let place)
    where mapHasKeys || areas.map.contains(place):
      return wheel(steps, at: place, state, in: areas.map)
    default: break
    }
    if showsFigures, !movesMap { return figures.move(by: input) ? [] : nil }
    guard pane.move(by: input) else { return nil }
    choose(row: pane.chosen ?? 0, of: state, in: areas)
    return []
  }

  package func drags(at place: CellPosition, _ state: State, in area: CellArea) -> Bool {
    layout(state, in: area).map.contains(place)
  }

  /// A jump gives up the chosen photo for the one where it ends.
  private mutating func send(_ actions: [Action]) -> Reactions {
    for case .move in actions { chosenPhoto = nil }
    return actions.map { .send($0) }
  }

  /// The actions of a jump along the walk, by a fiftieth of it.
  private static func jump(isAhead: Bool, _ state: State) -> [Action] {
    guard let length = state.shape?.length else { return [] }
    let step = max(100, length / 50)
    // A held key continues from the pending jump, and a walk may begin at a gap.
    let start =
      state.destination ?? state.look?.distance
      ?? max(state.distance, state.legs.last?.lowerBound ?? 0)
    let target = min(max(0, start + (isAhead ? step : -step)), length)
    guard isAhead, target == length else { return [.move(to: target)] }
    // There is nothing left to walk, so that it arrives.
    return state.phase == .finished ? [.move(to: length)] : [.move(to: length), .resume]
  }

  // MARK: The map

  private mutating func look(with camera: MapCamera, follows: Bool = false) -> Reactions {
    (chosenCamera, followsWalker) = (camera, follows)
    return []
  }

  private mutating func zoom(closer: Bool, _ state: State, in area: CellArea) -> Reactions {
    let camera = camera(state, in: area).closer(by: closer ? 1.5 : 1 / 1.5)
    return look(with: camera, follows: followsWalker)
  }

  private mutating func pan(
    _ key: TerminalInput.Key, _ state: State, in area: CellArea
  ) -> Reactions {
    var camera = camera(state, in: area)
    switch key {
    case .up: camera.move(columns: 0, rows: -2)
    case .down: camera.move(columns: 0, rows: 2)
    case .left: camera.move(columns: -4, rows: 0)
    default: camera.move(columns: 4, rows: 0)
    }
    return look(with: camera)
  }

  private mutating func wheel(
    _ steps: Int, at place: CellPosition, _ state: State, in area: CellArea
  ) -> Reactions {
    var camera = camera(state, in: area)
    let dot = DotCanvas.Dot(
      x: Double((place.column - area.column) * 2 + 1),
      y: Double((place.row - area.row) * 4 + 2))
    camera.zoom(by: steps > 0 ? 1 / 1.25 : 1.25, at: dot, in: area.size)
    return look(with: camera)
  }

  /// Follows the walker, or leaves the map where it is.
  private mutating func follow(_ state: State, in area: CellArea) {
    let camera = camera(state, in: area)
    (chosenCamera, followsWalker) = (
      chosenCamera == nil ? camera.closer(by: 4) : camera, !followsWalker
    )
  }

  private mutating func click(_ place: CellPosition, _ state: State, _ areas: Layout) -> Reactions {
    if areas.profile.contains(place), let length = state.shape?.length {
      let column = Double(place.column - areas.profile.column) + 0.5
      return send([.move(to: column / Double(areas.profile.columns) * length)])
    }
    if areas.photos.contains(place), !showsFigures {
      let row = pane.first + (place.row - areas.photos.row) / 2
      choose(row: min(row, state.photos.cards.count - 1), of: state, in: areas)
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
