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
  private let tell: @MainActor (TerminalMessage) -> Void
  private let saver: WalkSaver
  private var size: CellSize
  private let glyphs: MapGlyphs
  /// The help, while it is shown.
  private var help: ListPane?
  /// The line that is typed below the screen, and the use of its text.
  private var prompt: (line: Prompt, act: @MainActor (App, String) -> Void)?
  private var protection: WalkProtection
  /// A click that counts once the button is released.
  private var pressed: TerminalInput?
  /// The walk as the tab and the title showed it last.
  private var shownWalk: (phase: TrackingState.Phase, progress: String?)
  private var watch: Task<Void, Never>?
  /// The newest message, until the next input.
  private var message: String?
  package private(set) var hasEnded = false

  package init(
    at route: Route, _ dependencies: Dependencies, size: CellSize, glyphs: MapGlyphs = .braille,
    files: PathCompletion, pictures: (any PictureDrawing)? = nil,
    saver: WalkSaver, feeds: Bool = false, redraw: @escaping @MainActor () -> Void,
    browse: @escaping @MainActor (URL) -> Bool,
    tell: @escaping @MainActor (TerminalMessage) -> Void
  ) {
    self.dependencies = dependencies
    self.size = size
    self.glyphs = glyphs
    self.files = files
    self.pictures = pictures
    self.redraw = redraw
    openPage = browse
    (self.tell, self.saver) = (tell, saver)
    protection = WalkProtection(feeds: feeds)
    let walk = dependencies.tracking.state
    shownWalk = (walk.phase, WalkMark.text(of: walk))
    router = Router(
      route, Self.screen(for: route, dependencies, files: files, hasPictures: pictures != nil))
    appear()
    watch = Task { [weak self, tracking = dependencies.tracking] in
      for await walk in tracking.states() { self?.show(walk) }
    }
  }

  deinit { watch?.cancel() }

  private var walk: TrackingState { dependencies.tracking.state }

  /// Shows the progress of the walk on every screen, and says that it has arrived.
  private func show(_ walk: TrackingState) {
    let before = shownWalk
    shownWalk = (walk.phase, WalkMark.text(of: walk))
    if walk.phase == .finished, before.phase == .running {
      let title = walk.entry?.title ?? "The walk"
      let photos = Quantity.count(walk.photos.count, "photo")
      let arrival = "\(title) has arrived: \(Quantity.distance(walk.walkedDistance)), \(photos)"
      tell(.notification(arrival))
      say(arrival)
    } else if shownWalk != before {
      redraw()
    }
  }

  package func say(_ text: String) {
    message = text
    redraw()
  }

  package func resize(to size: CellSize) {
    self.size = size
    stateChanged()
  }

  /// Shows what takes more than a key, once none has been pressed for a moment.
  package func settle() {
    router.screen.settle(in: self)
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
    switch input {
    case .click(let place) where screenIsOpen && router.screen.drags(at: place, in: body):
      pressed = input
    case .drag:
      pressed = nil
      take(input)
    case .release:
      if let click = pressed { take(click) }
      pressed = nil
    default: take(input)
    }
  }

  /// Whether neither the help nor a prompt takes the input.
  private var screenIsOpen: Bool { help == nil && prompt == nil }

  private func take(_ input: TerminalInput) {
    message = nil
    defer { redraw() }
    if input == .key(.control("c")) {
      hasEnded = true
    } else if prompt != nil {
      type(input)
    } else if help != nil {
      if help?.move(by: input) == false { help = nil }
    } else if asksFirst(input) {
      return
    } else if input.place.map(body.contains) == false || !react(to: input) {
      receiveGlobal(input)
    }
  }

  /// Asks once before input ends a walk that cannot be repeated.
  private func asksFirst(_ input: TerminalInput) -> Bool {
    let isQuit = input == .key(.character("q")) && !router.screen.isTyping
    guard isQuit || router.screen.replacesWalk(input, in: body),
      case .key(.character(let key)) = input
    else {
      protection.forget()
      return false
    }
    return asksFirst("key \(key)", again: String(key))
  }

  private func asksFirst(_ name: String, again: String) -> Bool {
    guard let question = protection.question(about: name, again: again, walk) else { return false }
    message = question
    return true
  }

  // MARK: Prompts

  private func type(_ input: TerminalInput) {
    guard let typed = prompt?.line.type(input) else { return }
    switch typed {
    case .changed: break
    case .canceled: prompt = nil
    case .entered(let text): prompt?.act(self, text)
    }
    router.screen.update(in: self)
  }

  /// Answers the text that was typed.
  private func answer(_ failure: Failure) {
    var answer = TextBlock(columns: size.columns)
    answer.add(failure)
    prompt?.line.show(answer)
    stateChanged()
  }

  private func openSaving() {
    let endings = WalkSaver.endings
    let line = Prompt("Save as: ") { [files] in files.complete($0, endings: endings) }
    prompt = (line, { app, text in Task { await app.save(as: text) } })
  }

  private func save(as text: String) async {
    let (path, walk) = (files.path(of: text), walk)
    do {
      try await saver.save(walk, to: path)
      protection.noteSaved(walk)
      prompt = nil
      say("Saved \(Quantity.count(walk.history.count, "location")) to \(path)")
    } catch {
      answer(Failure(error))
    }
  }

  private func openCommandLine() {
    let sources = dependencies.tracking.photoSources
    prompt = (
      Prompt(":") { CommandLine.complete($0, sources: sources) },
      { app, text in app.perform(text) }
    )
  }

  private func perform(_ text: String) {
    let tracking = dependencies.tracking
    let command: CommandLine
    do { command = try CommandLine(text, sources: tracking.photoSources) } catch {
      return answer(error)
    }
    prompt = nil
    if command.replacesWalk, asksFirst(text, again: ":\(text)") { return }
    switch command {
    case .open(let route): show(route)
    case .send(let action): Task { await tracking.send(action) }
    case .walk(let command):
      Task {
        do { _ = try await WalkControl(tracking, targets: nil).perform(command) } catch {
          say(Failure(error).message)
        }
      }
    }
  }

  // MARK: Keys

  /// The keys of every screen, unless the screen itself uses them.
  private static let bindings: [(hint: KeyHint, act: @MainActor (App, TerminalInput.Key) -> Void)] =
    [
      (.quit, { app, _ in app.hasEnded = true }),
      (.help, { app, _ in app.openHelp() }),
      (.back, { app, _ in app.goBack() }),
      (.search, { app, key in app.search(key) }),
      (.pause, { app, key in app.steer(key) }), (.speed, { app, key in app.steer(key) }),
      (.save, { app, _ in app.openSaving() }), (.command, { app, _ in app.openCommandLine() }),
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
      if let route = AppFrame.route(at: place.column, walk: shownWalk.progress) { show(route) }
    default: break
    }
  }

  private func steer(_ key: TerminalInput.Key) {
    guard case .character(let key) = key, let action = walk.action(of: key) else { return }
    Task { [tracking = dependencies.tracking] in await tracking.send(action) }
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

  func copy(_ text: String, of noun: String) {
    tell(.copy(text))
    message = "Copied \(noun): \(text)"
  }

  /// The part of the terminal for the screen itself.
  var body: CellArea {
    let body = AppFrame.body(of: size)
    return prompt.map { body.split(afterRows: body.rows - $0.line.rows).top } ?? body
  }

  private var promptKeys: [KeyHint] { [.enter("do it"), .tab, .escape("cancel")] }

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
      keys: prompt != nil ? promptKeys : help == nil ? keys : [.move("scroll"), .back("close")],
      isPrompt: !screenIsOpen || screen.isTyping, message: message, walk: shownWalk.progress,
      in: &frame)
    frame.title = "faketrack: " + (shownWalk.progress ?? screen.title)
    if let prompt {
      let rest = AppFrame.body(of: size).inset(top: body.rows)
      prompt.line.draw(in: &frame, at: rest)
    }
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

/// The progress of a walk that is under way, in a few characters.
private enum WalkMark {
  static func text(of walk: TrackingState) -> String? {
    guard walk.isUnderWay else { return nil }
    let mark = walk.phase == .running ? "▶" : "‖"
    guard let length = walk.shape?.length, length > 0, !walk.isLive else {
      return "\(mark) \(Quantity.distance(walk.distance))"
    }
    return "\(mark) \(Int(min(100, walk.distance / length * 100))) %"
  }
}
