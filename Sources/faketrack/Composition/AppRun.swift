import FaketrackFeatures
import FaketrackTerminal
import Foundation

/// The app on the terminal of this process: passes input to the app and writes its frames.
@MainActor
final class AppRun {
  private var app: App?
  private let tracking: TrackingViewModel
  /// Whether the walk waits for the process to continue.
  private var isWalkSuspended = false
  private var reader = TerminalInputReader()
  private var writer: FrameWriter
  private var flow = FrameFlow()
  private let glyphs: MapGlyphs
  private let showsNotifications: Bool
  /// Sequences that go to the terminal with the next frame.
  private var messages = ""
  private let console: Console
  private let output: OutputQueue
  private let environment: [String: String]
  /// Writes frames: the terminal takes the bytes of one before the next is made.
  private var painting: Task<Void, Never>?
  private var isStale = false
  /// Whether keys that were read together are being taken, before the next frame.
  private var isTaking = false
  private var lastInput = ContinuousClock.now
  /// The start of the newest frame.
  private var lastFrame: ContinuousClock.Instant?
  /// The pause before the next frame; a key makes it shorter.
  private var pause: Task<Void, any Error>?
  private var end: () -> Void = {}
  private var isOnScreen = false
  private var keyboard: Keyboard?
  private var restOfSequence: Task<Void, any Error>?
  /// The moment after a key, once no other one has come.
  private var settling: Task<Void, any Error>?
  private var outputFailure: (any Error)?

  /// The minimum time between two frames without input.
  private static let frameInterval = Duration.milliseconds(100)
  /// The minimum time between two frames after a key.
  private static let keyInterval = Duration.milliseconds(33)
  /// The time after a key in which frames follow each other faster.
  private static let responseTime = Duration.milliseconds(300)
  /// The time after the last key in which the screen settles.
  private static let settlingTime = Duration.milliseconds(150)
  /// The timeout of an escape for the rest of its sequence.
  private static let escapeTimeout = Duration.milliseconds(30)
  /// The timeout of a paste for its end.
  private static let pasteTimeout = Duration.seconds(1)

  init(
    tracking: TrackingViewModel, console: Console, output: OutputQueue,
    environment: [String: String], glyphs: MapGlyphs?
  ) {
    self.glyphs = glyphs ?? MapGlyphs(environment: environment)
    self.tracking = tracking
    self.console = console
    self.output = output
    self.environment = environment
    let hasMany =
      environment["TERM", default: ""].contains("256color")
      || !environment["COLORTERM", default: ""].isEmpty
    writer = FrameWriter(
      colors: console.outputStyle.hasColor ? hasMany ? .many : .basic : .none,
      isASCII: !MapGlyphs.hasUnicode(environment),
      hasTitle: environment["TERM"] != "linux" && MapGlyphs.hasUnicode(environment))
    showsNotifications = TerminalMessage.showsNotifications(in: environment)
  }

  /// Runs the app until the user leaves it or the task is canceled.
  ///
  /// - Parameters:
  ///   - pictures: draws the photos, if they are shown.
  ///   - saver: saves the walk.
  ///   - feeds: whether targets take the walk.
  func run(
    at route: Route, _ dependencies: Dependencies, pictures: (any PictureDrawing)?,
    saver: WalkSaver, feeds: Bool
  ) async throws {
    let app = App(
      at: route, dependencies, size: FullScreen.size, glyphs: glyphs,
      files: PathCompletion(
        in: FileManager.default.currentDirectoryPath, home: environment["HOME", default: "/"]),
      pictures: pictures, saver: saver, feeds: feeds, redraw: { [weak self] in self?.paint() },
      browse: { Browser.open($0) }, tell: { [weak self] in self?.tell($0) })
    self.app = app
    let (events, continuation) = AsyncStream.makeStream(of: Keyboard.Event.self)
    // Notes on stderr would garble the screen.
    console.divert { text in
      Task { @MainActor in app.say(text) }
    }
    defer { console.divert(to: nil) }
    guard let keyboard = Keyboard(takesScreen: true, receive: { continuation.yield($0) }) else {
      throw FullScreen.missing(in: environment)
    }
    self.keyboard = keyboard
    end = { continuation.finish() }
    for await event in events {
      await receive(event, app)
      if app.hasEnded { break }
    }
    await stopPainting()
    keyboard.close()
    if let outputFailure { throw outputFailure }
  }

