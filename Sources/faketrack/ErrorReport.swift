import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import FaketrackWeb
import Foundation
import GPX
import Locations
import PhotoSearch

/// What the user is told of an error, and the exit code: the one place that words them.
struct ErrorReport {
  var message: String?
  var hint: String?
  var code: Int32
  /// Set for what the argument parser says in its own words.
  private var usage: (any Error)?

  init(_ error: any Error) {
    code = CommandFailure.Code.failed.rawValue
    switch error {
    case let failure as CommandFailure:
      (message, hint, code) = (failure.message, failure.hint, failure.code.rawValue)
    case let error as GPXError:
      (message, hint) = (error.description, error.recoverySuggestion)
      if case .unreadable = error.cause {
      } else {
        code = CommandFailure.Code.unusableInput.rawValue
      }
    case let error as ReplayError:
      message = error.description
      hint = "Begin nearer to the start with --from."
      code = CommandFailure.Code.wrongUsage.rawValue
    case let error as CitiesError:
      (message, hint) = (error.description, error.recoverySuggestion)
      if error.isUnusableInput { code = CommandFailure.Code.unusableInput.rawValue }
    case let failure as PhotoArchive.Failure:
      (message, hint) = (
        "\(failure.path): \(failure.reason)", "Make room, or name another directory."
      )
    case let failure as WebServer.Failure:
      (message, hint) = (failure.description, failure.recoverySuggestion)
      if case .notAnAddress = failure { code = CommandFailure.Code.wrongUsage.rawValue }
    case is StandardOutput.Closed:
      code = 0
    case let failure as StandardOutput.Failure:
      message = "stdout: \(String(cString: strerror(failure.errno)))"
      hint = "Make room, or send the output elsewhere."
    case let interrupted as Interruption.Interrupted:
      code = 128 + interrupted.signal
    case is PhotoSource.MissingKey:
      message = "--photos flickr needs a key"
      hint =
        "Set FLICKR_API_KEY, or use --photos commons, which needs no key, or --photos sample."
      code = CommandFailure.Code.wrongUsage.rawValue
    default:
      usage = error
    }
  }

  func exit() -> Never {
    if let usage { Faketrack.exit(withError: usage) }
    let environment = ProcessInfo.processInfo.environment
    let console = Console(isQuiet: false, environment: environment)
    if let message {
      console.say(console.noteStyle.colored("error:", .red) + " " + message.safeForTerminal)
    }
    if let hint { console.say(console.noteStyle.dim("hint:") + " " + hint.safeForTerminal) }
    Foundation.exit(code)
  }
}
