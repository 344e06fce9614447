import FaketrackSupport

/// A clock that a test moves, so hours pass in milliseconds and every run is the same.
///
/// Moving the clock wakes every task whose deadline it reaches or passes, in the order of their
/// deadlines; all of them see the clock at its new time. Several tasks can use the clock concurrently.
/// A wait of more than ten seconds of real time is reported on standard error, with its reason.
///
/// ```swift
/// let clock = VirtualClock()
/// let nap = Task { try await clock.sleep(for: .seconds(3_600)) }
/// try await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(3_600))
/// try await nap.value
/// ```
public final class VirtualClock: Clock, Sendable {
  /// A moment on a virtual clock.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates the moment at this much time after the clock was created.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// Returns the moment that is this much later, clamped to the range of `Duration`.
    public func advanced(by duration: Duration) -> Instant {
      let (sum, overflows) = offset.attoseconds.addingReportingOverflow(duration.attoseconds)
      let limit: Int128 = duration < .zero ? .min : .max
      return Instant(offset: Duration(attoseconds: overflows ? limit : sum))
    }

    /// Returns the time from this moment to another, clamped to the range of `Duration`.
    public func duration(to other: Instant) -> Duration {
      let (difference, overflows) = other.offset.attoseconds
        .subtractingReportingOverflow(offset.attoseconds)
      let limit: Int128 = other < self ? .min : .max
      return Duration(attoseconds: overflows ? limit : difference)
    }

    /// Whether a moment is earlier than another.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private typealias Continuation = CheckedContinuation<Void, any Error>

  private struct State {
    var now = Instant(offset: .zero)
    var lastID = 0
    var sleepers: [Int: (deadline: Instant, continuation: Continuation)] = [:]
    /// The waits for at least `count` sleeping tasks.
    var observers: [Int: (count: Int, continuation: Continuation)] = [:]

    /// Removes and returns the observers whose number of sleepers has been reached.
    mutating func takeSatisfiedObservers() -> [Continuation] {
      let satisfied = observers.filter { $0.value.count <= sleepers.count }
      for id in satisfied.keys { observers[id] = nil }
      return satisfied.values.map(\.continuation)
    }
  }

  private let state = Locked(State())
  let hangReport: HangReport

  /// Creates a clock at an offset of zero.
  public convenience init() {
    self.init(hangReport: HangReport())
  }

  init(hangReport: HangReport) {
    self.hangReport = hangReport
  }

  /// The current time of the clock.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step of the clock: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock has been moved to `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await suspend { state, id, continuation in
      guard deadline > state.now else { return [continuation] }
      state.sleepers[id] = (deadline, continuation)
      return state.takeSatisfiedObservers()
    }
  }

  /// Waits until at least this many tasks sleep on the clock.
  ///
  /// Use it in a test before moving the clock: the tasks that it starts have then reached their
  /// `sleep`.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func waitForSleepers(_ count: Int) async throws {
    try await hangReport.during {
      try await suspend { state, id, continuation in
        guard state.sleepers.count < count else { return [continuation] }
        state.observers[id] = (count, continuation)
        return []
      }
    } description: { [self] in
      "waitForSleepers(\(count)) is waiting for more tasks to sleep. \(description)"
    }
  }

  /// Moves the clock forward and wakes the tasks that are due, in the order of their deadlines. A
  /// negative duration leaves the clock where it is. O(n log n) for n sleeping tasks.
  public func advance(by duration: Duration) {
    advance { $0.advanced(by: duration) }
  }

  /// Moves the clock to `instant` and wakes the tasks that are due, in the order of their deadlines. A
  /// moment in the past leaves the clock where it is. O(n log n) for n sleeping tasks.
  public func advance(to instant: Instant) {
    advance { _ in instant }
  }

  /// Moves the clock atomically, so several tasks can each move it by a duration.
  private func advance(to instant: (_ now: Instant) -> Instant) {
    let due = state.withLock { state in
      state.now = max(state.now, instant(state.now))
      let now = state.now
      if state.sleepers.isEmpty { return state.sleepers }
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for id in due.keys { state.sleepers[id] = nil }
      return due
    }
    if due.isEmpty { return }
    for sleeper in due.sorted(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) {
      sleeper.value.continuation.resume()
    }
  }

  /// Suspends the task until its continuation is resumed, or throws when it is canceled.
  ///
  /// - Parameter begin: stores the continuation under its identifier and returns the continuations to
  ///   resume now, its own among them if no wait is needed.
  private func suspend(
    _ begin: (inout State, Int, Continuation) -> [Continuation]
  ) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // A canceled task is marked before its handler runs: either the mark is seen here, or the
        // handler finds the continuation.
        let ready: [Continuation]? = state.withLock { state in
          Task.isCancelled ? nil : begin(&state, id, continuation)
        }
        guard let ready else { return continuation.resume(throwing: CancellationError()) }
        for continuation in ready { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.sleepers.removeValue(forKey: id)?.continuation
          ?? state.observers.removeValue(forKey: id)?.continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }
}

extension VirtualClock: CustomStringConvertible {
  /// The time and the deadlines of the sleeping tasks.
  public var description: String {
    let (now, deadlines) = state.withLock { ($0.now, $0.sleepers.values.map(\.deadline).sorted()) }
    let sleepers = deadlines.map { "\($0.offset)" }.joined(separator: ", ")
    return "The clock is at \(now.offset); deadlines of sleeping tasks: "
      + (sleepers.isEmpty ? "none" : sleepers)
  }
}
