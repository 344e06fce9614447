import FaketrackFeatures
import FaketrackSupport

/// Home: the tracks, a field for the path of another one, and the status of the app.
package struct HomeView: ScreenView {
  package typealias State = HomeViewModel.State
  package typealias Action = HomeViewModel.Action

  private let files: PathCompletion
  private var selection = RowSelection()
  private var field: TextField?
  private var completions: [String] = []
  /// The track that was opened last when the selection was updated.
  private var opened: Int?

  package init(files: PathCompletion) {
    self.files = files
  }

  package func title(_ state: State) -> String { "faketrack" }

  package func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    if field != nil {
      return [KeyHint("Enter", "open"), KeyHint("Tab", "complete"), KeyHint("Esc", "cancel")]
    }
    let walk = state.tracks.isEmpty ? [] : [KeyHint("Enter", "show"), KeyHint("s", "start")]
    let allow = state.permission.isAuthorized ? [] : [KeyHint("a", "allow")]
    return walk + [KeyHint("o", "open a file")] + allow + [KeyHint("/", "search cities")]
  }

  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] {
    let count = state.tracks.count
    if state.opened.value != opened {
      opened = state.opened.value
      if let row = state.tracks.firstIndex(where: { $0.id == opened }) {
        selection.choose(row, of: count, visible: count)
      }
    }
    selection.fit(count: count, visible: count)
    return []
  }

  package func appear(_ state: State) -> [Reaction<Action>] { [.send(.load)] }

  // MARK: Input

  package mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]? {
    if field != nil { return type(input) }
    let count = state.tracks.count
    if selection.move(by: input, count: count, visible: count) { return [] }
    switch input {
    case .key(.character("o")): field = TextField()
    case .key(.enter), .key(.right), .key(.character("l")):
      return show(state) { .choose(track: $0) }
    case .key(.character("a")):
      return state.permission.isAuthorized ? [] : [.send(.walk(.answer(.authorizedWhenInUse)))]
    case .key(.character("s")):
      return show(state) { .start(track: $0) }
    case .click(let place):
      let block = text(state, columns: area.columns)
      let line = first(in: block, rows: area.rows) + place.row - area.row
      guard let row = block.choice(on: line) else { return [] }
      selection.choose(row, of: count, visible: count)
      return show(state) { .choose(track: $0) }
    default: return nil
    }
    return []
  }

  /// Chooses or starts the selected track, if it can be read, and shows it.
  private func show(
    _ state: State, _ action: (Int) -> TrackingViewModel.Action
  ) -> [Reaction<Action>] {
    guard state.tracks.indices.contains(selection.row) else { return [] }
    let track = state.tracks[selection.row]
    return track.shape.failure == nil
      ? [.send(.walk(action(track.id))), .open(.tracking)] : []
  }

  private mutating func type(_ input: TerminalInput) -> [Reaction<Action>] {
    guard let text = field?.text else { return [] }
    completions = []
    switch input {
    case .key(.escape): field = nil
    case .key(.enter):
      field = nil
      if !text.isEmpty { return [.send(.open(files.track(at: text)))] }
    case .key(.tab):
      completions = files.completions(of: text)
      field = TextField(files.commonStart(of: completions) ?? text)
    default: _ = field?.react(to: input)
    }
    return []
  }

  // MARK: Drawing

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    let block = text(state, columns: area.columns)
    let first = first(in: block, rows: area.rows)
    block.draw(from: first, chosen: field == nil ? selection.row : nil, in: &frame, at: area)
    guard let field, let line = block.lines.firstIndex(where: \.isField) else { return }
    let cursor = field.visible(columns: columnsForField(of: area.columns)).cursor
    frame.cursor = CellPosition(
      column: area.column + Self.prompt.columns + cursor,
      row: min(area.row + line - first, area.row + max(0, area.rows - 1)))
  }

  /// The first visible line, which keeps the chosen track or the field visible.
  private func first(in block: TextBlock, rows: Int) -> Int {
    let line =
      field == nil ? block.line(of: selection.row) : block.lines.firstIndex(where: \.isField)
    guard let line, line >= rows else { return 0 }
    return line - rows + 1
  }

  private static let prompt = "  File: "

  private func columnsForField(of columns: Int) -> Int { columns - Self.prompt.columns }

  private func text(_ state: State, columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    block.add("For every 100 meters of a walk, a photo taken there and the city you are near.")
    block.addSpace()
    block.add("Tracks", .heading)
    if state.tracks.isEmpty { block.add("No track yet: o opens a GPX file.", .muted, indent: 2) }
    for (row, track) in state.tracks.enumerated() { add(track, row, state, to: &block) }
    switch state.opened {
    case .loading: block.add("reading …", .muted, indent: 2)
    case .failed(let failure, _): block.add(failure)
    case .idle, .loaded: break
    }
    if let field {
      block.addField(Self.prompt, field.visible(columns: columnsForField(of: columns)).text)
      for completion in completions.prefix(5) {
        block.add(completion.safeForTerminal, .muted, indent: Self.prompt.columns)
      }
    }
    block.addSpace()
    block.add("Status", .heading)
    block.add(fact: "  Location", state.permission.words, width: 14)
    block.add(fact: "  Photos", state.photos.words, width: 14)
    block.add(fact: "  Cities", state.indexWords, width: 14)
    let favorites =
      switch state.favorites {
      case .loaded(let count): Quantity.count(count, "city", plural: "cities")
      case .failed(let failure, _): failure.message.safeForTerminal
      case .idle, .loading: "…"
      }
    block.add(fact: "  Favorites", favorites, width: 14)
    return block
  }

  private func add(
    _ track: TrackCatalog.Entry, _ row: Int, _ state: State, to block: inout TextBlock
  ) {
    let isWalked = track.id == state.walkedTrack
    let facts: (text: String, style: CellStyle) =
      switch track.shape {
      case .loaded(let shape):
        (shape.summary() + (shape.damage == nil ? "" : " · incomplete"), .muted)
      case .failed(let failure, _): (failure.message.safeForTerminal, CellStyle(.failure))
      case .idle, .loading: ("reading …", .muted)
      }
    block.add(
      [
        (isWalked ? "▶ " : "  ", CellStyle(.positive)), (track.title.safeForTerminal, .plain),
        ("  ", .plain), facts,
      ], choice: row)
  }
}
