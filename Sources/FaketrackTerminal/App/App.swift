import Cities
import FaketrackFeatures
import Foundation

/// The app in the terminal: takes input and makes frames, without access to a terminal.
@MainActor
package final class App {
  /// The surroundings of the app.
  package struct Surroundings {
    /// Called when there is something new to draw.
    package var redraw: @MainActor () -> Void
    /// Opens a web page; `false` if there is no browser.
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

  private var router: Router<any OpenScreen>
  private let dependencies: Dependencies
  private let surroundings: Surroundings
  private var size: CellSize
  private var showsKeys = false
  /// The newest message, until the next input.
  private var message: String?
  /// Whether the user has left.
  package private(set) var hasEnded = false

  package init(
    at route: Route, _ dependencies: Dependencies, size: CellSize, _ surroundings: Surroundings
  ) {
    self.dependencies = dependencies
    self.size = size
    self.surroundings = surroundings
    router = Router(route, Self.screen(for: route, dependencies, files: surroundings.files))
    appear()
  }

  /// Shows a message above the screen, until the next input.
  package func say(_ text: String) {
    message = text
    surroundings.redraw()
  }

  /// Adapts to a new size of the terminal.
  package func resize(to size: CellSize) {
    self.size = size
    stateChanged()
  }

  /// Adapts to a new state of the shown screen.
  func stateChanged() {
    router.screen.update(in: self)
    surroundings.redraw()
  }

  // MARK: Input

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
    case .click(let place), .wheel(_, let place): !body.contains(place)
    case .key, .paste: false
    }
  }

  /// Handles input that has the same effect on every screen.
  private func receiveGlobal(_ input: TerminalInput) {
    switch input {
    case .key(.character("q")): hasEnded = true
    case .key(.character("?")): showsKeys = true
    case .key(.escape), .key(.left), .key(.character("h")), .key(.backspace):
      guard router.previous != nil else { return }
      router.back()
      appear()
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

  /// - Returns: whether the shown screen uses the input.
  @discardableResult
  private func react(to input: TerminalInput) -> Bool {
    guard router.screen.react(to: input, in: self) else { return false }
    router.screen.update(in: self)
    return true
  }

  // MARK: The stack of screens

  /// Opens a screen on top of the shown one.
  func open(_ route: Route) {
    guard route != router.current else { return }
    router.open(route, Self.screen(for: route, dependencies, files: surroundings.files))
    appear()
  }

  /// Shows a screen as the user left it, if it is open; otherwise opens it.
  private func show(_ route: Route) {
    if router.show(where: route.isSameScreen) { appear() } else { open(route) }
  }

  private func appear() {
    router.screen.appear(in: self)
    router.screen.update(in: self)
  }

  /// Opens a web page; the address helps where there is no browser, such as over SSH.
  func browse(_ url: URL) {
    message = (surroundings.browse(url) ? "Opened " : "") + url.absoluteString
  }

  // MARK: Output

  /// The cities for the maps.
  var index: CityIndex { dependencies.index }

  /// The part of the terminal for the screen itself.
  var body: CellArea { AppFrame.body(of: size) }

  /// The newest frame.
  package var frame: Frame {
    var frame = Frame(size: size)
    let screen = router.screen
    let keys = screen.keys(in: body)
    AppFrame.draw(
      title: screen.title, route: router.current, keys: keys, message: message, in: &frame)
    screen.draw(in: &frame, at: body)
    if showsKeys { AppFrame.drawKeys(keys, in: &frame) }
    return frame
  }
}
