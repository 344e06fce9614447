import DequeModule
import FaketrackServices
import FaketrackSupport

/// The way of signals to one target: holds the newest one while the target is busy or away, and
/// connects again with backoff.
final class FeedLane: Sendable {
  private struct State {
    var pending: Deque<(signal: FeedSignal, time: Duration)> = []
    var isFinished = false
    var report: FeedReport
    var task: Task<Void, Never>?
  }

  /// The positions kept for a target that records them: two hours and more at one a second.
  private static let keptLimit = 10_000
  /// Attempts after which the backoff grows no more, at about 4 s.
  private static let longestBackoff = 5

  private let name: String
  private let connection: any FeedConnection
  private let context: FeedContext
  private let clock: AnyClock
  private let state: Locked<State>
  private let changes: AsyncStream<Void>
  private let change: AsyncStream<Void>.Continuation

  init(_ feed: Feed, in context: FeedContext, clock: AnyClock) {
    name = feed.name
    connection = feed.connect(context)
    self.context = context
    self.clock = clock
    state = Locked(State(report: FeedReport(target: feed.name)))
    (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Connects and begins to send.
  func open() async throws {
    do {
      try await connection.open()
    } catch {
      throw UnreachableTarget(target: name, error: error)
    }
    let task = Task { await run() }
    state.withLock { $0.task = task }
  }

  func put(_ signal: FeedSignal) {
    let keepsPositions = connection.keepsPositions
    state.withLock { [now = clock.now] state in
      if state.isFinished { return }
      if !keepsPositions || state.pending.count >= Self.keptLimit, state.pending.popFirst() != nil {
        state.report.replaced += 1
      }
      state.pending.append((signal, now))
    }
    change.yield()
  }

  /// Takes no more signals; those left are still sent.
  func finish() {
    state.withLock { $0.isFinished = true }
    change.yield()
  }

  func cancel() {
    state.withLock(\.task)?.cancel()
  }

  /// Waits until everything has been sent, and returns the totals.
  func end() async -> FeedReport {
    await state.withLock(\.task)?.value
    // Runs in a separate task: interrupting the walk cancels the walk's task.
    await Task { await connection.close() }.value
    return state.withLock { state in
      state.report.replaced += state.pending.count
      state.pending = []
      return state.report
    }
  }

  private func run() async {
    var changes = changes.makeAsyncIterator()
    var jitter = SplitMix64(seed: .random(in: 0 ... .max))
    var attempt = 0
    while true {
      let (next, isFinished) = state.withLock { ($0.pending.popFirst(), $0.isFinished) }
      guard let next else {
        if isFinished { return }
        if await changes.next(isolation: nil) == nil { return }
        continue
      }
      do {
        if attempt > 0 { try await connection.open() }
        let receipt = try await connection.send(next.signal)
        if attempt > 0 { context.note("feed \(name): connected again") }
        attempt = 0
        note(receipt, to: next)
      } catch {
        if Task.isCancelled {
          // The end of the feed closes the connection, in a task that is not canceled.
          return putBack(next, reason: Self.reason(for: error))
        }
        await connection.close()
        if attempt == 0 {
          context.note("feed \(name): \(Self.reason(for: error)); trying again")
        }
        attempt = min(attempt + 1, Self.longestBackoff)
        putBack(next, reason: Self.reason(for: error))
        if isFinished && !connection.keepsPositions { return }
        try? await clock.sleep(for: Backoff.delay(after: attempt, using: &jitter))
      }
      if Task.isCancelled { return }
    }
  }

  private func note(_ receipt: FeedReceipt, to item: (signal: FeedSignal, time: Duration)) {
    state.withLock { [now = clock.now] state in
      state.report.sent += 1
      switch receipt {
      case .confirmed: state.report.confirmed += 1
      case .sent: break
      case .refused(let reason):
        state.report.refused += 1
        state.report.reason = reason
      }
      state.report.delay = max(state.report.delay, now - item.time)
    }
  }

  /// A signal that was not sent waits again, unless a newer one has replaced it.
  private func putBack(_ item: (signal: FeedSignal, time: Duration), reason: String) {
    let keepsPositions = connection.keepsPositions
    state.withLock { state in
      state.report.reason = reason
      if keepsPositions || state.pending.isEmpty {
        state.pending.prepend(item)
      } else {
        state.report.replaced += 1
      }
    }
  }

  /// The reason in a few words.
  static func reason(for error: any Error) -> String {
    (error as? FeedError)?.reason ?? "\(error)"
  }
}
