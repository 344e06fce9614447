/// Wakes whoever watches: signals that come faster than they are looked at become one.
@MainActor
final class SignalHub {
  private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastID = 0

  /// How many watch.
  var count: Int { watchers.count }

  /// The signals from now on; the first comes at once.
  func signals() -> AsyncStream<Void> {
    lastID += 1
    let id = lastID
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    watchers[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.watchers[id] = nil }
    }
    continuation.yield()
    return stream
  }

  func send() {
    for watcher in watchers.values { watcher.yield() }
  }
}
