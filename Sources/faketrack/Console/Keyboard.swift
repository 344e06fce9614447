import Dispatch
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation

/// The keys of the terminal, one by one as they are pressed; for the app, the whole screen as well.
///
/// The terminal is in a mode without line editing and echo. Its own mode comes back when the
/// keyboard is closed, when the process is suspended, and when a signal ends it. Ctrl-C and Ctrl-Z
/// keep their meaning.
final class Keyboard: Sendable {
  /// An event of the terminal; without the screen, only bytes and the end.
  enum Event: Sendable {
    case bytes([UInt8])
    /// The screen has been taken, for the first time or again, and is empty.
    case taken
    case resized
    /// The process is about to be suspended or ended: nothing may be written after `done` is
    /// called.
    case interrupted(done: @Sendable () -> Void)
    /// The terminal is gone.
    case ended
  }

  /// Signals that end the process and are not handled elsewhere.
  private static let ending = [SIGQUIT, SIGHUP]

  private let terminal: Terminal
  private let original: termios
  private let takesScreen: Bool
  private let receive: @Sendable (Event) -> Void
  private let queue = DispatchQueue(label: "faketrack.keyboard")
  /// The time until which an answer of the terminal is expected.
  private let report = Locked<ContinuousClock.Instant?>(nil)
  private static let answer = Array(FrameFlow.answer.utf8)
  /// The last bytes that were read, which may be the beginning of an answer; used only on ``queue``.
  nonisolated(unsafe) private var lastBytes: [UInt8] = []
  /// Whether the terminal is in our mode; used only on ``queue``, like `isClosed`.
  nonisolated(unsafe) private var isListening = false
  nonisolated(unsafe) private var isClosed = false
  /// Never changed after `init`; suspended, resumed and canceled on ``queue`` alone.
  nonisolated(unsafe) private let keys: any DispatchSourceRead
  /// Never changed or used after `init`: it only keeps the sources alive.
  nonisolated(unsafe) private let signals: [any DispatchSourceSignal]

