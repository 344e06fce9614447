import ArgumentParser
import Dispatch
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackSupport
import Foundation

@main
struct Faketrack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faketrack",
    abstract: "Replay any GPX track: every 100 m, a photo taken nearby and the nearest city.",
    version: "faketrack \(Product.version)",
    subcommands: [
      HomeCommand.self, ReplayCommand.self, InfoCommand.self, CheckCommand.self,
      MakeCommand.self, DemoCommand.self, ServeCommand.self, AppCommand.self, PageCommand.self,
      CitiesCommand.self,
      FavoritesCommand.self, ExportCommand.self, ListsCommand.self, DoctorCommand.self,
      AboutCommand.self, CompletionCommand.self,
    ],
    defaultSubcommand: HomeCommand.self,
    helpNames: .long)

  static func main() async {
    // A closed pipe is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    FileDescriptors.openStandardStreams()
    CrashGuard.install()
    do {
      try FileDescriptors.check()
      try ThreadLimit.check()
      var command = try parse(Array(CommandLine.arguments.dropFirst()))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      exit(reporting: error)
    }
  }
}

extension Faketrack {
  /// - Throws: `Failure` for wrong usage, or the answer of the argument parser to `--version`.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let words = Set(arguments.map { ["-V": "--version", "-v": "--verbose"][$0] ?? $0 })
    if words == ["--version", "--verbose"] { return VersionCommand() }
    if arguments.first != "help", let failure = unknownCommand(in: arguments) { throw failure }
    if let request = try HelpRequest(arguments) { return HelpCommand(text: request.text) }
    let path = CommandPath(arguments)
    if path.words == arguments, !path.command.visible.isEmpty, path.words != [],
      path.command.configuration.defaultSubcommand == nil
    {
      return HelpCommand(text: HelpPage(path).short)
    }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let options = arguments[..<end].map { $0 == "-V" ? "--version" : $0 }
    let arguments = joiningNegativeValues(in: options) + arguments[end...]
    do {
      return try parseAsRoot(arguments)
    } catch  where exitCode(for: error) != .success {
      throw UsageError(arguments).failure(message(for: error))
    }
  }

  /// Joins `--limit -1` to `--limit=-1`, where the parser would see two options.
  private static func joiningNegativeValues(in arguments: [String]) -> [String] {
    arguments.reduce(into: []) { joined, word in
      if let option = joined.last, option.hasPrefix("--"), !option.contains("="),
        word.hasPrefix("-"), word.dropFirst().first.map({ $0.isNumber || $0 == "." }) == true
      {
        joined[joined.count - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
  }

  /// The failure of the first word that should be a command and is not.
  private static func unknownCommand(in arguments: [String]) -> Failure? {
    var (group, path): (any ParsableCommand.Type, String) = (Faketrack.self, "")
    for (index, word) in arguments.enumerated() {
      let commands = group.configuration.subcommands
      if commands.isEmpty || word == "help" || word.hasPrefix("-") { return nil }
      guard let next = commands.first(where: { $0._commandName == word }) else {
        let isTrack =
          [".gpx", ".gpx.gz"].contains(where: word.lowercased().hasSuffix)
          || FileManager.default.fileExists(atPath: word)
        let likely =
          path.isEmpty && isTrack ? "replay \(word)" : CommandPath.command(like: word, in: path)
        let rest = isTrack ? [] : arguments[(index + 1)...].map { $0.safeForTerminal }
        let isCity = path == "cities " && likely == nil
        return Failure(
          message: "no command '\(path)\(word)'",
          hint: likely.map { (["faketrack", $0] + rest).joined(separator: " ") }
            ?? (isCity ? "faketrack cities search \(word)" : "faketrack \(path)-h"),
          kind: .wrongUsage)
      }
      (group, path) = (next, path + word + " ")
    }
    return nil
  }

  /// Says what went wrong and what to do about it, and ends the process with the code for it.
  static func exit(reporting error: any Error) -> Never {
    switch error {
    case let error as OutputError where error.isClosedPipe:
      Foundation.exit(0)
    case let code as ExitCode:
      // The error has been reported.
      Foundation.exit(code.rawValue)
    case let interrupted as Interruption.Interrupted:
      Foundation.exit(128 + interrupted.signal)
    default:
      let console = Console(isQuiet: false, environment: ProcessInfo.processInfo.environment)
      if exitCode(for: error) == .success {
        // The argument parser answers --version and --generate-completion-script itself.
        let text = fullMessage(for: error)
        let isScript = CommandLine.arguments.contains {
          $0.hasPrefix("--generate-completion-script")
        }
        do {
          try answer((isScript ? Completions.completingHelp(in: text) : text) + "\n")
        } catch {
          exit(reporting: error)
        }
        Foundation.exit(0)
      }
      let failure = Failure(error)
      console.say(failure)
      Foundation.exit(failure.kind.exitCode)
    }
  }

  /// Writes help, the version or a completion script to stdout.
  ///
  /// - Throws: ``OutputError``.
  static func answer(_ text: String) throws {
    guard AtomicFile.writeAll(Array(text.utf8), to: STDOUT_FILENO) else {
      throw OutputError(code: errno)
    }
  }
}

extension Console {
  func say(_ failure: Failure) {
    sayError(failure.message.safeForTerminal)
    if let hint = failure.hint { say(styled: noteStyle.dim("hint:") + " " + hint.safeForTerminal) }
  }

  /// Says an error in words that are safe for a terminal.
  fileprivate func sayError(_ text: String) {
    say(styled: noteStyle.colored("error:", .failure) + " " + text)
  }
}

extension Failure.Kind {
  /// The codes of sysexits.h where they fit.
  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .wrongUsage: 64
    case .unusableInput: 65
    case .serviceUnavailable: 69
    case .permissionDenied: 77
    case .unchecked: 2
    }
  }
}

