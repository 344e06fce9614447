import Dispatch
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation
import Synchronization

/// The whole terminal, taken over by the app: its keys, its mouse and its second screen.
///
/// However the process ends, the terminal is as it was before: with the app's end, with a signal, when
/// it is suspended, and after a crash.
final class FullScreen: Sendable {
  /// The second screen, no cursor, clicks and the wheel as text, pastes in brackets.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"
  private static let leave =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  private let keyboard: Keyboard

  /// What happens to the terminal.
  enum Event: Sendable {
    case bytes([UInt8])
    /// The screen is the app's, for the first time or again, and empty.
    case taken
    case resized
    /// The process is about to be suspended or ended: nothing may be written after `done` is called.
    case interrupted(done: @Sendable () -> Void)
    /// The terminal is gone.
    case ended
  }

  /// How long the terminal may take to accept what gives it back, and the app to stop writing.
  private static let patience = 500

  /// Whether there is a terminal for keys and output on which the app can be drawn.
  static func isPossible(in environment: [String: String]) -> Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The error where there is no such terminal.
  static let missing = Failure(
    message: "there is no terminal for the app",
    hint: "Run it in a terminal, or use faketrack serve.", kind: .wrongUsage)

  /// Takes the terminal over; `nil` where there is none.
  init?(receive: @escaping @Sendable (Event) -> Void) {
    let screen = Keyboard.Screen(
      onTake: {
        Self.write(Self.enter)
        receive(.taken)
      },
      onInterrupt: {
        let isDone = DispatchSemaphore(value: 0)
        receive(.interrupted { isDone.signal() })
        _ = isDone.wait(timeout: .now() + .milliseconds(Self.patience))
      },
      onRelease: { Self.write(Self.leave) },
      onResize: { receive(.resized) },
      onEnd: { receive(.ended) })
    CrashGuard.install(restoring: Self.leave)
    guard let keyboard = Keyboard(screen: screen, receive: { receive(.bytes($0)) }) else {
      CrashGuard.remove()
      return nil
    }
    self.keyboard = keyboard
  }

  /// Gives the terminal back.
  func close() {
    keyboard.close()
    CrashGuard.remove()
  }

  /// The size of the terminal now.
  static var size: CellSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return CellSize(columns: 80, rows: 24)
    }
    // No screen is larger, whatever the terminal says.
    return CellSize(columns: min(Int(size.ws_col), 1_000), rows: min(Int(size.ws_row), 500))
  }

  /// Writes, unless the terminal takes nothing: nobody waits for it then.
  private static func write(_ text: String) {
    guard AtomicFile.waitForRoom(in: STDOUT_FILENO, milliseconds: Int32(patience)) else { return }
    _ = AtomicFile.writeAll(Array(text.utf8), to: STDOUT_FILENO)
  }
}
