import FaketrackSupport

/// The running iterations of a provider: their common pace, and the moment when all of them wait.
final class ReplayIterations: Sendable {
  private struct State {
    var pace: ReplayTimer.Pace
    var timers: [ReplayTimer] = []
    /// The number of iterations that have started so far.
    var started = 0
    var unusableTimes = UnusableTimes()
    /// The number of changes, which shows a change between looking and waiting.
    var changes = 0
    var observers: [CheckedContinuation<Void, Never>] = []
    /// The running calls of ``advance(to:moving:)``.
    var advances: [Advance] = []
    var lastAdvance = 0
  }

  private struct Advance {
    let id: Int
    var position: ReplayPosition
    var move: @Sendable (Duration) -> Void
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

  /// The track time in seconds that the newest iteration has reached; `nil` before it has started.
  var elapsed: Double? { state.withLock { $0.timers.last }?.elapsed }

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

  func remove(_ timer: ReplayTimer) {
    state.withLock { $0.timers.removeAll { $0 === timer } }
    notify()
  }

  /// Changes the pace of the running iterations and of later ones.
  func update(_ change: (inout ReplayTimer.Pace) -> Void) {
    let sleeps = state.withLock { state in
      change(&state.pace)
      return state.timers.compactMap { [pace = state.pace] in $0.setPace(pace) }
    }
    for sleep in sleeps { sleep.cancel() }
  }

  /// Returns when this many iterations have started.
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
  /// A single iteration moves the clock as it goes, without a wait between two places; several
  /// iterations continue in the order of their deadlines.
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
    while true {
      try Task.checkCancellation()
      let (timers, started, changes) = state.withLock { ($0.timers, $0.started, $0.changes) }
      let waits = timers.compactMap { timer in timer.waiting.map { (timer: timer, wait: $0) } }
      guard started > 0, waits.count == timers.count else {
        await change(after: changes)
        continue
      }
      let due = waits.compactMap { timer, waiting in
        position.includes(waiting.wait.place)
          ? waiting.deadline.map { (timer: timer, wait: waiting.wait, deadline: $0) } : nil
      }
      guard let earliest = due.map(\.deadline).min() else { return }
      // The iterations that continue at that moment count as running from now on.
      for iteration in due where iteration.deadline <= earliest {
        iteration.timer.end(iteration.wait)
      }
      move(earliest)
    }
  }

  /// A description of the code that ``advance(to:moving:)`` waits for.
  var waitDescription: String {
    let (timers, started) = state.withLock { ($0.timers, $0.started) }
    if started == 0 { return "for updates() to be iterated" }
    let running = timers.filter { $0.waiting == nil }
      .map { "\(Duration.seconds(clamping: $0.elapsed ?? 0))" }
    return "for code that processes an update after "
      + running.joined(separator: ", ") + " of track time"
  }

  /// Moves the clock for the only iteration, if an ``advance(to:moving:)`` includes this place.
  private func moveClock(to reading: Duration, for place: TrackProgress) -> Bool {
    let advance = state.withLock { state in
      state.timers.count == 1
        ? state.advances.first { $0.position.includes(place) } : nil
    }
    guard let advance else { return false }
    advance.move(reading)
    return true
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
