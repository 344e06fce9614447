import Cities
import FaketrackFeatures
import Foundation

/// The view of a screen: draws a state and turns input into actions. It holds what belongs to the
/// terminal alone, such as the chosen row.
package protocol ScreenView<State, Action>: Sendable {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable

  func title(_ state: State) -> String

  /// The keys of the field in which characters are typed; `nil` without one.
  var typingKeys: [KeyHint]? { get }

  /// The keys of the screen, the most important first.
  func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>]

  /// The actions that load the screen when it is shown, for the first time or again.
  func appear(_ state: State) -> [Reaction<Action>]

  /// Adapts to a new state or size; visible rows may have to be loaded then.
  mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>]

  /// Adapts to what has been chosen, once no key has been pressed for a moment.
  mutating func settle(_ state: State, in area: CellArea)

  func draw(_ state: State, in frame: inout Frame, at area: CellArea)

  /// The address of the picture on the screen, and its place.
  func picture(_ state: State, in area: CellArea) -> (url: URL, area: CellArea)?

  /// Whether a place is where the mouse drags; a click counts there once the button is released.
  func drags(at place: CellPosition, _ state: State, in area: CellArea) -> Bool

  /// The effects of input while something is typed; `nil` if it is not used.
  mutating func type(_ input: TerminalInput, _ state: State, in area: CellArea) -> [Reaction<
    Action
  >]?

  /// The effects of the mouse, and of keys that move along a list; `nil` if the input is not used.
  mutating func move(by input: TerminalInput, _ state: State, in area: CellArea) -> [Reaction<
    Action
  >]?
}

extension ScreenView {
  package typealias Reactions = [Reaction<Action>]

  package var typingKeys: [KeyHint]? { nil }
  package func bindings(_ state: State, in area: CellArea) -> [KeyBinding<Self>] { [] }
  package func appear(_ state: State) -> Reactions { [] }
  package mutating func settle(_ state: State, in area: CellArea) {}
  package func picture(_ state: State, in area: CellArea) -> (url: URL, area: CellArea)? { nil }

  package func drags(at place: CellPosition, _ state: State, in area: CellArea) -> Bool { false }

  package mutating func type(
    _ input: TerminalInput, _ state: State, in area: CellArea
  ) -> Reactions? { nil }

  /// Whether characters are typed into a field.
  var isTyping: Bool { typingKeys != nil }

  /// The keys that can be pressed now, the most important first.
  func keys(_ state: State, in area: CellArea) -> [KeyHint] {
    typingKeys ?? bindings(state, in: area).filter(\.isShown).map(\.hint)
  }

  /// The effects of the input; `nil` if this screen does not use it.
  mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> Reactions? {
    if isTyping { return type(input, state, in: area) }
    if case .key(let key) = input,
      let binding = bindings(state, in: area).first(where: {
        $0.isActive && $0.hint.inputs.contains(key)
      })
    {
      return binding.act(&self, key)
    }
    return move(by: input, state, in: area)
  }

  /// Whether the input begins another walk in the place of this one.
  func replacesWalk(_ input: TerminalInput, _ state: State, in area: CellArea) -> Bool {
    guard !isTyping, case .key(let key) = input else { return false }
    return bindings(state, in: area).contains { $0.replacesWalk && $0.hint.inputs.contains(key) }
  }

  /// Opens a city, if there is one.
  func open(_ city: City?) -> Reactions { city.map { [.open(.city(id: $0.id))] } ?? [] }
}

/// An effect of input.
package enum Reaction<Action: Sendable>: Sendable {
  case send(Action)
  case open(Route)
  case browse(URL)
  /// Copies a text, which is called by a noun.
  case copy(String, of: String)
  case say(String)
}

extension City {
  /// Copies its name and position.
  func copies<Action>() -> [Reaction<Action>] {
    [.copy("\(fullName) \(Quantity.position(coordinate, places: 5))", of: "the city")]
  }
}

