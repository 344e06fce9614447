import DequeModule
import FaketrackSupport
import Synchronization

/// Limits the number of tasks that do some work concurrently; the others wait in order of arrival.
package final class RequestGate: Sendable {
  private struct State {
    var free: Int
    var nextTicket = 0
    var queue: Deque<(ticket: Int, continuation: CheckedContinuation<Void, any Error>)> = []
  }

  private let state: Locked<State>

  package init(limit: Int) {
    state = Locked(State(free: max(1, limit)))
  }

  /// Runs the work when fewer tasks than the limit are running.
  package func pass<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await work()
  }

  /// Runs the work when fewer tasks than the limit are running; work that takes longer than a time no longer
  /// counts then.
  package func pass<Value: Sendable>(
    countingFor time: Duration, _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await enter()
    let place = Place(in: self)
    let end = Task {
      try await Task.sleep(for: time)
      place.leave()
    }
    defer {
      end.cancel()
      place.leave()
    }
    return try await work()
  }

  /// A running task, which leaves once.
  private final class Place: Sendable {
    private let gate: RequestGate
    private let hasLeft = Atomic(false)

    init(in gate: RequestGate) { self.gate = gate }

    func leave() {
      if !hasLeft.exchange(true, ordering: .relaxed) { gate.leave() }
    }
  }

  /// Waits until fewer tasks than the limit are running, and counts as running until ``leave()``.
  package func enter() async throws {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.queue.append((ticket, continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.queue.firstIndex { $0.ticket == ticket }.map { state.queue.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  package func leave() {
    let next = state.withLock { state in
      let next = state.queue.popFirst()
      if next == nil { state.free += 1 }
      return next?.continuation
    }
    next?.resume()
  }
}