  /// Listens to the terminal; `nil` without a terminal that this process may read from.
  ///
  /// With a pipe on stdout, which may lead to a pager, the pager gets the keys.
  ///
  /// - Parameters:
  ///   - takesScreen: whether to take over the screen until the keyboard is closed, even while a
  ///     signal ends the work.
  ///   - receive: receives the events, on a private queue.
  init?(takesScreen: Bool = false, receive: @escaping @Sendable (Event) -> Void) {
    guard FileKind(STDOUT_FILENO) != .pipe, let terminal = Terminal(of: STDIN_FILENO),
      let original = terminal.mode, terminal.foreground != nil
    else { return nil }
    self.terminal = terminal
    self.original = original
    self.takesScreen = takesScreen
    self.receive = receive
    keys = DispatchSource.makeReadSource(fileDescriptor: terminal.descriptor, queue: queue)
    // Reading in the background then fails instead of stopping the process.
    signal(SIGTTIN, SIG_IGN)
    for number in Self.ending + [SIGTSTP] { signal(number, SIG_IGN) }
    let others = [SIGTSTP, SIGCONT, SIGINT, SIGTERM] + (takesScreen ? [SIGWINCH] : [])
    signals = (Self.ending + others).map { [queue] number in
      DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    keys.setEventHandler { [weak self] in
      guard let bytes = terminal.read() else { self?.end(); return }
      self?.lookForReport(in: bytes)
      if !bytes.isEmpty { receive(.bytes(bytes)) }
    }
    if takesScreen {
      CrashGuard.hold(OutputQueue.output.descriptor, keys: terminal.descriptor, in: original)
    }
    let watching = DispatchGroup()
    for source in signals {
      source.setEventHandler { [weak self, number = Int32(source.handle)] in
        self?.handle(number)
      }
      watching.enter()
      source.setRegistrationHandler { watching.leave() }
      source.resume()
    }
    // A signal that comes before its source is lost.
    watching.notify(queue: queue) { [self] in listen() }
  }

  /// Notes that the terminal has been asked for its status; `nil` if it was not asked.
  func expectReport(until deadline: ContinuousClock.Instant?) {
    report.withLock { $0 = deadline }
  }

  private func lookForReport(in bytes: [UInt8]) {
    let all = lastBytes + bytes
    if all.contains(Self.answer) { expectReport(until: nil) }
    lastBytes = all.suffix(Self.answer.count - 1)
  }

  func close() {
    queue.sync {
      release()
      guard stopListening() else { return }
      for number in Self.ending + [SIGTSTP] { signal(number, SIG_DFL) }
    }
    if takesScreen { CrashGuard.releaseScreen() }
  }

  /// Stops listening for good; returns whether it had not been stopped before.
  private func stopListening() -> Bool {
    if isClosed { return false }
    isClosed = true
    keys.cancel()
    // A suspended source must not be released.
    keys.resume()
    return true
  }

  private func handle(_ number: Int32) {
    switch number {
    case SIGCONT:
      listen()
    case SIGWINCH:
      receive(.resized)
    case SIGTSTP:
      interrupt()
      release()
      raise(SIGSTOP)
    case SIGINT, SIGTERM:
      // The work ends in order, or immediately on a second signal. A screen is closed by then.
      if !takesScreen { release() }
    default:
      interrupt()
      release()
      // Another thread may get the signal, while this one would handle a SIGCONT before it.
      _ = stopListening()
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
  }

  /// Waits until the app has stopped writing.
  private func interrupt() {
    guard takesScreen else { return }
    let isDone = DispatchSemaphore(value: 0)
    receive(.interrupted { isDone.signal() })
    _ = isDone.wait(timeout: .now() + FullScreen.timeout)
  }

  /// Takes over the terminal, if this process is in the foreground.
  private func listen() {
    if isClosed { return }
    // The system continues a process whose terminal is closed, to let it end.
    guard let foreground = terminal.foreground else { return end() }
    guard foreground == getpgrp() else {
      // A screen is useless in the background.
      if takesScreen { raise(SIGSTOP) }
      return
    }
    // Ctrl-S would stop a screen in the middle of a frame.
    terminal.mode = terminal.keyMode(from: original, hasFlowControl: !takesScreen)
    if takesScreen {
      OutputQueue.output.post(FullScreen.enter)
      receive(.taken)
    }
    if !isListening { keys.resume() }
    isListening = true
  }

  /// Stops listening to a terminal that is gone.
  private func end() {
    release()
    receive(.ended)
  }

  private func release() {
    guard isListening else { return }
    isListening = false
    keys.suspend()
    if takesScreen {
      OutputQueue.output.drain(
        FullScreen.leave.description, until: .now() + FullScreen.timeout)
      // The shell would take a late answer for keys. Keys before the answer are lost.
      if let deadline = report.withLock({ $0 }) {
        terminal.skip(past: Self.answer, until: deadline)
      }
    }
    terminal.mode = original
  }
}

/// The screen of the terminal, as the app takes it over.
enum FullScreen {
  /// The alternate screen, no cursor, the title of the window kept for later, reports of clicks and drags as text,
  /// bracketed paste.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[22;2t\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h"
  /// Begins with the end of any sequence and link that are cut off.
  static var leave: StaticString {
    "\u{18}\u{1B}\\\u{1B}]8;;\u{1B}\\\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[23;2t\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  }
  /// The time that the terminal gets to accept the end, and the app to stop writing.
  static let timeout = DispatchTimeInterval.milliseconds(500)

  /// Whether stdin and stdout are a terminal on which the app can be drawn.
  static func isPossible(in environment: [String: String]) -> Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The reason why the app cannot be drawn.
  static func missing(in environment: [String: String]) -> Failure {
    environment["TERM"] == "dumb" && isatty(STDOUT_FILENO) == 1
      ? Failure(
        message: "the app cannot be drawn on a terminal of the type dumb",
        hint: "Set TERM to the type that it has, such as xterm-256color, or use faketrack serve.",
        kind: .wrongUsage)
      : Failure(
        message: "there is no terminal for the app",
        hint: "Run it in a terminal, or use faketrack serve.", kind: .wrongUsage)
  }

  static var size: CellSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return CellSize(columns: 80, rows: 24)
    }
    // No screen is larger, whatever the terminal says.
    return CellSize(columns: min(Int(size.ws_col), 1_000), rows: min(Int(size.ws_row), 500))
  }
}
