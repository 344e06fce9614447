import FaketrackFeatures

/// Why a command could not do what it was asked: what is said on stderr, and the exit code.
struct CommandFailure: Error {
  enum Code: Int32 {
    case failed = 1
    case wrongUsage = 64
    case unusableInput = 65
    case serviceUnavailable = 69
    case permissionDenied = 77
    case interrupted = 130
  }

  /// What the user is told of a screen that could not be loaded.
  init(_ failure: LoadingFailure, about subject: String? = nil) {
    let code: Code =
      switch failure.kind {
      case .failed: .failed
      case .unusableInput: .unusableInput
      case .serviceUnavailable: .serviceUnavailable
      }
    let message = subject.map { "\($0): \(failure.message)" } ?? failure.message
    self.init(message, hint: failure.hint, code: code)
  }

  /// One line; nothing when all has been said.
  let message: String?
  /// What to do about it.
  let hint: String?
  let code: Code

  init(_ message: String?, hint: String? = nil, code: Code = .failed) {
    self.message = message
    self.hint = hint
    self.code = code
  }
}
