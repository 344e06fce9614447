import ArgumentParser
import FaketrackFeatures
import FaketrackStore
import FaketrackSupport
import Foundation

extension Faketrack {
  /// Says what went wrong and what to do about it, and ends the process with the code for it.
  static func exit(reporting error: any Error) -> Never {
    switch error {
    case is StandardOutput.Closed:
      Foundation.exit(0)
    case let code as ExitCode:
      // What went wrong has been said.
      Foundation.exit(code.rawValue)
    case let interrupted as Interruption.Interrupted:
      Foundation.exit(128 + interrupted.signal)
    case is Failure, is any FailureConvertible:
      exit(reporting: Failure(error))
    default:
      // The argument parser words its own errors and answers to --help and --version.
      if exitCode(for: error) != .failure { exit(withError: error) }
      exit(reporting: Failure(error))
    }
  }

  private static func exit(reporting failure: Failure) -> Never {
    Console(isQuiet: false, environment: ProcessInfo.processInfo.environment).say(failure)
    Foundation.exit(failure.kind.exitCode)
  }
}

extension Console {
  /// Says what went wrong and what to do about it.
  func say(_ failure: Failure) {
    say(noteStyle.colored("error:", .red) + " " + failure.message.safeForTerminal)
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

extension StandardOutput.WriteError: FailureConvertible {
  var failure: Failure {
    Failure(
      message: "stdout: \(String(cString: strerror(errno)))",
      hint: "Make room, or send the output elsewhere.")
  }
}
