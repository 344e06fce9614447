/// A bounded queue in order between two tasks of the main actor: the one that finds locations
/// waits while it is full, the one that finishes them waits while it is empty.
@MainActor
final class PendingVisits<Element> {
  private let limit: Int
  private var elements: [Element] = []
  private var outcome: Result<Void, any Error>?
  private var isClosed = false
  private var waiter: CheckedContinuation<Void, Never>?

  /// - Parameter limit: elements that may wait or be worked on, at least 1.
  init(limit: Int) {
    self.limit = limit
  }

  /// Makes an element once there is room, and adds it.
  ///
  /// - Throws: `CancellationError` when nobody will take it, or when the task is cancelled.
  func put(_ element: @MainActor () -> Element) async throws {
    while elements.count >= limit, !isClosed {
      try Task.checkCancellation()
      await wait()
    }
    if isClosed { throw CancellationError() }
    elements.append(element())
    wake()
  }

  /// Says that nothing comes any more, and why.
  func finish(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    wake()
  }

  /// The first element, which keeps its place until it is done; `nil` after the last.
  ///
  /// - Throws: what the queue was finished with, after the elements before it.
  func first() async throws -> Element? {
    while true {
      try Task.checkCancellation()
      if let first = elements.first { return first }
      if let outcome {
        try outcome.get()
        return nil
      }
      await wait()
    }
  }

  /// Gives up the place of the first element.
  func removeFirst() {
    elements.removeFirst()
    wake()
  }

  /// Ends the queue and returns what is left in it.
  func close() -> [Element] {
    isClosed = true
    wake()
    defer { elements = [] }
    return elements
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume() }
        waiter = continuation
      }
    } onCancel: {
      Task { @MainActor in self.wake() }
    }
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
