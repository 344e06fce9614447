import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation

/// The screen of the terminal, as the app takes it over.
enum FullScreen {
  /// The alternate screen, no cursor, mouse reports as text, bracketed paste.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"
  static let leave =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// The milliseconds that the terminal gets to accept these, and the app to stop writing.
  static let timeout = 500

  /// Whether stdin and stdout are a terminal on which the app can be drawn.
  static func isPossible(in environment: [String: String]) -> Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The error without such a terminal.
  static let missing = Failure(
    message: "there is no terminal for the app",
    hint: "Run it in a terminal, or use faketrack serve.", kind: .wrongUsage)

  /// The current size of the terminal.
  static var size: CellSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return CellSize(columns: 80, rows: 24)
    }
    // No screen is larger, whatever the terminal says.
    return CellSize(columns: min(Int(size.ws_col), 1_000), rows: min(Int(size.ws_row), 500))
  }

  /// Writes, unless the terminal accepts nothing.
  static func write(_ text: String) {
    guard AtomicFile.waitForRoom(in: STDOUT_FILENO, milliseconds: Int32(timeout)) else { return }
    _ = AtomicFile.writeAll(Array(text.utf8), to: STDOUT_FILENO)
  }
}
