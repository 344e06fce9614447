import Cities
import FaketrackFeatures
import FaketrackSupport
import Foundation

/// Home: the tracks with their map, and the status of the app.
struct HomeView: ScreenView {
  typealias State = HomeViewModel.State
  typealias Action = HomeViewModel.Action

  private var bar: ListBar
  private var pane = ListPane()
  private var map: TracksMap
  private var isByName = false
  /// The source of the text, which is kept because there may be very many tracks.
  private var shown: (state: State, filter: String, columns: Int, isByName: Bool)?
  /// The tracks of the list, in its order.
  private var listed: [TrackCatalog.Entry] = []
  /// The choice that the map shows: a map that follows a held key is restless, and many bytes.
  private var shownOnMap: Int?
  /// The track that was opened last when the list was updated.
  private var opened: Int?

  init(files: PathCompletion, index: CityIndex) {
    bar = ListBar(files: files)
    map = TracksMap(of: index)
  }

  private typealias Layout = (bar: CellArea, list: CellArea, map: CellArea)

  /// Without a track that has been read, the list takes the place of the map.
  private func layout(_ state: State, in area: CellArea) -> Layout {
    let (bar, rest) = bar.areas(in: area)
    guard hasMap(state) else { return (bar, rest, rest.inset(top: rest.rows)) }
    let (list, map) = map.areas(in: rest)
    return (bar, list, map)
  }

  private func hasMap(_ state: State) -> Bool {
    state.tracks.contains { $0.shape.value?.points.isEmpty == false }
  }

  func title(_ state: State) -> String { "faketrack" }

  var typingKeys: [KeyHint]? { bar.keys }

