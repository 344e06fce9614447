import FaketrackFeatures
import Foundation

/// The app in the terminal: the screens of the router, of which the last is shown.
///
/// It knows nothing of a terminal: input comes in, frames go out.
@MainActor
package final class App {
  /// What the app needs of its surroundings.
  package struct Surroundings {
    /// Called when there is something new to draw.
    package var redraw: @MainActor () -> Void
    /// Opens a page of the web; `false` if there is nothing to open it with.
    package var browse: @MainActor (URL) -> Bool
    /// The files that can be opened.
    package var files: PathCompletion

    package init(
      files: PathCompletion, redraw: @escaping @MainActor () -> Void,
      browse: @escaping @MainActor (URL) -> Bool
    ) {
      self.files = files
      self.redraw = redraw
      self.browse = browse
    }
  }

  private var router: Router
  /// A scene for each route of the router.
  private var scenes: [any Scene] = []
  private let dependencies: Dependencies
  private let surroundings: Surroundings
  private var size: CellSize
  private var showsKeys = false
  /// What was said last, until the next input.
  private var message: String?
  /// Whether the user has left.
  package private(set) var hasEnded = false

  package init(
    at route: Route, _ dependencies: Dependencies, size: CellSize, _ surroundings: Surroundings
  ) {
    router = Router(route)
    self.dependencies = dependencies
    self.size = size
    self.surroundings = surroundings
    push(route)
  }

  /// Says something above the screen, until the next input.
  package func say(_ text: String) {
    message = text
    surroundings.redraw()
  }

  // MARK: Input

  package func resize(to size: CellSize) {
    self.size = size
    prepare()
    surroundings.redraw()
  }

  package func receive(_ input: TerminalInput) {
    message = nil
    defer { surroundings.redraw() }
    if input == .key(.control("c")) {
      hasEnded = true
    } else if showsKeys {
      showsKeys = false
    } else if isOutsideOfTheScreen(input) || !react(to: input) {
      receiveGlobal(input)
    }
  }

  private func isOutsideOfTheScreen(_ input: TerminalInput) -> Bool {
    switch input {
    case .click(let place), .wheel(_, let place):
      !body.contains(column: place.column, row: place.row)
    case .key, .paste: false
    }
  }

  /// Input that means the same on every screen.
  private func receiveGlobal(_ input: TerminalInput) {
    switch input {
    case .key(.character("q")): hasEnded = true
    case .key(.character("?")): showsKeys = true
    case .key(.escape), .key(.left), .key(.character("h")), .key(.backspace): back()
    case .key(.character("/")):
      show(.cities(CityListQuery()))
      react(to: input)
    case .key(.character(let key)):
      if let tab = AppFrame.tabs.first(where: { $0.key == key }) { show(tab.route) }
    case .click(let place) where place.row == 0:
      if let tab = AppFrame.tab(at: place.column) { show(tab.route) }
    default: break
    }
  }

  /// Gives the shown screen input.
  ///
  /// - Returns: whether it means something there.
  @discardableResult
  private func react(to input: TerminalInput) -> Bool {
    guard let reactions = scenes.last?.react(to: input, in: body) else { return false }
    for reaction in reactions { perform(reaction) }
    prepare()
    return true
  }

  private func perform(_ reaction: AppReaction) {
    switch reaction {
    case .open(let route): open(route)
    case .replace(let route): replace(with: route)
    case .walk(let action):
      let tracking = dependencies.tracking
      Task { await tracking.send(action) }
    case .browse(let url):
      // The address helps where no browser opens, such as over SSH.
      message = (surroundings.browse(url) ? "Opened " : "") + url.absoluteString
    }
  }

  // MARK: The stack of screens

  private func open(_ route: Route) {
    guard route != router.current else { return }
    router.open(route)
    push(route)
  }

  /// Shows a screen as it was left, if it is on the stack; else opens it.
  private func show(_ route: Route) {
    guard let position = router.stack.lastIndex(where: route.isSameScreen) else {
      return open(route)
    }
    router.moveToTop(position)
    scenes.append(scenes.remove(at: position))
    appear()
  }

  private func back() {
    guard router.previous != nil else { return }
    router.back()
    scenes.removeLast()
    appear()
  }

  private func replace(with route: Route) {
    guard let scene = scenes.popLast() else { return }
    router.replace(with: route)
    scenes.append(builder.scene(for: route, insteadOf: scene))
    prepare()
  }

  private func push(_ route: Route) {
    scenes.append(builder.scene(for: route))
    appear()
  }

  private func appear() {
    for reaction in scenes.last?.appear() ?? [] { perform(reaction) }
    prepare()
  }

  private var builder: SceneBuilder {
    SceneBuilder(dependencies: dependencies, files: surroundings.files) { [weak self] in
      self?.prepare()
      self?.surroundings.redraw()
    }
  }

  /// Lets the shown screen ask for what it needs.
  private func prepare() {
    guard let scene = scenes.last else { return }
    for reaction in scene.update(in: body) { perform(reaction) }
  }

  // MARK: Output

  private var body: CellArea { AppFrame.body(of: size) }

  /// What the terminal is to show now.
  package var frame: Frame {
    var frame = Frame(size: size)
    guard let scene = scenes.last else { return frame }
    AppFrame.draw(
      title: scene.title, route: router.current, keys: scene.keys(in: body), message: message,
      in: &frame)
    scene.draw(in: &frame, at: body)
    if showsKeys { AppFrame.drawKeys(scene.keys(in: body), in: &frame) }
    return frame
  }
}
