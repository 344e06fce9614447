import FaketrackSupport

/// The iterations of a provider that are under way: their common pace, and when all of them wait.
final class ReplayIterations: Sendable {
  private struct State {
    var pace: ReplayTimer.Pace
    var timers: [ReplayTimer] = []
    /// How many iterations have started so far.
    var started = 0
    var unusableTimes = UnusableTimes()
    /// Counts the changes, so that none is missed between looking and waiting.
    var changes = 0
    var observers: [CheckedContinuation<Void, Never>] = []
    /// The calls of ``advance(to:moving:)`` under way.
    var advances: [Advance] = []
    var lastAdvance = 0
  }

  private struct Advance {
    let id: Int
    var position: ReplayPosition
    var move: @Sendable (Duration) -> Void
  }

  private enum Step {
    case wait(after: Int)
    case done
    case move(to: Duration)
  }

  private let state: Locked<State>

  init(speed: ReplaySpeed) {
    state = Locked(State(pace: ReplayTimer.Pace(speed: speed)))
  }

  /// The unusable times of the lap that was completed last.
  var unusableTimes: UnusableTimes {
    get { state.withLock { $0.unusableTimes } }
    set { state.withLock { $0.unusableTimes = newValue } }
  }

  /// The track time in seconds to which the newest iteration has come; `nil` before it has started.
  var elapsed: Double? { state.withLock { $0.timers.last }?.elapsed }

  /// Adds an iteration that starts now.
  func add(on clock: AnyClock) -> ReplayTimer {
    let timer = state.withLock { state in
      let timer = ReplayTimer(
        clock: clock, pace: state.pace,
        moveClock: { [weak self] in self?.moveClock(to: $0, for: $1) ?? false },
        didWait: { [weak self] in self?.notify() })
      state.timers.append(timer)
      state.started += 1
      return timer
    }
    notify()
    return timer
  }

  /// Removes an iteration that has ended.
  func remove(_ timer: ReplayTimer) {
    state.withLock { $0.timers.removeAll { $0 === timer } }
    notify()
  }

  /// Changes the pace of the iterations under way and of those to come.
  func update(_ change: (inout ReplayTimer.Pace) -> Void) {
    let sleeps = state.withLock { state in
      change(&state.pace)
      return state.timers.compactMap { [pace = state.pace] in $0.setPace(pace) }
    }
    for sleep in sleeps { sleep.cancel() }
  }

  /// Returns once this many iterations have started.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  func waitForStarts(_ count: Int) async throws {
    while true {
      try Task.checkCancellation()
      let (started, changes) = state.withLock { ($0.started, $0.changes) }
      if started >= count { return }
      await change(after: changes)
    }
  }

  /// Moves the clock until every iteration waits for a place beyond `position` or has ended.
  ///
  /// A single iteration moves the clock by itself as it goes, without a wait between two places;
  /// several go on together, in the order of their deadlines.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  func advance(
    to position: ReplayPosition, moving move: @escaping @Sendable (Duration) -> Void
  ) async throws {
    let id = state.withLock { state in
      state.lastAdvance += 1
      state.advances.append(Advance(id: state.lastAdvance, position: position, move: move))
      return state.lastAdvance
    }
    defer { state.withLock { state in state.advances.removeAll { $0.id == id } } }
    while let deadline = try await nextDeadline(upTo: position) { move(deadline) }
  }

  /// Moves the clock for the only iteration, if it may go on as far as to this place.
  private func moveClock(to reading: Duration, for place: TrackProgress) -> Bool {
    let advance = state.withLock { state in
      state.timers.count == 1
        ? state.advances.first { $0.position.includes(place) } : nil
    }
    guard let advance else { return false }
    advance.move(reading)
    return true
  }

  /// Waits until every iteration waits, then returns the next moment at which one of them goes on
  /// without passing `position`; `nil` if there is none. The iterations that go on at that moment
  /// count as running from then on.
  private func nextDeadline(upTo position: ReplayPosition) async throws -> Duration? {
    while true {
      try Task.checkCancellation()
      switch step(upTo: position) {
      case .done: return nil
      case .move(let reading): return reading
      case .wait(let changes): await change(after: changes)
      }
    }
  }

  private func step(upTo position: ReplayPosition) -> Step {
    let (timers, started, changes) = state.withLock { ($0.timers, $0.started, $0.changes) }
    guard started > 0 else { return .wait(after: changes) }
    var due: [(timer: ReplayTimer, wait: ReplayTimer.Wait, deadline: Duration)] = []
    for timer in timers {
      guard let (wait, deadline) = timer.waiting else { return .wait(after: changes) }
      if let deadline, position.includes(wait.place) { due.append((timer, wait, deadline)) }
    }
    guard let earliest = due.map(\.deadline).min() else { return .done }
    for iteration in due where iteration.deadline <= earliest {
      iteration.timer.end(iteration.wait)
    }
    return .move(to: earliest)
  }

  /// Returns when an iteration has started, begun to wait or ended since `changes` was read, or when
  /// the task is canceled.
  private func change(after changes: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasChanged = state.withLock { state in
          if state.changes == changes { state.observers.append(continuation) }
          return state.changes != changes
        }
        if hasChanged { continuation.resume() }
      }
    } onCancel: {
      notify()
    }
  }

  private func notify() {
    let observers = state.withLock { state in
      state.changes += 1
      defer { state.observers = [] }
      return state.observers
    }
    for observer in observers { observer.resume() }
  }
}
