import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX

/// The app on the terminal of this process: passes input to the app and writes its frames.
@MainActor
final class AppRun {
  private var app: App?
  private let tracking: TrackingViewModel
  /// Whether the walk waits for the process to continue.
  private var isWalkSuspended = false
  private var reader = TerminalInputReader()
  private var writer: FrameWriter
  private let glyphs: MapGlyphs
  private let console: Console
  private let output: OutputQueue
  private let environment: [String: String]
  /// Writes frames: the terminal takes the bytes of one before the next is made.
  private var painting: Task<Void, Never>?
  private var isStale = false
  private var lastInput = ContinuousClock.now
  /// The pause after a frame; a key ends it.
  private var pause: Task<Void, any Error>?
  private var end: () -> Void = {}
  private var isOnScreen = false
  private var restOfSequence: Task<Void, any Error>?
  private var outputFailure: (any Error)?

  /// The minimum time between two frames without input.
  private static let frameInterval = Duration.milliseconds(100)
  /// The time after a key in which frames are drawn without delay.
  private static let responseTime = Duration.milliseconds(300)
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
      isASCII: !MapGlyphs.hasUnicode(environment))
  }

  /// Runs the app until the user leaves it or the task is canceled.
  ///
  /// - Parameters:
  ///   - source: the kind of points used from files that the user opens.
  ///   - pictures: draws the photos, if they are shown.
  func run(
    at route: Route, _ dependencies: Dependencies, source: GPXSource,
    pictures: (any PictureDrawing)?
  ) async throws {
    let app = App(
      at: route, dependencies, size: FullScreen.size, glyphs: glyphs,
      files: PathCompletion(
        in: FileManager.default.currentDirectoryPath, home: environment["HOME", default: "/"],
        source: source),
      pictures: pictures, redraw: { [weak self] in self?.paint() }, browse: { Browser.open($0) })
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
      reader = TerminalInputReader()
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
    for input in inputs where !app.hasEnded {
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
  }

  // MARK: Output

  /// Stops writing, for good or until the screen is taken again.
  private func stopPainting() async {
    isOnScreen = false
    pause?.cancel()
    painting?.cancel()
    await painting?.value
  }

  /// Shows the newest frame: immediately after input, otherwise at intervals.
  private func paint() {
    isStale = true
    guard painting == nil, isOnScreen else { return }
    painting = Task {
      while isStale, !Task.isCancelled {
        if .now - lastInput > Self.responseTime { _ = await pause?.result }
        isStale = false
        await write()
        pause = Task { try await Task.sleep(for: Self.frameInterval) }
      }
      painting = nil
    }
  }

  private func write() async {
    guard let app else { return }
    let text = writer.text(for: app.frame)
    if text.isEmpty { return }
    do {
      try await output.draw(text)
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
