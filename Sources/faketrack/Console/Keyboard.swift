import Dispatch
import Foundation
import Synchronization

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

  private let original: termios
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "faketrack.keyboard")
  /// Never changed after `init`; suspended, resumed and cancelled on ``queue`` alone.
  nonisolated(unsafe) private let keys: any DispatchSourceRead
  /// Never changed or used after `init`: it only keeps the sources alive.
  nonisolated(unsafe) private let signals: [any DispatchSourceSignal]

  /// Listens to the terminal; `nil` where there is none that this process may read from.
  ///
  /// A pipe on stdout may lead to a pager that reads the same terminal: it gets the keys.
  ///
  /// - Parameter receive: receives each byte, on a queue of its own.
  init?(receive: @escaping @Sendable (UInt8) -> Void) {
    var original = termios()
    guard isatty(Self.terminal) == 1, !Self.isPipe(STDOUT_FILENO),
      tcgetattr(Self.terminal, &original) == 0
    else { return nil }
    self.original = original
    keys = DispatchSource.makeReadSource(fileDescriptor: Self.terminal, queue: queue)
    // Reading in the background then fails instead of stopping the process.
    signal(SIGTTIN, SIG_IGN)
    for number in Self.ending + [SIGTSTP] { signal(number, SIG_IGN) }
    signals = (Self.ending + [SIGTSTP, SIGCONT, SIGINT, SIGTERM]).map { [queue] number in
      DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    keys.setEventHandler { [terminal = Self.terminal] in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(terminal, &bytes, bytes.count)
      for byte in bytes.prefix(max(0, count)) { receive(byte) }
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
    case SIGTSTP:
      release()
      raise(SIGSTOP)
    case SIGINT, SIGTERM:
      // The work ends in order, or at once if there is a second signal.
      release()
    default:
      release()
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
  }

  /// Takes over the terminal, if this process is in the foreground.
  private func listen() {
    let begins = state.withLock { state in
      guard !state.isListening, !state.isClosed, tcgetpgrp(Self.terminal) == getpgrp() else {
        return false
      }
      state.isListening = true
      return true
    }
    guard begins else { return }
    var mode = original
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(Self.terminal, TCSADRAIN, &mode)
    keys.resume()
  }

  private func release() {
    let ends = state.withLock { state in
      defer { state.isListening = false }
      return state.isListening
    }
    guard ends else { return }
    keys.suspend()
    var mode = original
    tcsetattr(Self.terminal, TCSADRAIN, &mode)
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
