import FaketrackSupport

/// Waits on a clock until a replay has reached a place, with pauses and changes of speed.
///
/// Every wait counts from the moment at which the speed last changed, so rounding errors do not add
/// up over hours.
final class ReplayTimer: Sendable {
  struct Pace: Sendable {
    var speed: ReplaySpeed
    var isPaused = false
  }

  struct Wait: Sendable {
    let id: Int
    let place: TrackProgress
  }

  private struct State {
    var pace: Pace
    /// A reading of the clock and the track time then, in seconds.
    var origin: (reading: Duration, elapsed: Double)
    /// The track time of the place that was last asked for: the replay is not beyond it.
    var limit: Double?
    var sleep: Task<Void, any Error>?
    var wait: Wait?
    var lastWait = 0

    /// Ends the current wait, if any, because this place is asked for.
    mutating func advanceLimit(to place: TrackProgress) {
      (sleep, wait) = (nil, nil)
      if let limit { self.limit = max(limit, place.elapsed) }
    }
  }

  /// The longest sleep in seconds, well within the range of every clock.
  private static let longestSleep = 1e9

  private let clock: AnyClock
  private let state: Locked<State>
  private let moveClock: @Sendable (Duration, TrackProgress) -> Bool
  private let didWait: @Sendable () -> Void

  /// - Parameters:
  ///   - moveClock: moves the clock to the reading at which a place is reached, which replaces the
  ///     wait for it; returns `false` if the clock must not be moved that far.
  ///   - didWait: called whenever a wait begins.
  init(
    clock: AnyClock, pace: Pace,
    moveClock: @escaping @Sendable (Duration, TrackProgress) -> Bool,
    didWait: @escaping @Sendable () -> Void
  ) {
    self.clock = clock
    self.moveClock = moveClock
    self.didWait = didWait
    state = Locked(State(pace: pace, origin: (clock.now, 0)))
  }

  /// Starts the time: the replay is at `place` now.
  func start(at place: TrackProgress) {
    state.withLock { state in
      state.origin = (clock.now, place.elapsed)
      state.limit = place.elapsed
    }
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

  /// Whether the replay has reached a place, which then becomes its position.
  func hasReached(_ place: TrackProgress) -> Bool {
    state.withLock { state in
      guard let deadline = Self.deadline(at: place, in: &state),
        state.pace.speed.multiple == nil || deadline <= clock.now
      else { return false }
      state.advanceLimit(to: place)
      return true
    }
  }

  /// Returns when the replay has reached a place.
  ///
  /// - Throws: `CancellationError` when the task is canceled; any error of the clock.
  func wait(for place: TrackProgress, isolation: isolated (any Actor)?) async throws {
    repeat {
      let deadline = state.withLock { state in
        state.advanceLimit(to: place)
        return Self.deadline(at: place, in: &state)
      }
      if let deadline, moveClock(deadline, place) { return try Task.checkCancellation() }
      guard let sleep = beginSleep(until: place) else { return }
      didWait()
      let result = await sleep.join()
      try Task.checkCancellation()
      if case .failure(let error) = result, !(error is CancellationError) { throw error }
    } while !hasReached(place)
  }

  /// The track time in seconds that has been reached; `nil` before the replay has started.
  var elapsed: Double? {
    state.withLock { state in
      state.limit.map { min($0, Self.elapsed(of: state, at: clock.now)) }
    }
  }

  /// Begins to sleep until the replay reaches a place; `nil` if it has.
  private func beginSleep(until place: TrackProgress) -> Task<Void, any Error>? {
    state.withLock { state in
      let deadline = Self.deadline(at: place, in: &state)
      if let deadline, deadline <= clock.now { return nil }
      // The change of the pace that ends a pause cancels the sleep.
      let end = deadline ?? clock.now + .seconds(Self.longestSleep)
      let sleep = Task { [clock] in try await clock.sleep(until: end) }
      state.sleep = sleep
      state.lastWait += 1
      state.wait = Wait(id: state.lastWait, place: place)
      return sleep
    }
  }

  /// The current wait, if any, and its deadline, which is `nil` while the replay is paused.
  var waiting: (wait: Wait, deadline: Duration?)? {
    state.withLock { state in
      guard let wait = state.wait else { return nil }
      return (wait, Self.deadline(at: wait.place, in: &state))
    }
  }

  /// Counts the replay as running again if this wait is still the current one, because the clock is
  /// about to be moved to its deadline.
  func end(_ wait: Wait) {
    state.withLock { state in
      if state.wait?.id == wait.id { state.wait = nil }
    }
  }

  /// The reading of the clock at which the replay reaches a place; `nil` while it is paused.
  private static func deadline(at place: TrackProgress, in state: inout State) -> Duration? {
    // A replay that was late when its pace changed continues from its position.
    state.origin.elapsed = min(state.origin.elapsed, place.elapsed)
    if state.pace.isPaused { return nil }
    guard let multiple = state.pace.speed.multiple else {
      state.origin.elapsed = place.elapsed
      return state.origin.reading
    }
    let seconds = max(0, place.elapsed - state.origin.elapsed) / multiple
    return state.origin.reading + .seconds(min(seconds, longestSleep))
  }

  private static func elapsed(of state: State, at reading: Duration) -> Double {
    guard !state.pace.isPaused, let multiple = state.pace.speed.multiple else {
      return state.origin.elapsed
    }
    return state.origin.elapsed + (reading - state.origin.reading).seconds * multiple
  }
}
