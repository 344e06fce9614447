import Synchronization

/// The walks of a provider that are under way, their common pace, and when all of them wait.
final class WalkRegistry<C: Clock>: Sendable where C.Duration == Duration {
  private struct State {
    var pace: Pacer<C>.Pace
    var pacers: [Pacer<C>] = []
    /// How many walks have started so far.
    var started = 0
    var timeFaults = TimeFaults()
    /// How often something has changed, so that who looks and then waits misses nothing.
    var changes = 0
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private enum Step {
    case wait(after: Int)
    case done
    case move(to: C.Instant)
  }

  private let state: Mutex<State>

  init(speed: ReplaySpeed) {
    state = Mutex(State(pace: Pacer<C>.Pace(speed: speed)))
  }

  /// What was wrong with the times of the track that was last walked to its end.
  var timeFaults: TimeFaults {
    get { state.withLock { $0.timeFaults } }
    set { state.withLock { $0.timeFaults = newValue } }
  }

  /// Registers a walk that starts now.
  func add(on clock: C) -> Pacer<C> {
    let pacer = state.withLock { state in
      let pacer = Pacer(clock: clock, pace: state.pace) { [weak self] in self?.notify() }
      state.pacers.append(pacer)
      state.started += 1
      return pacer
    }
    notify()
    return pacer
  }

  /// Strikes off a walk that has ended.
  func remove(_ pacer: Pacer<C>) {
    state.withLock { $0.pacers.removeAll { $0 === pacer } }
    notify()
  }

  /// Changes the pace of the walks under way and of those to come.
  func update(_ change: (inout Pacer<C>.Pace) -> Void) {
    let sleeps = state.withLock { state in
      change(&state.pace)
      return state.pacers.compactMap { [pace = state.pace] in $0.setPace(pace) }
    }
    for sleep in sleeps { sleep.cancel() }
  }

  /// Returns once so many walks have started since the registry was made.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func waitForStarts(_ count: Int) async throws {
    while true {
      try Task.checkCancellation()
      let (started, changes) = state.withLock { ($0.started, $0.changes) }
      if started >= count { return }
      await change(after: changes)
    }
  }

  /// The next moment up to `position` at which a walk goes on, once all of them wait; `nil` when
  /// there is none. The walks of that moment count as running from then on.
  func nextDeadline(upTo position: ReplayPosition) async throws -> C.Instant? {
    while true {
      try Task.checkCancellation()
      switch step(upTo: position) {
      case .done: return nil
      case .move(let instant): return instant
      case .wait(let changes): await change(after: changes)
      }
    }
  }

  private func step(upTo position: ReplayPosition) -> Step {
    let (pacers, started, changes) = state.withLock { ($0.pacers, $0.started, $0.changes) }
    guard started > 0 else { return .wait(after: changes) }
    var due: [(pacer: Pacer<C>, wait: Pacer<C>.Wait, deadline: C.Instant)] = []
    for pacer in pacers {
      guard let (wait, deadline) = pacer.waiting else { return .wait(after: changes) }
      if let deadline, position.includes(wait.place) { due.append((pacer, wait, deadline)) }
    }
    guard let earliest = due.map(\.deadline).min() else { return .done }
    for walk in due where walk.deadline <= earliest { walk.pacer.end(walk.wait) }
    return .move(to: earliest)
  }

  /// Returns when a walk has started, begun to wait or ended since there were so many changes, or
  /// on cancellation.
  private func change(after changes: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.changes == changes { state.watchers.append(continuation) }
          return state.changes != changes
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      notify()
    }
  }

  private func notify() {
    let watchers = state.withLock { state in
      state.changes += 1
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.resume() }
  }
}
