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
    abstract: "Walk any GPX track from your terminal: for every 100 meters, a photo taken there.",
    version: Product.version,
    subcommands: [
      HomeCommand.self, ReplayCommand.self, InfoCommand.self, CitiesCommand.self,
      FavoritesCommand.self, ListsCommand.self, ServeCommand.self, AppCommand.self,
      AboutCommand.self,
    ],
    defaultSubcommand: HomeCommand.self)

  static func main() async {
    // A closed pipe is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    do {
      try FileDescriptors.check()
      var command = try parseAsRoot()
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
      // The argument parser words its own errors and answers to --help and --version.
      let isFailure = error is Failure || error is any FailureConvertible
      if !isFailure, exitCode(for: error) != .failure { exit(withError: error) }
      let failure = Failure(error)
      Console(isQuiet: false, environment: ProcessInfo.processInfo.environment).say(failure)
      Foundation.exit(failure.kind.exitCode)
    }
  }
}

extension Console {
  func say(_ failure: Failure) {
    say(noteStyle.colored("error:", .failure) + " " + failure.message.safeForTerminal)
    if let hint = failure.hint { say(noteStyle.dim("hint:") + " " + hint.safeForTerminal) }
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
    Failure(
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