  func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>] {
    let chosen = chosen(state)
    return [
      KeyBinding(.escape("show all"), when: !bar.filterText.isEmpty) { $0.bar.shut() },
      KeyBinding(.open("show"), when: chosen != nil, isShown: !isAnotherWalked(state)) { view, _ in
        view.show(state) { .choose(track: $0) }
      },
      KeyBinding(.start, when: chosen != nil, replacesWalk: true) { view, _ in
        view.show(state) { .start(track: $0) }
      },
      KeyBinding(.search("filter"), when: !state.tracks.isEmpty) { $0.bar.openFilter() },
      KeyBinding(.add) { $0.bar.openPath() },
      KeyBinding(.sort(isByName ? "as added" : "by name"), when: state.tracks.count > 1) {
        $0.isByName.toggle()
      },
      KeyBinding(
        .remove, when: chosen != nil,
        replacesWalk: chosen.map { $0.isLive && !isWalked($0, state) } == true
      ) { view, _ in view.remove(state) },
      KeyBinding(
        .allow, when: !state.permission.isAuthorized,
        [.send(.walk(.answer(.authorizedWhenInUse)))]),
      KeyBinding(
        .favorites("favorites"), [.open(.cities(CityListQuery(favoritesOnly: true)))]),
    ] + (hasMap(state) ? map.bindings(of: \.map, in: area, nameOfText: "tracks") : [])
  }

  func appear(_ state: State) -> Reactions { [.send(.follow), .send(.load)] }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    let isNew = state.opened.value != nil && state.opened.value != opened
    opened = state.opened.value
    if isNew { bar.shut() }
    bar.answer(state.opened, columns: area.columns)
    let areas = layout(state, in: area)
    let source = (state, bar.filterText, areas.list.columns, isByName)
    let isSame = shown.map { $0 == source } ?? false
    if isSame {
      pane.fit(visible: areas.list.rows)
    } else {
      shown = source
      listed = (isByName ? Self.byName(state.tracks) : state.tracks)
        .filter { bar.matches($0.title) }
      pane.show(text(state, columns: areas.list.columns), visible: areas.list.rows)
    }
    if isNew, let opened { pane.choose(opened) }
    if !isSame || isNew { shownOnMap = pane.chosen }
    map.show(
      listed, of: state.tracks, walked: state.walkedTrack, chosen: shownOnMap, in: areas.map)
    return []
  }

  private static func byName(_ tracks: [TrackCatalog.Entry]) -> [TrackCatalog.Entry] {
    tracks.sorted { $0.title.localizedStandardCompare($1.title) == .orderedAscending }
  }

  mutating func settle(_ state: State, in area: CellArea) { shownOnMap = pane.chosen }

  mutating func type(_ input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    switch bar.type(input) {
    case .changed: return []
    case .path(let text):
      // A file is meant before words are.
      if !bar.files.exists(text), let words = MadeTrack(text) { return [.send(.make(words))] }
      return [.send(.openPath(bar.files.path(of: text)))]
    case nil: return move(by: input, state, in: area)
    }
  }

  mutating func move(by input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    let areas = layout(state, in: area)
    if map.zoom(by: input, in: areas.map) { return [] }
    guard case .click(let place) = input else {
      return pane.move(by: input) ? [] : nil
    }
    if areas.map.contains(place) {
      if let track = map.track(at: place, in: areas.map) { pane.choose(track) }
      shownOnMap = pane.chosen
      return []
    }
    guard let track = pane.choice(at: place, in: areas.list) else { return nil }
    pane.choose(track)
    return show(state) { .choose(track: $0) }
  }

  private func chosen(_ state: State) -> TrackCatalog.Entry? {
    state.tracks.first { $0.id == pane.chosen }
  }

  /// Chooses or starts the selected track, if it can be read, and shows it.
  private func show(_ state: State, _ action: (Int) -> TrackingViewModel.Action) -> Reactions {
    guard let track = chosen(state), track.shape.failure == nil else { return [] }
    let action = action(track.id)
    if case .choose = action, isAnotherWalked(state) {
      return [.say("Another track is being walked; press s to start this one.")]
    }
    return [.send(.walk(action)), .open(.tracking)]
  }

  private func isWalked(_ track: TrackCatalog.Entry, _ state: State) -> Bool {
    state.isUnderWay && track.id == state.walkedTrack
  }

  private func remove(_ state: State) -> Reactions {
    guard let track = chosen(state) else { return [] }
    if isWalked(track, state) {
      return [.say("This track is being walked: x on Tracking ends the walk.")]
    }
    return [
      .send(.walk(.remove(track: track.id))),
      .say("Removed \(track.title.safeForTerminal) from the list; no file is deleted."),
    ]
  }

  /// Whether another track than the selected one is being walked.
  private func isAnotherWalked(_ state: State) -> Bool {
    guard let walked = state.walkedTrack, let chosen = chosen(state) else { return false }
    return chosen.id != walked
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let areas = layout(state, in: area)
    bar.draw(in: &frame, at: areas.bar)
    pane.draw(isActive: bar.keys == nil, in: &frame, at: areas.list)
    map.draw(in: &frame, at: areas.map)
  }

  private func text(_ state: State, columns: Int) -> TextBlock {
    TextBlock(state.document, columns: columns) { section, block in
      guard section.id == "tracks" else { return }
      if !section.blocks.isEmpty, !state.tracks.isEmpty { block.addSpace() }
      addTracks(walked: state.walkedTrack, to: &block)
    }
  }

  private func addTracks(walked: Int?, to block: inout TextBlock) {
    if listed.isEmpty, !bar.filterText.isEmpty { block.add("No track matches.", .muted, indent: 2) }
    for track in listed {
      let mark = track.id == walked ? "▶ " : "  "
      block.add(
        [
          (mark, CellStyle(ink: .positive)), (track.title.safeForTerminal, .plain), ("  ", .plain),
          Self.facts(of: track),
        ], choice: track.id)
    }
  }

  private static func facts(of track: TrackCatalog.Entry) -> (text: String, style: CellStyle) {
    switch track.shape {
    case .loaded(let shape):
      ((track.summary() ?? "") + (shape.damage == nil ? "" : " · incomplete"), .muted)
    case .failed(let failure, _): (failure.message.safeForTerminal, CellStyle(ink: .failure))
    case .idle, .loading: ("reading …", .muted)
    }
  }
}
