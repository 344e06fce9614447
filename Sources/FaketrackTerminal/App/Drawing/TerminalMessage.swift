import FaketrackSupport
import Foundation

/// A message of the app to the terminal beside its frames.
package enum TerminalMessage: Hashable, Sendable {
  /// The terminal copies a text to the clipboard.
  case copy(String)
  /// The terminal rings its bell, and shows a notification where it can.
  case notification(String)

  /// The bytes: OSC 52, or a bell with OSC 9.
  ///
  /// - Parameter showsNotifications: whether the terminal knows OSC 9.
  package func sequence(showsNotifications: Bool) -> String {
    switch self {
    case .copy(let text): "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{1B}\\"
    case .notification(let text):
      "\u{7}" + (showsNotifications ? "\u{1B}]9;\(text.safeForTerminal)\u{1B}\\" : "")
    }
  }

  /// Whether a terminal is known to show the notifications of OSC 9.
  package static func showsNotifications(in environment: [String: String]) -> Bool {
    ["iTerm.app", "WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"])
      || environment["TERM"] == "xterm-kitty"
  }
}