extension StoreError: FailureConvertible {
  package var failure: Failure {
    Failure(message: description, hint: recoverySuggestion)
  }
}

extension TileFileError: FailureConvertible {
  package var failure: Failure {
    if case .unreadable = cause { return Failure(message: description, hint: recoverySuggestion) }
    return Failure(message: description, hint: recoverySuggestion, kind: .unusableInput)
  }
}

extension OutputError: FailureConvertible {
  var failure: Failure {
    if code == EBADF {
      return Failure(
        message: "stdout is closed", hint: "Send the output to a file, a program or a terminal.")
    }
    return Failure(
      message: "stdout: \(String(cString: strerror(code)))",
      hint: "Make room, or send the output elsewhere.")
  }
}

/// Fails early if too few file descriptors are available.
///
/// Without one, most calls fail with an error that can be reported, but Dispatch ends the process:
/// it opens a few when it first waits for a signal or a time.
private enum FileDescriptors {
  /// The minimum besides calls and connections, which fail one by one.
  private static let needed = 32
  /// More than any work uses.
  private static let plenty = 128

  /// Opens the standard streams that are closed, so that no other file gets their numbers: text on
  /// stderr is dropped; reading stdin and writing to stdout fail.
  static func openStandardStreams() {
    for (stream, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// - Throws: `Failure` when there are too few.
  static func check() throws {
    let free = count(upTo: plenty)
    if free == plenty { return }
    guard free >= needed else {
      throw Failure(
        message: "only \(free) more files can be open at once, and \(needed) are needed",
        hint: "Raise the limit with \"ulimit -n 256\".")
    }
    openDescriptorsOfDispatch()
  }

  private static func count(upTo limit: Int) -> Int {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < limit {
      let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else { break }
      opened.append(descriptor)
    }
    return opened.count
  }

  private static func openDescriptorsOfDispatch() {
    let timer = DispatchSource.makeTimerSource()
    let hasFired = DispatchSemaphore(value: 0)
    timer.setEventHandler { hasFired.signal() }
    timer.schedule(deadline: .now())
    timer.resume()
    hasFired.wait()
    timer.cancel()
  }
}
