import FaketrackTerminal
import Foundation
import Synchronization

/// The two streams of a terminal: notes and a line of progress on one, data on the other, neither of
/// which garbles the other.
final class Console: Sendable {
  private let progress = Mutex("")
  private let isQuiet: Bool
  /// Whether a line of progress can be shown.
  let showsProgress: Bool
  private let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  private let notesHaveColor: Bool
  /// How data for people is written.
  let outputStyle: TerminalStyle

  init(isQuiet: Bool, environment: [String: String]) {
    self.isQuiet = isQuiet
    let hasColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    let errorIsTerminal = isatty(STDERR_FILENO) == 1
    showsProgress = errorIsTerminal && !isQuiet && environment["TERM"] != "dumb"
    notesHaveColor = hasColor && errorIsTerminal
    outputStyle = TerminalStyle(
      hasColor: hasColor && outputIsTerminal, width: Self.width(of: STDOUT_FILENO))
  }

  /// How notes are written, at the width that the terminal has now.
  var noteStyle: TerminalStyle {
    TerminalStyle(hasColor: notesHaveColor, width: Self.width(of: STDERR_FILENO))
  }

  /// Says something on stderr, unless the run is quiet.
  func note(_ text: String) {
    if !isQuiet { say(text) }
  }

  /// Says something on stderr, even in a quiet run.
  func say(_ text: String) {
    progress.withLock { line in
      let text = line.isEmpty ? text + "\n" : Self.erase + text + "\n" + line
      try? Self.write(text, to: STDERR_FILENO)
    }
  }

  /// Replaces the line of progress; an empty one takes it away.
  func show(progress newLine: String) {
    guard showsProgress else { return }
    progress.withLock { line in
      guard newLine != line else { return }
      line = newLine
      try? Self.write(Self.erase + newLine, to: STDERR_FILENO)
    }
  }

  /// Writes data to stdout; blocks while nobody takes it.
  func writeOutput(_ text: String) throws {
    guard outputIsTerminal, showsProgress else { return try Self.write(text, to: STDOUT_FILENO) }
    try progress.withLock { line in
      if !line.isEmpty { try? Self.write(Self.erase, to: STDERR_FILENO) }
      try Self.write(text, to: STDOUT_FILENO)
      if !line.isEmpty { try? Self.write(line, to: STDERR_FILENO) }
    }
  }

  private static let erase = "\r\u{1B}[K"

  private static func write(_ text: String, to descriptor: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = Foundation.write(descriptor, base, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
        } else if errno == EPIPE {
          throw StandardOutput.Closed()
        } else if errno != EINTR {
          throw StandardOutput.WriteError(errno: errno)
        }
      }
    }
  }

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