/// A screen on the stack of the app.
@MainActor
protocol OpenScreen: AnyObject {
  var title: String { get }
  var isTyping: Bool { get }
  func keys(in area: CellArea) -> [KeyHint]
  func appear(in app: App)
  func update(in app: App)
  func settle(in app: App)
  func replacesWalk(_ input: TerminalInput, in area: CellArea) -> Bool
  /// Whether a place is where the mouse drags.
  func drags(at place: CellPosition, in area: CellArea) -> Bool
  /// - Returns: whether the screen uses the input.
  func react(to input: TerminalInput, in app: App) -> Bool
  func draw(in frame: inout Frame, at area: CellArea)
  func picture(in area: CellArea) -> (url: URL, area: CellArea)?
}

extension App {
  static func screen(
    for route: Route, _ dependencies: Dependencies, files: PathCompletion, hasPictures: Bool
  ) -> any OpenScreen {
    let index = dependencies.index
    return switch Screen(route, dependencies) {
    case .home(let model):
      StateScreen(model.store, HomeView(files: files, index: index), send: model.send)
    case .tracking(let model):
      StateScreen(
        model.store, TrackingView(index: index, hasPictures: hasPictures), send: model.send)
    case .cities(let model):
      StateScreen(
        model.store, CitiesView(query: model.state.query, index: index), send: model.send)
    case .city(let model): StateScreen(model.store, CityView(index: index), send: model.send)
    case .lists(let model): StateScreen(model.store, ListsView(files: files), send: model.send)
    case .about(let document): StateScreen(StateStore(document), AboutView()) { _ in }
    }
  }
}

/// A state with its view, and the way to the view model.
@MainActor
private final class StateScreen<View: ScreenView>: OpenScreen {
  private let store: StateStore<View.State>
  private var view: View
  private let send: @MainActor (View.Action) async -> Void
  /// The tasks that draw the screen, load it and keep it current.
  private var tasks: [Task<Void, Never>] = []

  init(
    _ store: StateStore<View.State>, _ view: View,
    send: @escaping @MainActor (View.Action) async -> Void
  ) {
    self.store = store
    self.view = view
    self.send = send
  }

  deinit { tasks.forEach { $0.cancel() } }

  var title: String { view.title(store.state) }

  var isTyping: Bool { view.isTyping }

  func keys(in area: CellArea) -> [KeyHint] { view.keys(store.state, in: area) }

  func replacesWalk(_ input: TerminalInput, in area: CellArea) -> Bool {
    view.replacesWalk(input, store.state, in: area)
  }

  func drags(at place: CellPosition, in area: CellArea) -> Bool {
    view.drags(at: place, store.state, in: area)
  }

  func appear(in app: App) {
    if tasks.isEmpty {
      let redraws = Task { [weak app, store] in
        for await _ in store.states() { app?.stateChanged() }
      }
      tasks.append(redraws)
    }
    for case .send(let action) in view.appear(store.state) { tasks.append(task(action)) }
  }

  func update(in app: App) { perform(view.update(store.state, in: app.body), in: app) }

  func settle(in app: App) { view.settle(store.state, in: app.body) }

  func react(to input: TerminalInput, in app: App) -> Bool {
    guard let reactions = view.react(to: input, store.state, in: app.body) else { return false }
    perform(reactions, in: app)
    return true
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    view.draw(store.state, in: &frame, at: area)
  }

  func picture(in area: CellArea) -> (url: URL, area: CellArea)? {
    view.picture(store.state, in: area)
  }

  private func task(_ action: View.Action) -> Task<Void, Never> {
    Task { [send] in await send(action) }
  }

  private func perform(_ reactions: [Reaction<View.Action>], in app: App) {
    for reaction in reactions {
      switch reaction {
      case .send(let action): _ = task(action)
      case .open(let route): app.open(route)
      case .browse(let url): app.browse(url)
      case .copy(let text, let noun): app.copy(text, of: noun)
      case .say(let text): app.say(text)
      }
    }
  }
}
