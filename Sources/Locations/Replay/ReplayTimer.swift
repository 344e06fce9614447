import FaketrackSupport

/// Waits on a clock until a replay has come to a place, whatever pauses and changes of speed happen on
/// the way.
///
/// Every wait counts from the moment at which the speed last changed, so rounding errors do not add
/// up over hours.
final class ReplayTimer: Sendable {
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
    /// A reading of the clock and the track time then, in seconds.
    var origin: (reading: Duration, elapsed: Double)
    /// The track time of the place that was waited for last: the replay is not beyond it.
    var limit: Double?
    var sleep: Task<Void, any Error>?
    /// The current wait, if any.
    var wait: Wait?
    var lastWait = 0
  }

  /// When the replay comes to a place.
  private enum Arrival {
    case now
    case at(Duration)
    case afterPause
  }

  /// The longest sleep in seconds, well within the range of every clock.
  private static let longestSleep = 1e9

  private let clock: AnyClock
  private let state: Locked<State>
  private let moveClock: @Sendable (Duration, TrackProgress) -> Bool
  private let didWait: @Sendable () -> Void

  /// - Parameters:
  ///   - moveClock: moves the clock to the reading at which a place is reached, in place of a wait
  ///     for it; returns `false` where the clock is not to be moved that far.
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

  /// Returns when the replay has come to a place.
  ///
  /// - Throws: `CancellationError` when the task is canceled; what the clock throws.
  func wait(for place: TrackProgress, isolation: isolated (any Actor)?) async throws {
    while true {
      let arrival = state.withLock { state in self.arrival(at: place, in: &state) }
      if case .now = arrival { return }
      if case .at(let reading) = arrival, moveClock(reading, place) {
        try Task.checkCancellation()
        continue
      }
      guard let sleep = beginSleep(until: place) else { return }
      didWait()
      let result = await sleep.join()
      try Task.checkCancellation()
      if case .failure(let error) = result, !(error is CancellationError) { throw error }
    }
  }

  /// The track time in seconds to which the replay has come; `nil` before it has started.
  var elapsed: Double? {
    state.withLock { state in
      state.limit.map { min($0, Self.elapsed(of: state, at: clock.now)) }
    }
  }

  /// How many of these events, in their order, need not be waited for once the replay has come to the
  /// place before them; it has then come to the last of them.
  func countReady(_ events: ArraySlice<ReplayEvent>) -> Int {
    guard let last = events.last else { return 0 }
    return state.withLock { state in
      if state.pace.isPaused { return 0 }
      guard state.pace.speed.multiple != nil else {
        state.origin.elapsed = last.progress.elapsed
        return events.count
      }
      let now = clock.now
      return events.prefix { Self.reading(of: $0.progress, in: state) <= now }.count
    }
  }

  private func arrival(at place: TrackProgress, in state: inout State) -> Arrival {
    state.sleep = nil
    state.wait = nil
    if let limit = state.limit { state.limit = max(limit, place.elapsed) }
    // A replay that was late when its pace changed goes on from where it is.
    state.origin.elapsed = min(state.origin.elapsed, place.elapsed)
    if state.pace.isPaused { return .afterPause }
    guard state.pace.speed.multiple != nil else {
      state.origin.elapsed = place.elapsed
      return .now
    }
    let reading = Self.reading(of: place, in: state)
    return reading <= clock.now ? .now : .at(reading)
  }

  /// Begins to sleep until the replay comes to a place; `nil` if it has come there.
  private func beginSleep(until place: TrackProgress) -> Task<Void, any Error>? {
    state.withLock { state in
      let end: Duration
      switch arrival(at: place, in: &state) {
      case .now: return nil
      case .at(let reading): end = reading
      // The change of the pace that ends the pause cancels the sleep.
      case .afterPause: end = clock.now + .seconds(Self.longestSleep)
      }
      let sleep = Task { [clock] in try await clock.sleep(until: end) }
      state.sleep = sleep
      state.lastWait += 1
      state.wait = Wait(id: state.lastWait, place: place)
      return sleep
    }
  }

  /// The current wait and when it will be over, `nil` as long as the replay is paused; `nil` while
  /// nothing is waited for.
  var waiting: (wait: Wait, deadline: Duration?)? {
    state.withLock { state in
      state.wait.map { wait in
        (wait, state.pace.isPaused ? nil : Self.reading(of: wait.place, in: state))
      }
    }
  }

  /// Counts the replay as running again if this wait is still the current one, because the clock is
  /// about to be moved to its deadline.
  func end(_ wait: Wait) {
    state.withLock { state in
      if state.wait?.id == wait.id { state.wait = nil }
    }
  }

  /// When a replay that is not paused comes to a place; at maximum speed, as soon as it starts.
  private static func reading(of place: TrackProgress, in state: State) -> Duration {
    guard let multiple = state.pace.speed.multiple else { return state.origin.reading }
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
