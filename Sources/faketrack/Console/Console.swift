import FaketrackSupport
import FaketrackTerminal
import Foundation
import Geodesy

/// The notes of a command on stderr, and its line of progress.
final class Console: Sendable {
  private let listener = Locked<(@Sendable (String) -> Void)?>(nil)
  private let isQuiet: Bool
  let showsProgress: Bool
  private let notesHaveColor: Bool
  let outputStyle: TerminalStyle

  init(isQuiet: Bool, environment: [String: String]) {
    self.isQuiet = isQuiet
    let hasColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    let errorIsTerminal = isatty(STDERR_FILENO) == 1
    showsProgress = errorIsTerminal && !isQuiet && environment["TERM"] != "dumb"
    notesHaveColor = hasColor && errorIsTerminal
    outputStyle = TerminalStyle(
      hasColor: hasColor && isatty(STDOUT_FILENO) == 1, width: Self.width(of: STDOUT_FILENO))
  }

  /// The style of notes, at the current width of the terminal.
  var noteStyle: TerminalStyle {
    TerminalStyle(hasColor: notesHaveColor, width: Self.width(of: STDERR_FILENO))
  }

  /// Writes a line to stderr, unless the run is quiet, without the control characters of names.
  func note(_ text: String) {
    if !isQuiet { say(text) }
  }

  /// Notes the problems with the times of a track.
  ///
  /// - Parameters:
  ///   - file: the name of the file, if there are several.
  ///   - walkingSpeed: the walking speed of the replay, in meters per second; `nil` without a replay.
  func note(on times: UnusableTimes, in file: String? = nil, walkingSpeed: Double?) {
    note(ReplayText.note(on: times, walkingSpeed: walkingSpeed), in: file)
  }

  /// Notes a fact of a track, if there is one.
  ///
  /// - Parameter file: the name of the file, if there are several.
  func note(_ text: String?, in file: String?) {
    guard let text else { return }
    note("note: \(file.map { $0 + ": " } ?? "")\(text)")
  }

  /// Diverts notes from stderr to a listener; `nil` ends that.
  func divert(to listener: (@Sendable (String) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Writes text to stderr, unless the run is quiet, with its line breaks and control sequences.
  func note(styled text: String) {
    if !isQuiet { say(styled: text) }
  }

  /// Writes a line to stderr, even in a quiet run, without the control characters of names in it.
  func say(_ text: String) { say(styled: text.safeForTerminal) }

  /// Writes text to stderr, even in a quiet run, with its line breaks and control sequences.
  func say(styled text: String) {
    if let listener = listener.withLock(\.self) {
      listener(text)
    } else {
      OutputQueue.errors.post(text + "\n")
    }
  }

  /// Writes a frequent note to stderr, even while notes are diverted: the app's terminal shows
  /// these when it ends.
  func trace(_ text: String) {
    let line = text.safeForTerminal + "\n"
    if listener.withLock({ $0 != nil }) {
      _ = AtomicFile.writeAll(Array(line.utf8), to: STDERR_FILENO)
    } else {
      OutputQueue.errors.post(line)
    }
  }

  /// Replaces the line of progress; an empty one removes it.
  func show(progress line: String) {
    if showsProgress { OutputQueue.errors.show(line: line) }
  }

  /// Shows a line of progress during work, where one can be shown.
  ///
  /// - Parameter line: makes the line; receives the seconds since the work began.
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

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
