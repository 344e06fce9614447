import Dispatch
import FaketrackSupport
import Foundation

/// The keys of the terminal, one by one as they are pressed.
///
/// The terminal is put into a mode in which it neither waits for a line nor shows what is typed.
/// Its own mode comes back when the keyboard is closed, when the process is suspended, and when a
/// signal ends it. Ctrl-C and Ctrl-Z keep their meaning.
final class Keyboard: Sendable {
  private struct State {
    /// Whether the terminal is in our mode.
    var isListening = false
    var isClosed = false
  }

  private static let terminal = STDIN_FILENO
  /// Signals that end the process and are not handled elsewhere.
  private static let ending = [SIGQUIT, SIGHUP]

  /// What belongs to a terminal that is taken over as a whole.
  struct Screen: Sendable {
    /// Called when the terminal has been put into this mode, for the first time or again.
    var onTake: @Sendable () -> Void
    /// Called before the process is suspended or ended by a signal; returns once nothing more is
    /// written.
    var onInterrupt: @Sendable () -> Void
    /// Called before the terminal gets its own mode back.
    var onRelease: @Sendable () -> Void
    var onResize: @Sendable () -> Void
    /// Called when no more keys will come, because the terminal is gone.
    var onEnd: @Sendable () -> Void
  }

  private let original: termios
  private let screen: Screen?
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "faketrack.keyboard")
  /// Never changed after `init`; suspended, resumed and cancelled on ``queue`` alone.
  nonisolated(unsafe) private let keys: any DispatchSourceRead
  /// Never changed or used after `init`: it only keeps the sources alive.
  nonisolated(unsafe) private let signals: [any DispatchSourceSignal]

  /// Listens to the terminal; `nil` where there is none that this process may read from.
  ///
  /// A pipe on stdout may lead to a pager that reads the same terminal: it gets the keys. All that is
  /// called is called on a queue of its own.
  ///
  /// - Parameters:
  ///   - screen: for a process that takes over the terminal as a whole: until the keyboard is closed,
  ///     also while the work is being ended by a signal.
  ///   - receive: receives the bytes as they come.
  init?(screen: Screen? = nil, receive: @escaping @Sendable ([UInt8]) -> Void) {
    var original = termios()
    guard isatty(Self.terminal) == 1, !Self.isPipe(STDOUT_FILENO),
      tcgetattr(Self.terminal, &original) == 0, tcgetpgrp(Self.terminal) >= 0
    else { return nil }
    self.original = original
    self.screen = screen
    keys = DispatchSource.makeReadSource(fileDescriptor: Self.terminal, queue: queue)
    // Reading in the background then fails instead of stopping the process.
    signal(SIGTTIN, SIG_IGN)
    for number in Self.ending + [SIGTSTP] { signal(number, SIG_IGN) }
    let others = [SIGTSTP, SIGCONT, SIGINT, SIGTERM] + (screen == nil ? [] : [SIGWINCH])
    signals = (Self.ending + others).map { [queue] number in
      DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    keys.setEventHandler { [weak self, terminal = Self.terminal] in
      var bytes = [UInt8](repeating: 0, count: 1_024)
      let count = read(terminal, &bytes, bytes.count)
      if count > 0 {
        receive(Array(bytes.prefix(count)))
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        self?.end()
      }
    }
    for source in signals {
      source.setEventHandler { [weak self, number = Int32(source.handle)] in
        self?.handle(number)
      }
      source.resume()
    }
    queue.async { [self] in listen() }
  }

  /// Gives the terminal back its mode and stops listening.
  func close() {
    queue.sync {
      release()
      let wasClosed = state.withLock { state in
        defer { state.isClosed = true }
        return state.isClosed
      }
      if wasClosed { return }
      keys.cancel()
      // A suspended source must not be released.
      keys.resume()
      for number in Self.ending + [SIGTSTP] { signal(number, SIG_DFL) }
    }
  }

  private func handle(_ number: Int32) {
    switch number {
    case SIGCONT:
      listen()
    case SIGWINCH:
      screen?.onResize()
    case SIGTSTP:
      screen?.onInterrupt()
      release()
      raise(SIGSTOP)
    case SIGINT, SIGTERM:
      // The work ends in order, or at once if there is a second signal. A screen is closed by then.
      if screen == nil { release() }
    default:
      screen?.onInterrupt()
      release()
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
  }

  /// Takes over the terminal, if this process is in the foreground.
  private func listen() {
    guard !state.withLock(\.isClosed) else { return }
    let foreground = tcgetpgrp(Self.terminal)
    // The system continues a process whose terminal is closed, to let it end.
    guard foreground >= 0 else { return end() }
    guard foreground == getpgrp() else {
      // There is no use for a screen in the background.
      if screen != nil { raise(SIGSTOP) }
      return
    }
    var mode = original
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-S would stop a screen in the middle of a frame.
    if screen != nil { mode.c_iflag &= ~tcflag_t(IXON) }
    tcsetattr(Self.terminal, TCSADRAIN, &mode)
    screen?.onTake()
    let begins = state.withLock { state in
      defer { state.isListening = true }
      return !state.isListening
    }
    if begins { keys.resume() }
  }

  /// Stops listening to a terminal that is gone.
  private func end() {
    release()
    screen?.onEnd()
  }

  private func release() {
    let ends = state.withLock { state in
      defer { state.isListening = false }
      return state.isListening
    }
    guard ends else { return }
    keys.suspend()
    screen?.onRelease()
    var mode = original
    tcsetattr(Self.terminal, TCSANOW, &mode)
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
