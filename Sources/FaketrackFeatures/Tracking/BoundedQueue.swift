import DequeModule
import FaketrackSupport

/// A queue between a task that adds elements, which waits while the queue is full, and a task that
/// works on them, which waits while it is empty.
///
/// An element keeps its place until its work is done, so the limit covers the element in progress as
/// well as those that wait. A channel of swift-async-algorithms gives up the place of an element as
/// soon as the work on it begins.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: Deque<Element> = []
    var outcome: Result<Void, any Error>?
    /// The task that waits; never both, since the queue cannot be full and empty at once.
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: elements that may wait or be worked on, at least 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Makes an element once there is room, and adds it.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
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

  /// Adds the elements that a task puts into the queue, and ends the queue with its outcome.
  func fill(_ produce: () async throws -> Void) async {
    do {
      try await produce()
      finish(.success(()))
    } catch {
      finish(.failure(error))
    }
  }

  /// Ends the queue: no more elements follow.
  func finish(_ outcome: Result<Void, any Error>) {
    state.withLock { $0.outcome = outcome }
    wake()
  }

  /// The first element, which keeps its place; `nil` after the last.
  ///
  /// - Throws: what the queue was finished with, after the elements before it.
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

  /// The elements that are in the queue now, up to the first that does not pass; all keep their
  /// places.
  func ready(where passes: (Element) -> Bool) -> [Element] {
    state.withLock { Array($0.elements.prefix(while: passes)) }
  }

  /// Gives up the places of the first elements.
  func removeFirst(_ count: Int = 1) {
    state.withLock { $0.elements.removeFirst(count) }
    wake()
  }

  /// Takes out all elements that are left.
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
