import FaketrackFeatures
import Foundation

/// A screen that is open: its view model and its view.
@MainActor
protocol Scene: AnyObject {
  var title: String { get }
  func keys(in area: CellArea) -> [KeyHint]
  /// The screen is shown, for the first time or again.
  func appear() -> [AppReaction]
  /// Takes note of the newest state and of the size.
  func update(in area: CellArea) -> [AppReaction]
  func react(to input: TerminalInput, in area: CellArea) -> [AppReaction]?
  func draw(in frame: inout Frame, at area: CellArea)
}

/// What the app has to do after a screen has taken input.
enum AppReaction: Sendable {
  case open(Route)
  case replace(with: Route)
  case walk(TrackingViewModel.Action)
  case browse(URL)
}

/// A scene of a view model with its view.
@MainActor
final class ModelScene<Model: ViewModel, View: ScreenView>: Scene
where View.State == Model.State, View.Action == Model.Action {
  private let model: Model
  private(set) var view: View
  private var following: [Task<Void, Never>] = []

  /// - Parameters:
  ///   - catalog: the tracks, where the view shows one of them.
  ///   - redraw: called when there is something new to show.
  init(
    _ model: Model, view: View, catalog: TrackCatalog? = nil,
    redraw: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.view = view
    follow(model.states(), redraw)
    if let catalog { follow(catalog.store.states(), redraw) }
  }

  deinit {
    for task in following { task.cancel() }
  }

  private func follow<States: Sendable>(
    _ states: AsyncStream<States>, _ redraw: @escaping @MainActor () -> Void
  ) {
    following.append(
      Task {
        for await _ in states { redraw() }
      })
  }

  var title: String { view.title(model.state) }
  func keys(in area: CellArea) -> [KeyHint] { view.keys(model.state, in: area) }

  func appear() -> [AppReaction] { perform(view.appear(model.state)) }

  func update(in area: CellArea) -> [AppReaction] {
    perform(view.update(model.state, in: area))
  }

  func react(to input: TerminalInput, in area: CellArea) -> [AppReaction]? {
    view.react(to: input, model.state, in: area).map(perform)
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    view.draw(model.state, in: &frame, at: area)
  }

  /// Sends the view model its actions, and hands on the rest.
  private func perform(_ reactions: [Reaction<View.Action>]) -> [AppReaction] {
    reactions.compactMap { reaction in
      switch reaction {
      case .send(let action):
        let model = model
        Task { await model.send(action) }
        return nil
      case .open(let route): return .open(route)
      case .replace(let route): return .replace(with: route)
      case .walk(let action): return .walk(action)
      case .browse(let url): return .browse(url)
      }
    }
  }
}
