import Synchronization

/// Waits on a clock until a replay has come to a place, whatever pauses and changes of speed happen on
/// the way.
///
/// Every wait counts from the moment at which the speed last changed, so rounding errors do not add
/// up over hours.
final class ReplayTimer<C: Clock>: Sendable where C.Duration == Duration {
  /// How fast track time passes, and whether it does.
  struct Pace: Sendable {
    var speed: ReplaySpeed
    var isPaused = false
  }

  /// A wait until a place is reached.
  struct Wait: Sendable {
    let id: Int
    let place: TrackProgress
  }

  private struct State {
    var pace: Pace
    /// A moment on the clock and the track time then, in seconds.
    var origin: (instant: C.Instant, elapsed: Double)
    var sleep: Task<Void, any Error>?
    /// The current wait, if any.
    var wait: Wait?
    var lastWait = 0
  }

  private enum Plan {
    case now
    case sleep(Task<Void, any Error>)
  }

  /// The longest sleep in seconds, well within the range of every clock.
  private static var longestSleep: Double { 1e9 }

  private let clock: C
  private let state: Mutex<State>
  private let didWait: @Sendable () -> Void

  /// - Parameter didWait: called whenever a wait begins.
  init(clock: C, pace: Pace, didWait: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.didWait = didWait
    state = Mutex(State(pace: pace, origin: (clock.now, 0)))
  }

  /// Starts the time: the replay is at `place` now.
  func start(at place: TrackProgress) {
    state.withLock { $0.origin = (clock.now, place.elapsed) }
  }

  /// Changes the pace from now on.
  ///
  /// - Returns: a sleep that has to be canceled, so that the waiting replay sees the change.
  func setPace(_ pace: Pace) -> Task<Void, any Error>? {
    state.withLock { state in
      state.origin = (clock.now, Self.elapsed(of: state, at: clock.now))
      state.pace = pace
      return state.sleep.take()
    }
  }

  /// Returns when the replay has come to a place.
  ///
  /// - Throws: `CancellationError` when the task is canceled; what the clock throws.
  func wait(for place: TrackProgress, isolation: isolated (any Actor)?) async throws {
    while case .sleep(let sleep) = plan(for: place) {
      didWait()
      let result = await withTaskCancellationHandler {
        await sleep.result
      } onCancel: {
        sleep.cancel()
      }
      try Task.checkCancellation()
      if case .failure(let error) = result, !(error is CancellationError) { throw error }
    }
  }

  private func plan(for place: TrackProgress) -> Plan {
    state.withLock { state in
      state.sleep = nil
      state.wait = nil
      // A replay that was late when its pace changed goes on from where it is.
      state.origin.elapsed = min(state.origin.elapsed, place.elapsed)
      let now = clock.now
      let deadline = Self.deadline(for: place, in: state)
      if let deadline, deadline <= now {
        if state.pace.speed == .max { state.origin = (now, place.elapsed) }
        return .now
      }
      // A paused replay sleeps until the pace changes and the sleep is canceled.
      let wakeUp = deadline ?? now.advanced(by: .seconds(Self.longestSleep))
      let sleep = Task { [clock] in try await clock.sleep(until: wakeUp, tolerance: nil) }
      state.sleep = sleep
      state.lastWait += 1
      state.wait = Wait(id: state.lastWait, place: place)
      return .sleep(sleep)
    }
  }

  /// The current wait and when it will be over, `nil` as long as the replay is paused; `nil` while
  /// nothing is waited for.
  var waiting: (wait: Wait, deadline: C.Instant?)? {
    state.withLock { state in
      state.wait.map { ($0, Self.deadline(for: $0.place, in: state)) }
    }
  }

  /// Counts the replay as running again if this wait is still the current one, because the clock is
  /// about to be moved to its deadline.
  func end(_ wait: Wait) {
    state.withLock { state in
      if state.wait?.id == wait.id { state.wait = nil }
    }
  }

  private static func deadline(for place: TrackProgress, in state: State) -> C.Instant? {
    if state.pace.isPaused { return nil }
    guard let multiple = state.pace.speed.multiple else { return state.origin.instant }
    let seconds = max(0, place.elapsed - state.origin.elapsed) / multiple
    return state.origin.instant.advanced(by: .seconds(min(seconds, longestSleep)))
  }

  private static func elapsed(of state: State, at instant: C.Instant) -> Double {
    guard !state.pace.isPaused, let multiple = state.pace.speed.multiple else {
      return state.origin.elapsed
    }
    return state.origin.elapsed + state.origin.instant.duration(to: instant).seconds * multiple
  }
}
