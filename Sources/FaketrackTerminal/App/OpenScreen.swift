import Cities
import FaketrackFeatures
import Geodesy

/// A screen on the stack of the app.
@MainActor
protocol OpenScreen: AnyObject {
  var title: String { get }
  func keys(in area: CellArea) -> [KeyHint]
  /// Loads the screen when it is shown, for the first time or again.
  func appear(in app: App)
  /// Adapts the view to the newest state and to the size.
  func update(in app: App)
  /// - Returns: whether the screen uses the input.
  func react(to input: TerminalInput, in app: App) -> Bool
  func draw(in frame: inout Frame, at area: CellArea)
}

extension App {
  /// Makes the screen of a route.
  static func screen(
    for route: Route, _ dependencies: Dependencies, files: PathCompletion
  ) -> any OpenScreen {
    switch Screen(route, dependencies) {
    case .home(let model): StateScreen(model, HomeView(files: files))
    case .tracking(let model): StateScreen(model, TrackingView())
    case .cities(let model): StateScreen(model, CitiesView(query: model.state.query))
    case .city(let model): StateScreen(model, CityView())
    case .lists(let model): StateScreen(model, ListsView())
    case .about(let about): StateScreen(StateStore(about), AboutView()) { _ in }
    }
  }
}

/// A state with its view, and the way to the view model.
@MainActor
private final class StateScreen<View: ScreenView>: OpenScreen {
  private let store: StateStore<View.State>
  private var view: View
  private let send: @MainActor (View.Action) async -> Void
  private var redraws: Task<Void, Never>?
  /// The part of the Earth for which the view has its cities.
  private var mapBox: BoundingBox?

  init(
    _ store: StateStore<View.State>, _ view: View,
    send: @escaping @MainActor (View.Action) async -> Void
  ) {
    self.store = store
    self.view = view
    self.send = send
  }

  convenience init<Model: ViewModel>(_ model: Model, _ view: View)
  where Model.State == View.State, Model.Action == View.Action {
    self.init(model.store, view) { await model.send($0) }
  }

  deinit {
    redraws?.cancel()
  }

  var title: String { view.title(store.state) }

  func keys(in area: CellArea) -> [KeyHint] { view.keys(store.state, in: area) }

  func appear(in app: App) {
    redraws =
      redraws
      ?? Task { [weak app, store] in
        for await _ in store.states() { app?.stateChanged() }
      }
    perform(view.appear(store.state), in: app)
  }

  func update(in app: App) {
    perform(view.update(store.state, in: app.body), in: app)
    let box = view.mapBox(store.state, in: app.body)
    guard let box, box != mapBox else { return }
    mapBox = box
    view.mapCities = app.index.mostPopulous(View.mapLimit, in: box)
  }

  func react(to input: TerminalInput, in app: App) -> Bool {
    guard let reactions = view.react(to: input, store.state, in: app.body) else { return false }
    perform(reactions, in: app)
    return true
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    view.draw(store.state, in: &frame, at: area)
  }

  private func perform(_ reactions: [Reaction<View.Action>], in app: App) {
    for reaction in reactions {
      switch reaction {
      case .send(let action): Task { [send] in await send(action) }
      case .open(let route): app.open(route)
      case .browse(let url): app.browse(url)
      }
    }
  }
}
