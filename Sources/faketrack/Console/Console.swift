import FaketrackSupport
import FaketrackTerminal
import Foundation

/// The two streams of a terminal: notes and a line of progress on one, data on the other, neither of
/// which garbles the other.
final class Console: Sendable {
  private let progress = Locked("")
  private let listener = Locked<(@Sendable (String) -> Void)?>(nil)
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

  /// From now on `listener` gets what is said, and stderr nothing; `nil` ends that.
  func divert(to listener: (@Sendable (String) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Says something on stderr, even in a quiet run.
  func say(_ text: String) {
    if let listener = listener.withLock(\.self) { listener(text) } else { trace(text) }
  }

  /// Says on stderr, even while a listener gets the rest, what comes too often to be shown one by one:
  /// a terminal that is taken over as a whole shows it when it is given back.
  func trace(_ text: String) {
    progress.withLock { line in
      let text = line.isEmpty ? text + "\n" : Self.erase + text + "\n" + line
      Self.write(text)
    }
  }

  /// Replaces the line of progress; an empty one takes it away.
  func show(progress newLine: String) {
    guard showsProgress else { return }
    progress.withLock { line in
      guard newLine != line else { return }
      line = newLine
      Self.write(Self.erase + newLine)
    }
  }

  /// Shows a line of progress while work goes on, where one can be shown.
  ///
  /// - Parameter line: the line now; gets the seconds since the work began.
  @MainActor
  func showing<Value>(
    progress line: @escaping @MainActor (_ elapsed: Double) -> String, while work: () async -> Value
  ) async -> Value {
    guard showsProgress else { return await work() }
    let clock = ContinuousClock()
    let start = clock.now
    let progress = Task {
      while !Task.isCancelled {
        show(progress: line((clock.now - start) / .seconds(1)))
        try? await clock.sleep(for: .milliseconds(100))
      }
    }
    let value = await work()
    progress.cancel()
    await progress.value
    show(progress: "")
    return value
  }

  /// Runs `body`, which writes to stdout, while the line of progress is away.
  func withoutProgress(_ body: () throws -> Void) throws {
    guard outputIsTerminal, showsProgress else { return try body() }
    try progress.withLock { line in
      if !line.isEmpty { Self.write(Self.erase) }
      try body()
      if !line.isEmpty { Self.write(line) }
    }
  }

  private static let erase = "\r\u{1B}[K"

  /// Writes to stderr; what it does not take is lost.
  private static func write(_ text: String) {
    _ = AtomicFile.writeAll(Array(text.utf8), to: STDERR_FILENO)
  }

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
