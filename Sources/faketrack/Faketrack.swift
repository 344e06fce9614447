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
    abstract: """
      Walk any GPX track from your terminal: for every 100 meters, a photo taken there and the city \
      you are near.
      """,
    discussion: """
      EXAMPLES
        faketrack demo
        faketrack replay walk.gpx
        faketrack replay walk.gpx --photos commons --format list
        faketrack info walk.gpx
        faketrack cities search pots
        faketrack serve walk.gpx
      """,
    version: Product.version,
    subcommands: [
      HomeCommand.self, ReplayCommand.self, InfoCommand.self, CheckCommand.self,
      CitiesCommand.self, FavoritesCommand.self, ListsCommand.self, ServeCommand.self,
      AppCommand.self, DemoCommand.self, DoctorCommand.self, AboutCommand.self, FormatsCommand.self,
    ],
    defaultSubcommand: HomeCommand.self)

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
  /// - Throws: `Failure` for a word that is not a command, or the error of the argument parser.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if Set(arguments) == ["--version", "--verbose"] { return VersionCommand() }
    let arguments = joiningNegativeValues(in: arguments)
    do {
      return try parseAsRoot(arguments)
    } catch  where exitCode(for: error) != .success {
      if let failure = unknownCommand(in: arguments) { throw failure }
      // The error quotes arguments.
      let printable = arguments.map(\.safeForTerminal)
      if printable == arguments { throw error }
      _ = try parseAsRoot(printable)
      throw ValidationError("Remove the control characters from the arguments.")
    }
  }

  /// Joins `--limit -1` to `--limit=-1`, where the parser would see two options.
  private static func joiningNegativeValues(in arguments: [String]) -> [String] {
    arguments.reduce(into: []) { joined, word in
      if let option = joined.last, option.hasPrefix("--"), option != "--", !option.contains("="),
        word.hasPrefix("-"), word.dropFirst().first?.isNumber == true
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
    for word in arguments {
      let commands = group.configuration.subcommands
      if commands.isEmpty || word == "help" { return nil }
      if word.hasPrefix("-") {
        guard path.isEmpty else { return nil }
        return Failure(
          message: "unknown option '\(word)'", hint: "See 'faketrack --help'.", kind: .wrongUsage)
      }
      guard let next = commands.first(where: { $0._commandName == word }) else {
        let isTrack =
          [".gpx", ".gpx.gz"].contains(where: word.lowercased().hasSuffix)
          || FileManager.default.fileExists(atPath: word)
        let likely = path.isEmpty && isTrack ? "replay \(word)" : command(like: word, in: path)
        return Failure(
          message: "there is no command '\(path)\(word)'",
          hint: likely.map { "Did you mean faketrack \($0)?" }
            ?? "See 'faketrack \(path)--help' for the commands.",
          kind: .wrongUsage)
      }
      (group, path) = (next, path + word + " ")
    }
    return nil
  }

  /// The command with the most similar name, of the same group if possible.
  private static func command(like word: String, in group: String) -> String? {
    func paths(_ command: any ParsableCommand.Type, _ path: String) -> [(String, String)] {
      command.visible.flatMap { command in
        let name = command._commandName
        return [(path + name, name)] + paths(command, path + name + " ")
      }
    }
    return paths(Faketrack.self, "").compactMap { path, name in
      editDistance(Array(name.utf8), Array(word.utf8), limit: min(2, word.utf8.count / 2))
        .map { (path, edits: $0, isElsewhere: path.hasPrefix(group) ? 0 : 1) }
    }.min { ($0.edits, $0.isElsewhere) < ($1.edits, $1.isElsewhere) }?.0
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
      let isFailure = error is Failure || error is any FailureConvertible
      let code = exitCode(for: error)
      if !isFailure, code != .failure {
        // The argument parser words its own errors and answers to --help and --version.
        let text = fullMessage(for: error)
        if code == .success { answer(text) }
        let words = String(text.dropFirst(_errorPrefix.count))
        console.sayError(words.replacing("\n  See '", with: "\nhint: See '"))
        Foundation.exit(code.rawValue)
      }
      let failure = Failure(error)
      console.say(failure)
      Foundation.exit(failure.kind.exitCode)
    }
  }

  /// Writes help, the version or a completion script, and ends the process.
  private static func answer(_ text: String) -> Never {
    let isScript = CommandLine.arguments.contains { $0.hasPrefix("--generate-completion-script") }
    let text = (isScript ? Completions.completingHelp(in: text) : text) + "\n"
    guard AtomicFile.writeAll(Array(text.utf8), to: STDOUT_FILENO) else {
      exit(reporting: OutputError(code: errno))
    }
    Foundation.exit(0)
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
    }
  }
}

extension StoreError: FailureConvertible {
  package var failure: Failure {
    Failure(message: description, hint: recoverySuggestion)
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