  // MARK: Input

  private func receive(_ event: Keyboard.Event, _ app: App) async {
    switch event {
    case .taken:
      isOnScreen = true
      (reader, flow) = (TerminalInputReader(), FrameFlow())
      resize(app)
      if isWalkSuspended { await tracking.send(.resume) }
      isWalkSuspended = false
    case .resized:
      resize(app)
    case .interrupted(let done):
      await stopPainting()
      // No time passes for the walk until the process continues.
      if tracking.state.phase == .running {
        isWalkSuspended = true
        await tracking.send(.pause)
      }
      done()
    case .ended:
      end()
    case .bytes(let bytes):
      restOfSequence?.cancel()
      await take(reader.read(bytes), app)
      guard reader.isUndecided else { return }
      restOfSequence = Task {
        try await Task.sleep(for: reader.isPasting ? Self.pasteTimeout : Self.escapeTimeout)
        await take(reader.readRest(), app)
        if app.hasEnded { end() }
      }
    }
  }

  private func resize(_ app: App) {
    writer.forget()
    lastInput = .now
    app.resize(to: FullScreen.size)
  }

  private func take(_ inputs: [TerminalInput], _ app: App) async {
    if inputs.contains(.report) { receiveReport() }
    guard inputs.contains(where: { $0 != .report }) else { return }
    isTaking = true
    for input in inputs where !app.hasEnded && input != .report {
      lastInput = .now
      pause?.cancel()
      if input == .key(.control("l")) {
        writer.forget()
        paint()
      } else {
        app.receive(input)
      }
      // The effects of one key come before the next key.
      await Task.yield()
    }
    isTaking = false
    if isStale { paint() }
    settling?.cancel()
    settling = Task {
      try await Task.sleep(for: Self.settlingTime)
      app.settle()
    }
  }

  // MARK: Output

  /// Stops writing, for good or until the screen is taken again.
  private func stopPainting() async {
    isOnScreen = false
    pause?.cancel()
    painting?.cancel()
    await painting?.value
  }

  /// Shows the newest frame: at once after a pause, otherwise at intervals, which are shorter after input.
  private func paint() {
    isStale = true
    guard painting == nil, isOnScreen, !isTaking else { return }
    painting = Task {
      while isStale, !Task.isCancelled {
        await waitForFrame()
        if Task.isCancelled { break }
        isStale = false
        lastFrame = .now
        await write()
      }
      painting = nil
    }
  }

  private func waitForFrame() async {
    while !Task.isCancelled, let lastFrame {
      let isAfterKey = .now - lastInput <= Self.responseTime
      var next = lastFrame + (isAfterKey ? Self.keyInterval : Self.frameInterval)
      next = flow.wait(at: .now).map { max($0, next) } ?? next
      if next <= .now { return }
      let sleep = Task { try await Task.sleep(until: next, clock: .continuous) }
      pause = sleep
      _ = await sleep.result
    }
  }

  /// Lets the frame go on that waits for the terminal.
  private func receiveReport() {
    flow.receiveReport(at: .now)
    pause?.cancel()
  }

  private func tell(_ message: TerminalMessage) {
    messages += message.sequence(showsNotifications: showsNotifications)
    paint()
  }

  private func write() async {
    guard let app else { return }
    var text = writer.text(for: app.frame)
    text.append(contentsOf: messages)
    messages = ""
    if text.isEmpty { return }
    let asks = flow.send(text.count, at: .now)
    if asks {
      text.append(contentsOf: FrameFlow.question)
      keyboard?.expectReport(until: flow.deadline)
    }
    do {
      let isWhole = try await output.draw(text)
      // The end, with the question, was not written.
      if asks, !isWhole { keyboard?.expectReport(until: nil) }
    } catch {
      outputFailure = error
      end()
    }
  }
}

/// Opens web pages.
private enum Browser {
  /// - Returns: whether there is a browser.
  static func open(_ url: URL) -> Bool {
    guard ["https", "http", "file"].contains(url.scheme),
      let program = Platform.browser(in: ProcessInfo.processInfo.environment),
      FileManager.default.isExecutableFile(atPath: program)
    else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [url.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }
}
