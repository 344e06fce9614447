import FaketrackSupport
import Foundation

/// A clock that a test moves, so hours pass in milliseconds and every run is the same.
///
/// Moving the clock wakes every task whose deadline it reaches, in the order of their deadlines;
/// all of them see the clock at its new time. A wait of more than ten seconds of real time is
/// reported on standard error, with its reason.
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
    var observers: [Int: (count: Int, continuation: Continuation)] = [:]
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
      let satisfied = state.observers.filter { $0.value.count <= state.sleepers.count }
      for id in satisfied.keys { state.observers[id] = nil }
      return satisfied.values.map(\.continuation)
    }
  }

  /// Waits until at least this many tasks sleep on the clock, for use before moving it.
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
      for id in due.keys { state.sleepers[id] = nil }
      return due
    }
    if due.isEmpty { return }
    for sleeper in due.sorted(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) {
      sleeper.value.continuation.resume()
    }
  }

  /// - Parameter begin: stores the continuation under its identifier and returns the
  ///   continuations to resume now, its own among them if no wait is needed.
  private func suspend(
    _ begin: (inout State, Int, Continuation) -> [Continuation]
  ) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
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
        state.sleepers.removeValue(forKey: id)?.continuation
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

/// Reports a wait on a virtual clock that takes long in real time, so that a test that hangs shows
/// its cause. It is not an error, because a task that ends the wait may still start.
struct HangReport: Sendable {
  static let delay = Duration.seconds(10)

  var realTime = AnyClock(ContinuousClock())
  var print: @Sendable (String) -> Void = { message in
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
  }

  func during(
    _ wait: () async throws -> Void, description: @escaping @Sendable () -> String
  ) async rethrows {
    let report = Task {
      try await realTime.sleep(for: Self.delay)
      print(description())
    }
    defer { report.cancel() }
    try await wait()
  }
}
