import Synchronization

/// Work that several wait for and that goes on as long as one of them does.
///
/// Cancelling one who waits ends that wait alone; when nobody is left, the work is cancelled.
final class SharedTask<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    var task: Task<Void, Never>?
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    var nextTicket = 0
  }

  private let state = Mutex(State())

  /// Starts the work.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    let task = Task {
      do {
        finish(.success(try await work()))
      } catch {
        finish(.failure(error))
      }
    }
    state.withLock { $0.task = task }
  }

  /// Whether the work was given up because nobody waited for it any more.
  var isCancelled: Bool {
    state.withLock { $0.task?.isCancelled ?? false }
  }

  /// Waits for the work.
  ///
  /// - Throws: What the work throws, or `CancellationError` when the waiting task is cancelled.
  var value: Value {
    get async throws {
      let ticket = state.withLock { state in
        state.nextTicket += 1
        return state.nextTicket
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let outcome = state.withLock { state -> Result<Value, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if let outcome = state.outcome { return outcome }
            state.waiters[ticket] = continuation
            return nil
          }
          if let outcome { continuation.resume(with: outcome) }
        }
      } onCancel: {
        leave(ticket)
      }
    }
  }

  private func leave(_ ticket: Int) {
    let (waiter, abandoned) = state.withLock { state in
      let waiter = state.waiters.removeValue(forKey: ticket)
      let isAbandoned = state.waiters.isEmpty && state.outcome == nil
      return (waiter, isAbandoned ? state.task : nil)
    }
    abandoned?.cancel()
    waiter?.resume(throwing: CancellationError())
  }

  private func finish(_ outcome: Result<Value, any Error>) {
    let waiters = state.withLock { state in
      state.outcome = outcome
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.self)
    }
    for waiter in waiters { waiter.resume(with: outcome) }
  }
}
