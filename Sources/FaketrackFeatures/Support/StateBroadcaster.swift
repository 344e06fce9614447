/// Tells a state to any number of observers, each of which sees the newest when it looks.
@MainActor
final class StateBroadcaster<State: Sendable> {
  private var observers: [Int: AsyncStream<State>.Continuation] = [:]
  private var lastID = 0

  /// A stream that starts with `state` and keeps the newest for a slow observer.
  func stream(startingWith state: State) -> AsyncStream<State> {
    lastID += 1
    let id = lastID
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    observers[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.observers[id] = nil }
    }
    continuation.yield(state)
    return stream
  }

  func send(_ state: State) {
    for observer in observers.values { observer.yield(state) }
  }
}
