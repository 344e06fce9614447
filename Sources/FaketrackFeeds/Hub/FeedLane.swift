import DequeModule
import FaketrackServices
import FaketrackSupport

/// The way of signals to one target: holds the newest one while the target is busy or away, and
/// connects again with backoff.
final class FeedLane: Sendable {
  private struct State {
    var pending: Deque<(signal: FeedSignal, time: Duration)> = []
    var newest: FeedSignal?
    var isOpen = false
    var isFinished = false
    /// Whether a signal is on its way, and whether the target does not take any at present.
    var isSending = false
    var isAway = false
    var report: FeedReport
    var task: Task<Void, Never>?
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// Whether nothing is left to send, or nothing can be sent.
    var isSettled: Bool { pending.isEmpty && !isSending || isAway }

    /// Removes and returns those who wait for a lane that has settled.
    mutating func settle() -> [CheckedContinuation<Void, Never>] {
      guard isSettled else { return [] }
      defer { waiters = [] }
      return waiters
    }
  }

  /// The positions kept for a target that records them: two hours and more at one a second.
  private static let keptLimit = 10_000
  /// Attempts after which the backoff grows no more, at about 4 s.
  private static let longestBackoff = 5
  /// The time between looks for a target that may come.
  private static let waitingTime = Duration.milliseconds(250)

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

  var keepsPositions: Bool { connection.keepsPositions }
  var tellsTime: Bool { connection.tellsTime }
  var needsRepetition: Bool { connection.needsRepetition }

  /// Connects and begins to send.
  ///
  /// - Parameter wait: the time in which the target, and something that takes its positions, may come.
  func open(waiting wait: Duration) async throws(UnreachableTarget) {
    let deadline = clock.now + wait
    var isNoted = false
    while let absence = await absence(isAwaited: wait > .zero) {
      let mayPass = (absence as? FeedError)?.mayPass == true
      guard mayPass, clock.now < deadline,
        (try? await clock.sleep(for: min(Self.waitingTime, deadline - clock.now))) != nil
      else {
        throw UnreachableTarget(target: name, error: absence)
      }
      if !state.withLock(\.isOpen) { await connection.close() }
      if !isNoted { context.note("feed \(name): \(Self.reason(for: absence)); waiting") }
      isNoted = true
    }
    let task = Task { await run() }
    state.withLock { $0.task = task }
  }

  /// Connects, unless that has been done; returns why the target cannot be fed.
  private func absence(isAwaited: Bool) async -> (any Error)? {
    do {
      if !state.withLock(\.isOpen) { try await connection.open() }
    } catch {
      return error
    }
    state.withLock { $0.isOpen = true }
    guard isAwaited, await !connection.hasReceiver() else { return nil }
    return FeedError.unreachable(
      "nothing takes the position yet", hint: "Start the app under test, or wait longer.")
  }

  func put(_ signal: FeedSignal) {
    let keepsPositions = keepsPositions
    state.withLock { [now = clock.now] state in
      if state.isFinished { return }
      if !keepsPositions || state.pending.count >= Self.keptLimit, state.pending.popFirst() != nil {
        if keepsPositions { state.report.lost += 1 } else { state.report.replaced += 1 }
      }
      state.pending.append((signal, now))
      state.newest = signal
    }
    change.yield()
  }

  /// Sends the newest signal again, as of now, if the target needs that.
  ///
  /// - Parameter time: the time since the signal was sent last.
  func repeatPosition(after time: Duration) {
    guard needsRepetition, let newest = state.withLock(\.newest) else { return }
    put(newest.held(for: time))
  }

  /// Waits until what there is has been sent, or the target is away.
  func settle() async {
    await withCheckedContinuation { waiter in
      let isSettled = state.withLock { state in
        if !state.isSettled { state.waiters.append(waiter) }
        return state.isSettled
      }
      if isSettled { waiter.resume() }
    }
  }

  /// The reason for which not all has been sent; `nil` if it has.
  var absence: String? {
    state.withLock { state in
      if state.isAway { return state.report.reason ?? "it is away" }
      return state.isSettled ? nil : "it is slow"
    }
  }

  var report: FeedReport { state.withLock(\.report) }

  /// Takes no more signals; those left are still sent.
  func finish() {
    state.withLock { $0.isFinished = true }
    change.yield()
  }

  func cancel() {
    state.withLock(\.task)?.cancel()
  }

  /// The number of positions that are left, in words; `nil` without any.
  var remainder: String? {
    let count = state.withLock(\.pending.count)
    if count == 0 { return nil }
    let positions = count == 1 ? "1 position" : "\(count) positions"
    return "feed \(name): \(positions) left to send; Ctrl-C drops them"
  }

  /// Waits until everything has been sent, and returns the totals.
  func end() async -> FeedReport {
    await state.withLock(\.task)?.value
    // Runs in a separate task: interrupting the walk cancels the walk's task.
    await Task { await connection.close() }.value
    return state.withLock { state in
      state.report.lost += state.pending.count
      state.pending = []
      return state.report
    }
  }

  private func run() async {
    defer { update { $0.isAway = true } }
    var changes = changes.makeAsyncIterator()
    var jitter = SplitMix64(seed: .random(in: 0 ... .max))
    var attempt = 0
    while true {
      let (next, isFinished) = update { state in
        let next = state.pending.popFirst()
        state.isSending = next != nil
        return (next, state.isFinished)
      }
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
        update { ($0.isSending, $0.isAway) = (false, false) }
      } catch {
        if Task.isCancelled {
          // The end of the feed closes the connection, in a task that is not canceled.
          let known = state.withLock(\.report.reason)
          let reason =
            error is CancellationError
            ? known ?? "did not take it in time" : Self.reason(for: error)
          return putBack(next, reason: reason)
        }
        await connection.close()
        if attempt == 0 {
          context.note("feed \(name): \(Self.reason(for: error)); trying again")
        }
        attempt = min(attempt + 1, Self.longestBackoff)
        putBack(next, reason: Self.reason(for: error))
        if isFinished && !keepsPositions { return }
        try? await clock.sleep(for: Backoff.delay(after: attempt, using: &jitter))
      }
      if Task.isCancelled { return }
    }
  }

  /// Changes the state, and lets those go on who wait for a lane that has settled.
  private func update<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, waiters) = state.withLock { state in
      (change(&state), state.settle())
    }
    for waiter in waiters { waiter.resume() }
    return result
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
    let keepsPositions = keepsPositions
    update { state in
      (state.isSending, state.isAway) = (false, true)
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
