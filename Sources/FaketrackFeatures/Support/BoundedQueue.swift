import DequeModule
import FaketrackSupport

/// A queue between a producer, which waits while the queue is full, and a consumer, which waits
/// while it is empty.
///
/// An element occupies its slot until it has been processed, so the limit includes the element in
/// progress. A channel of swift-async-algorithms frees the slot as soon as processing begins.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: Deque<Element> = []
    var outcome: Result<Void, any Error>?
    /// The waiting task; at most one, since the queue cannot be both full and empty.
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: the maximum number of elements; at least 1 is taken.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Makes an element once there is room, and adds it.
  func put(_ element: () -> Element) async throws {
    while true {
      try Task.checkCancellation()
      if state.withLock({ $0.elements.count < limit }) { break }
      await wait { [limit] in $0.elements.count < limit }
    }
    let element = element()
    state.withLock { $0.elements.append(element) }
    wake()
  }

  /// Adds the elements that a task produces, and finishes the queue with its outcome.
  func fill(_ produce: () async throws -> Void) async {
    do {
      try await produce()
      finish(.success(()))
    } catch {
      finish(.failure(error))
    }
  }

  /// Finishes the queue: no more elements follow.
  func finish(_ outcome: Result<Void, any Error>) {
    state.withLock { $0.outcome = outcome }
    wake()
  }

  /// The first element, which keeps its slot; `nil` after the last.
  ///
  /// - Throws: the error that the queue was finished with, after all elements before it.
  func first() async throws -> Element? {
    while true {
      try Task.checkCancellation()
      let (first, outcome) = state.withLock { ($0.elements.first, $0.outcome) }
      if let first { return first }
      if let outcome {
        try outcome.get()
        return nil
      }
      await wait { !$0.elements.isEmpty || $0.outcome != nil }
    }
  }

  /// The elements currently in the queue, up to the first that fails the test; all keep their
  /// slots.
  func ready(where passes: (Element) -> Bool) -> [Element] {
    state.withLock { Array($0.elements.prefix(while: passes)) }
  }

  /// Frees the slots of the first elements.
  func removeFirst(_ count: Int = 1) {
    state.withLock { $0.elements.removeFirst(count) }
    wake()
  }

  func removeAll() -> [Element] {
    let rest = state.withLock { state in
      defer { state.elements = [] }
      return Array(state.elements)
    }
    wake()
    return rest
  }

  private func wait(until isReady: @Sendable (State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if isReady(state) || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }

  private func wake() {
    state.withLock { $0.waiter.take() }?.resume()
  }
}
