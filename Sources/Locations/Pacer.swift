import Synchronization

/// Tells when the track time of a walk has come on its clock, through changes of speed and pauses.
///
/// Every wait is reckoned from one moment at which the speed last changed, so hours of waits do
/// not add up their errors.
final class Pacer<C: Clock>: Sendable where C.Duration == Duration {
  /// How fast track time passes, and whether it does.
  struct Pace: Sendable {
    var speed: ReplaySpeed
    var isPaused = false
  }

  /// A wait for a place to be reached.
  struct Wait: Sendable {
    let id: Int
    let place: WalkPlace
  }

  private struct State {
    var pace: Pace
    /// A moment and the seconds of track time that had passed then.
    var origin: (instant: C.Instant, elapsed: Double)
    var sleep: Task<Void, any Error>?
    /// What is waited for, while it is.
    var wait: Wait?
    var lastWait = 0
  }

  private enum Plan {
    case now
    case sleep(Task<Void, any Error>)
  }

  /// Seconds that a sleep lasts at most, far within what a clock can tell.
  private static var longestSleep: Double { 1e9 }

  private let clock: C
  private let state: Mutex<State>
  private let didWait: @Sendable () -> Void

  /// - Parameter didWait: called when a wait begins.
  init(clock: C, pace: Pace, didWait: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.didWait = didWait
    state = Mutex(State(pace: pace, origin: (clock.now, 0)))
  }

  /// The walk begins now, wherever on the track that is.
  func start(at place: WalkPlace) {
    state.withLock { $0.origin = (clock.now, place.elapsed) }
  }

  /// Changes the pace from now on.
  ///
  /// - Returns: what has to be cancelled so that the walk sees it.
  func setPace(_ pace: Pace) -> Task<Void, any Error>? {
    state.withLock { state in
      state.origin = (clock.now, Self.elapsed(of: state, at: clock.now))
      state.pace = pace
      return state.sleep.take()
    }
  }

  /// Returns when the walk has come to the place.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; what the clock throws.
  func wait(for place: WalkPlace, isolation: isolated (any Actor)?) async throws {
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

  private func plan(for place: WalkPlace) -> Plan {
    state.withLock { state in
      state.sleep = nil
      state.wait = nil
      // A walk that was late when its pace changed goes on from where it is.
      state.origin.elapsed = min(state.origin.elapsed, place.elapsed)
      let now = clock.now
      let deadline = Self.deadline(for: place, in: state)
      if let deadline, deadline <= now {
        if state.pace.speed == .max { state.origin = (now, place.elapsed) }
        return .now
      }
      // A paused walk is woken by the change of pace that ends the pause.
      let wakeUp = deadline ?? now.advanced(by: .seconds(Self.longestSleep))
      let sleep = Task { [clock] in try await clock.sleep(until: wakeUp, tolerance: nil) }
      state.sleep = sleep
      state.lastWait += 1
      state.wait = Wait(id: state.lastWait, place: place)
      return .sleep(sleep)
    }
  }

  /// What is waited for, and when it will be over unless the walk is paused; `nil` when nothing is
  /// waited for.
  var waiting: (wait: Wait, deadline: C.Instant?)? {
    state.withLock { state in
      state.wait.map { ($0, Self.deadline(for: $0.place, in: state)) }
    }
  }

  /// Takes the walk for running, if it is still at this wait: its clock is about to be moved to
  /// its deadline.
  func end(_ wait: Wait) {
    state.withLock { state in
      if state.wait?.id == wait.id { state.wait = nil }
    }
  }

  private static func deadline(for place: WalkPlace, in state: State) -> C.Instant? {
    if state.pace.isPaused { return nil }
    guard case .multiple(let multiple) = state.pace.speed else { return state.origin.instant }
    let seconds = max(0, place.elapsed - state.origin.elapsed) / multiple
    return state.origin.instant.advanced(by: .seconds(min(seconds, longestSleep)))
  }

  private static func elapsed(of state: State, at instant: C.Instant) -> Double {
    guard !state.pace.isPaused, case .multiple(let multiple) = state.pace.speed else {
      return state.origin.elapsed
    }
    return state.origin.elapsed + state.origin.instant.duration(to: instant).seconds * multiple
  }
}
