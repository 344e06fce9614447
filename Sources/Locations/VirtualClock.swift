import FaketrackSupport
import Foundation

/// A clock that a test moves, so hours pass in milliseconds and every run is the same.
///
/// Moving the clock wakes every task whose deadline it reaches, in the order of their deadlines;
/// all of them see the clock at its new time. ``ReplayLocationProvider/advance(to:isolation:)`` moves
/// it from deadline to deadline instead. A wait of more than ten seconds of real time is reported on
/// standard error, with its reason.
public final class VirtualClock: Clock, CustomStringConvertible {
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
    /// The earliest deadline of the sleepers, when it has been asked for since one was removed.
    var earliest: Instant?
    /// The sleepers that were woken or canceled, until they run on their actor again.
    var waking: Set<Int> = []
    var observers: [Int: (count: Int, continuation: Continuation)] = [:]

    @discardableResult
    mutating func removeSleeper(_ id: Int) -> (deadline: Instant, continuation: Continuation)? {
      guard let sleeper = sleepers.removeValue(forKey: id) else { return nil }
      earliest = nil
      waking.insert(id)
      return sleeper
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
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(until: deadline, isolation: nil)
  }

  /// Waits until the clock has been moved to `deadline`, on the actor of the caller: once other work
  /// runs on that actor, the clock knows of the sleep.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func sleep(
    until deadline: Instant, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await suspend(isolation) { state, id, continuation in
      guard deadline > state.now else { return [continuation] }
      state.sleepers[id] = (deadline, continuation)
      if let earliest = state.earliest { state.earliest = min(earliest, deadline) }
      let satisfied = state.observers.filter { $0.value.count <= state.sleepers.count }
      for id in satisfied.keys { state.observers[id] = nil }
      return satisfied.values.map(\.continuation)
    }
  }

  /// Waits until at least this many tasks sleep on the clock, for use before moving it.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func waitForSleepers(atLeast count: Int) async throws {
    try await hangReport.during {
      try await suspend(nil) { state, id, continuation in
        guard state.sleepers.count < count else { return [continuation] }
        state.observers[id] = (count, continuation)
        return []
      }
    } description: { [self] in
      "waitForSleepers(atLeast: \(count)) is waiting for more tasks to sleep. \(description)"
    }
  }

  /// Moves the clock forward and wakes the tasks that are due; a negative duration has no effect.
  /// O(n log n) for n sleeping tasks.
  public func advance(by duration: Duration) {
    advance { $0.advanced(by: duration) }
  }

  /// Moves the clock to `instant` and wakes the tasks that are due; a moment in the past has no
  /// effect. O(n log n) for n sleeping tasks.
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
      for id in due.keys { state.removeSleeper(id) }
      return due
    }
    if due.isEmpty { return }
    for sleeper in due.sorted(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) {
      sleeper.value.continuation.resume()
    }
  }

  /// The earliest deadline of the sleeping tasks. O(n) for n of them after one was woken or canceled,
  /// otherwise O(1).
  var earliestDeadline: Instant? {
    state.withLock { state in
      state.earliest = state.earliest ?? state.sleepers.values.lazy.map(\.deadline).min()
      return state.earliest
    }
  }

  /// Whether a sleeper that was woken or canceled does not run yet.
  var isWaking: Bool { state.withLock { !$0.waking.isEmpty } }

  /// - Parameter begin: stores the continuation under its identifier and returns the
  ///   continuations to resume now, its own among them if no wait is needed.
  private func suspend(
    _ isolation: isolated (any Actor)?,
    _ begin: (inout State, Int, Continuation) -> [Continuation]
  ) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    defer { state.withLock { _ = $0.waking.remove(id) } }
    try await withTaskCancellationHandler {
      // A closure runs on an actor that it names.
      _ = isolation
      try await withCheckedThrowingContinuation { continuation in
        // A canceled task is marked before its handler runs.
        let ready: [Continuation]? = state.withLock { state in
          Task.isCancelled ? nil : begin(&state, id, continuation)
        }
        guard let ready else { return continuation.resume(throwing: CancellationError()) }
        for continuation in ready { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.removeSleeper(id)?.continuation
          ?? state.observers.removeValue(forKey: id)?.continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// The time and the deadlines of the sleeping tasks.
  public var description: String {
    let (now, deadlines) = state.withLock { ($0.now, $0.sleepers.values.map(\.deadline).sorted()) }
    let sleepers = deadlines.map { "\($0.offset)" }.joined(separator: ", ")
    return "The clock is at \(now.offset); deadlines of sleeping tasks: "
      + (sleepers.isEmpty ? "none" : sleepers)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Waits for a duration, on the actor of the caller.
  ///
  /// It takes the place of the method of the standard library, which leaves the actor first: a test
  /// could move its ``VirtualClock`` before the clock knows of the sleep.
  ///
  /// - Throws: `CancellationError` when the task is canceled; any error of the clock.
  public func sleep(
    for duration: Duration, tolerance: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    if let clock = self as? VirtualClock {
      try await clock.sleep(until: clock.now.advanced(by: duration), isolation: isolation)
    } else {
      try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
    }
  }
}

/// Reports a wait on a virtual clock that takes long in real time, so that a test that hangs shows
/// its cause. It is not an error, because a task that ends the wait may still start.
struct HangReport: Sendable {
  static let delay = Duration.seconds(10)

  var realTime = AnyClock(ContinuousClock())
  var print: @Sendable (String) -> Void = { message in
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
  }

  func during<Result>(
    isolation: isolated (any Actor)? = #isolation, _ wait: () async throws -> Result,
    description: @escaping @Sendable () -> String
  ) async rethrows -> Result {
    let report = Task {
      try await realTime.sleep(for: Self.delay)
      print(description())
    }
    defer { report.cancel() }
    return try await wait()
  }
}
