/// Why something could not be got, and what to do about it.
package struct LoadingFailure: Error, Hashable, Sendable {
  /// Who is to blame, as far as that is known.
  package enum Kind: Hashable, Sendable {
    /// Something here: a file, a database, a wish that cannot be met.
    case failed
    /// What was got is not what it should be.
    case unusableInput
    /// A service.
    case serviceUnavailable
  }

  /// What happened, in one line.
  package var message: String
  /// What the user can do, if there is anything.
  package var hint: String?
  package var kind: Kind

  package init(message: String, hint: String? = nil, kind: Kind = .failed) {
    self.message = message
    self.hint = hint
    self.kind = kind
  }

  /// Words an error; the one place where features do.
  package init(_ error: any Error) {
    switch error {
    case let failure as LoadingFailure:
      self = failure
    case let error as any RecoverableError:
      self.init(
        message: "\(error)", hint: error.recoverySuggestion, kind: error.kindOfFailure)
    default:
      self.init(message: "\(error)")
    }
  }
}

/// An error that knows what can be done about it.
package protocol RecoverableError: Error {
  var recoverySuggestion: String? { get }
  var kindOfFailure: LoadingFailure.Kind { get }
}
