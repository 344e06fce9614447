import FaketrackFeatures
import Foundation

/// The app in the terminal: takes input and makes frames, without access to a terminal.
@MainActor
package final class App {
  private var router: Router<any OpenScreen>
  private let dependencies: Dependencies
  private let files: PathCompletion
  /// `nil` where photos are not shown.
  private let pictures: (any PictureDrawing)?
  /// Called when there is something new to draw.
  private let redraw: @MainActor () -> Void
  /// Opens a web page; `false` if there is no browser.
  private let openPage: @MainActor (URL) -> Bool
  private var size: CellSize
  private let glyphs: MapGlyphs
  /// The help, while it is shown.
  private var help: ListPane?
  /// The newest message, until the next input.
  private var message: String?
  package private(set) var hasEnded = false

  package init(
    at route: Route, _ dependencies: Dependencies, size: CellSize, glyphs: MapGlyphs = .braille,
    files: PathCompletion, pictures: (any PictureDrawing)? = nil,
    redraw: @escaping @MainActor () -> Void, browse: @escaping @MainActor (URL) -> Bool
  ) {
    self.dependencies = dependencies
    self.size = size
    self.glyphs = glyphs
    self.files = files
    self.pictures = pictures
    self.redraw = redraw
    openPage = browse
    router = Router(
      route, Self.screen(for: route, dependencies, files: files, hasPictures: pictures != nil))
    appear()
  }

  package func say(_ text: String) {
    message = text
    redraw()
  }

  package func resize(to size: CellSize) {
    self.size = size
    stateChanged()
  }

  func stateChanged() {
    router.screen.update(in: self)
    updateHelp()
    redraw()
  }

  private func updateHelp() {
    help?.show(
      AppFrame.help(router.screen.keys(in: body), columns: body.columns), visible: body.rows)
  }

  package func receive(_ input: TerminalInput) {
    message = nil
    defer { redraw() }
    if input == .key(.control("c")) {
      hasEnded = true
    } else if help != nil {
      if help?.move(by: input) == false { help = nil }
    } else if input.place.map(body.contains) == false || !react(to: input) {
      receiveGlobal(input)
    }
  }

  /// The keys of every screen, unless the screen itself uses them.
  private static let bindings: [(hint: KeyHint, act: @MainActor (App, TerminalInput.Key) -> Void)] =
    [
      (.quit, { app, _ in app.hasEnded = true }),
      (.help, { app, _ in app.openHelp() }),
      (.back, { app, _ in app.goBack() }),
      (.search, { app, key in app.search(key) }),
      (
        .screens,
        { app, key in
          AppFrame.tabs.first { .character($0.key) == key }.map { app.show($0.route) }
        }
      ),
    ]

  private func receiveGlobal(_ input: TerminalInput) {
    switch input {
    case .key(let key):
      Self.bindings.first { $0.hint.inputs.contains(key) }?.act(self, key)
    case .click(let place) where place.row == 0:
      if let route = AppFrame.route(at: place.column) { show(route) }
    default: break
    }
  }

  private func openHelp() {
    help = ListPane()
    updateHelp()
  }

  private func goBack() {
    guard router.previous != nil else { return }
    router.back()
    appear()
  }

  private func search(_ key: TerminalInput.Key) {
    show(.cities(CityListQuery()))
    react(to: .key(key))
  }

  /// - Returns: whether the shown screen uses the input.
  @discardableResult
  private func react(to input: TerminalInput) -> Bool {
    // The state may have changed since the last frame.
    router.screen.update(in: self)
    guard router.screen.react(to: input, in: self) else { return false }
    router.screen.update(in: self)
    return true
  }

  func open(_ route: Route) {
    guard route != router.current else { return }
    router.open(
      route, Self.screen(for: route, dependencies, files: files, hasPictures: pictures != nil))
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
    message = (openPage(url) ? "Opened " : "") + url.absoluteString
  }

  /// The part of the terminal for the screen itself.
  var body: CellArea { AppFrame.body(of: size) }

  /// The keys of the shown screen, and the way back.
  private var keys: [KeyHint] {
    let keys = router.screen.keys(in: body)
    let isUsed = router.screen.isTyping || keys.contains { $0.key == KeyHint.back.key }
    return router.previous == nil || isUsed ? keys : keys + [.back]
  }

  package var frame: Frame {
    var frame = Frame(size: size, glyphs: glyphs)
    let screen = router.screen
    AppFrame.draw(
      title: screen.title, route: router.current,
      keys: help == nil ? keys : [.move("scroll"), .back("close")],
      isPrompt: help != nil || screen.isTyping, message: message, in: &frame)
    if let help {
      help.draw(in: &frame, at: body)
    } else {
      screen.draw(in: &frame, at: body)
      if let pictures, let (url, area) = screen.picture(in: body) {
        let bytes = pictures.picture(at: url, size: area.size) { [weak self] in self?.redraw() }
        frame.picture = bytes.map { Picture(area: area, bytes: $0) }
      }
    }
    return frame
  }
}
