import Cities
import FaketrackServices
import GPX
import PhotoSearch

extension GPXError: RecoverableError {
  package var kindOfFailure: LoadingFailure.Kind {
    if case .unreadable = cause { .failed } else { .unusableInput }
  }
}

extension PhotoSearchError: RecoverableError {
  package var kindOfFailure: LoadingFailure.Kind { .serviceUnavailable }
}

extension CitiesError: RecoverableError {
  package var kindOfFailure: LoadingFailure.Kind {
    if case .summaryUnavailable = self { return .serviceUnavailable }
    return isUnusableInput ? .unusableInput : .failed
  }
}

extension ServiceError: RecoverableError {
  package var kindOfFailure: LoadingFailure.Kind {
    switch reason {
    case .unusableAddress: .failed
    case .brokenAnswer, .tooLarge: .unusableInput
    case .unreachable, .status, .refused, .keyRejected: .serviceUnavailable
    }
  }

  package var recoverySuggestion: String? {
    switch reason {
    case .unreachable: "Check the network and the proxy settings, then try again."
    case .unusableAddress, .status(400..<429), .status(430..<500): "Check the address."
    case .keyRejected: "Check the key."
    case .status, .refused, .brokenAnswer: "Try again later."
    case .tooLarge: nil
    }
  }
}
