import FaketrackFeatures
import FaketrackSupport

/// Home: the tracks, a field for the path of another one, and the status of the app.
struct HomeView: ScreenView {
  typealias State = HomeViewModel.State
  typealias Action = HomeViewModel.Action

  private var prompt: PathPrompt
  private var selection = RowSelection()
  private var filter = ListFilter()
  /// The track that was opened last when the selection was updated.
  private var opened: Int?

  /// The line of the field among those that can be chosen.
  private static let fieldLine = -1

  init(files: PathCompletion) {
    prompt = PathPrompt(files: files)
  }

  var isTyping: Bool { prompt.isOpen || filter.isTyping }

  func title(_ state: State) -> String { "faketrack" }

  func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    if prompt.isOpen { return prompt.keys }
    if filter.isTyping { return filter.keys }
    let show: [KeyHint] = isAnotherWalked(state) ? [] : [.open("show")]
    let walk = state.tracks.isEmpty ? [] : show + [.start, .search("filter")]
    return walk + [.add] + (state.permission.isAuthorized ? [] : [.allow])
      + [.favorites("favorites")]
  }

  mutating func update(_ state: State, in area: CellArea) -> Reactions {
    var row = selection.row
    if state.opened.value != opened {
      opened = state.opened.value
      if opened != nil {
        prompt.close()
        filter = ListFilter()
      }
      row = tracks(state).firstIndex { $0.id == opened } ?? row
    }
    choose(row, state)
    return []
  }

  func appear(_ state: State) -> Reactions { [.send(.load), .send(.follow)] }

  /// The tracks that match the filter.
  private func tracks(_ state: State) -> [TrackCatalog.Entry] {
    state.tracks.filter { filter.matches($0.title) }
  }

  private func chosen(_ state: State) -> TrackCatalog.Entry? {
    tracks(state).dropFirst(selection.row).first
  }

  private mutating func choose(_ row: Int, _ state: State) {
    let count = tracks(state).count
    selection.choose(row, of: count, visible: count)
  }

  mutating func react(to input: TerminalInput, _ state: State, in area: CellArea) -> Reactions? {
    if prompt.isOpen {
      guard let text = prompt.react(to: input) else { return [] }
      // A file is meant before words are.
      if !prompt.files.exists(text), let words = MadeTrack(text) { return [.send(.make(words))] }
      return [.send(.open(prompt.files.track(at: text)))]
    }
    let (typed, before) = (filter.text, chosen(state))
    if !state.tracks.isEmpty, filter.react(to: input) {
      // Without a filter, the same track remains chosen.
      let row = tracks(state).firstIndex { $0.id == before?.id } ?? 0
      choose(filter.text.isEmpty || filter.text == typed ? row : 0, state)
      return []
    }
    let visible = visibleTracks(state, in: area)
    if selection.move(by: input, count: tracks(state).count, visible: visible) { return [] }
    switch input {
    case .key(.character("n")):
      prompt.open()
      return []
    case .key(.enter), .key(.right), .key(.character("l")):
      return show(state) { .choose(track: $0) }
    case .key(.character("F")): return [.open(.cities(CityListQuery(favoritesOnly: true)))]
    case .key(.character("a")):
      return state.permission.isAuthorized ? [] : [.send(.walk(.answer(.authorizedWhenInUse)))]
    case .key(.character("s")):
      return show(state) { .start(track: $0) }
    case .click(let place):
      let (block, first) = text(state, in: area)
      guard let row = block.choice(on: first + place.row - area.row) else { return [] }
      choose(row, state)
      return show(state) { .choose(track: $0) }
    default: return nil
    }
  }

  /// The number of visible tracks.
  private func visibleTracks(_ state: State, in area: CellArea) -> Int {
    let (block, first) = text(state, in: area)
    return (first..<first + area.rows).count { block.choice(on: $0) ?? Self.fieldLine >= 0 }
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

  /// Whether another track than the selected one is being walked.
  private func isAnotherWalked(_ state: State) -> Bool {
    guard let walked = state.walkedTrack, let chosen = chosen(state) else { return false }
    return chosen.id != walked
  }

  func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let (block, first) = text(state, in: area)
    block.draw(from: first, chosen: isTyping ? nil : selection.row, in: &frame, at: area)
    guard let line = block.line(of: Self.fieldLine) else { return }
    let place = area.line(line - first)
    if prompt.isOpen {
      prompt.draw(in: &frame, at: place)
    } else {
      filter.draw(in: &frame, at: place.inset(left: 2))
    }
  }

  /// The text, and its first visible line, which keeps the chosen track or the field visible.
  private func text(_ state: State, in area: CellArea) -> (block: TextBlock, first: Int) {
    var block = TextBlock(columns: area.columns)
    block.add("For every 100 meters of a walk, a photo taken there and the city you are near.")
    block.addSpace()
    block.add("Tracks", .heading)
    if state.tracks.isEmpty {
      block.add(
        "No track yet: press n to add a GPX file, or to type Potsdam to Berlin.", .muted, indent: 2)
    } else if state.tracks.count == 1, state.walkedTrack == nil {
      for (key, effect) in [
        ("s", "walk it"), ("n", "add a GPX file, or Potsdam to Berlin"),
        ("3", "search \(state.indexWords)"),
      ] {
        block.add([("  \(key)  ", CellStyle(ink: .accent)), (effect, .plain)])
      }
      block.addSpace()
    }
    if filter.isShown, !prompt.isOpen { block.add([("", .plain)], choice: Self.fieldLine) }
    for (row, track) in tracks(state).enumerated() {
      let mark = track.id == state.walkedTrack ? "▶ " : "  "
      block.add(
        [
          (mark, CellStyle(ink: .positive)), (track.title.safeForTerminal, .plain), ("  ", .plain),
          Self.facts(of: track),
        ], choice: row)
    }
    switch state.opened {
    case .loading: block.add("reading …", .muted, indent: 2)
    case .failed(let failure, _): block.add(failure)
    case .idle, .loaded: break
    }
    prompt.add(to: &block, line: Self.fieldLine)
    block.addSpace()
    block.add("Status", .heading)
    let favorites =
      switch state.favorites {
      case .loaded(let count): Quantity.count(count, "city", plural: "cities")
      case .failed(let failure, _): failure.message.safeForTerminal
      case .idle, .loading: "…"
      }
    for (name, words) in [
      ("Location", state.permission.words), ("Photos", state.photos.words),
      ("Cities", state.indexWords), ("Favorites", favorites),
    ] {
      block.add(fact: "  " + name, words, width: 14)
    }
    let line = block.line(of: isTyping ? Self.fieldLine : selection.row) ?? 0
    return (block, max(0, line - area.rows + 1))
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

extension TerminalStyle {
  package func text(_ state: HomeViewModel.State) -> String {
    let commands = [
      ("faketrack demo", "the sample walk, in the terminal or on a local web page"),
      ("faketrack replay walk.gpx", "a photo URL for every 100 meters of a walk"),
      ("faketrack cities search pots", "cities whose names start with “pots”"),
    ]
    let width = commands.map(\.0.columns).max() ?? 0
    let lines = commands.map { command, meaning in
      "  \(colored(command.padded(toColumns: width), .accent))  \(meaning)\n"
    }
    let key =
      state.photos.hasFlickrKey
      ? "set: photos come from Flickr"
      : "not set: photos come from Wikimedia Commons, which needs none"
    let favorites =
      switch state.favorites {
      case .loaded(let count): Quantity.grouped(count)
      case .failed(let failure, _): failure.message.safeForTerminal
      case .idle, .loading: ""
      }
    let facts = [("Flickr key", key), ("city index", state.indexWords), ("favorites", favorites)]
    return """
      \(bold("faketrack")) walks any GPX track: for every 100 meters, a photo taken there \
      and the city you are near.

      \(bold("Try next"))
      \(lines.joined())
      \(bold("Status"))
      \(facts.map { "  \(dim($0.padded(toColumns: 12)))\($1)\n" }.joined())
      All commands: faketrack --help

      """
  }
}
