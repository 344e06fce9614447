import Dispatch
import Synchronization

/// The stream that data goes to: written on a queue of its own, so that a slow pipe delays the walk
/// but never blocks a thread that others need.
final class StandardOutput: Sendable {
  /// The reader of the pipe is gone.
  struct Closed: Error {}

  /// The system refused to take the data.
  struct WriteError: Error {
    let errno: Int32
  }

  private let queue = DispatchQueue(label: "faketrack.output")
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  /// Returns once the text has been handed to the system.
  ///
  /// - Throws: ``Closed``, ``WriteError``, or `CancellationError` while the pipe takes nothing.
  func write(_ text: String) async throws {
    if text.isEmpty { return }
    let handover = Handover()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        handover.set(continuation)
        queue.async { [console] in
          handover.resume(with: Result { try console.writeOutput(text) })
        }
      }
    } onCancel: {
      handover.resume(with: .failure(CancellationError()))
    }
  }
}

/// A continuation that the first of two resumes.
private final class Handover: Sendable {
  private enum State {
    case waiting(CheckedContinuation<Void, any Error>)
    case early(Result<Void, any Error>)
    case none
    case done
  }

  private let state = Mutex(State.none)

  func set(_ continuation: CheckedContinuation<Void, any Error>) {
    let early = state.withLock { state -> Result<Void, any Error>? in
      if case .early(let result) = state {
        state = .done
        return result
      }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(with: early) }
  }

  func resume(with result: Result<Void, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      switch state {
      case .waiting(let continuation):
        state = .done
        return continuation
      case .none:
        state = .early(result)
        return nil
      case .early, .done:
        return nil
      }
    }
    continuation?.resume(with: result)
  }
}
