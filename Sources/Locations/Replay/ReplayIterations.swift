import FaketrackSupport
import Geodesy

/// The time of one iteration: waits until it has reached a place, with pauses and changes of speed.
///
/// Waits count from the moment at which the pace last changed, so rounding errors do not add up
/// over hours. The variables are used only under the lock of all iterations.
final class ReplayTimer: @unchecked Sendable {
  private enum Arrival {
    case now
    case moving(ReplayIterations.Advance, to: Duration)
    case sleeping(Task<Void, any Error>)
  }

  /// The longest sleep in seconds, well within the range of every clock.
  private static let longestSleep = 1e9

  private let iterations: ReplayIterations
  /// A reading of the clock and the track time then, in seconds.
  private var origin: (reading: Duration, elapsed: Double)
  /// The track time of the place that was last asked for; `nil` before the replay has started.
  private var limit: Double?
  fileprivate var current: (place: TrackProgress, sleep: Task<Void, any Error>)?

  fileprivate init(_ iterations: ReplayIterations) {
    self.iterations = iterations
    origin = (iterations.clock.now, 0)
  }

  /// Starts the time: the iteration is at `place` now.
  func start(at place: TrackProgress) {
    iterations.state.withLock { _ in
      origin = (iterations.clock.now, place.elapsed)
      limit = place.elapsed
    }
  }

  /// Whether the iteration has reached a place, which then becomes its position.
  func hasReached(_ place: TrackProgress) -> Bool {
    iterations.state.withLock { state in
      guard let deadline = deadline(at: place, state.pace),
        state.pace.speed.multiple == nil || deadline <= iterations.clock.now
      else { return false }
      ask(for: place)
      return true
    }
  }

  /// - Throws: `CancellationError` when the task is canceled; any error of the clock.
  func wait(for place: TrackProgress, isolation: isolated (any Actor)?) async throws {
    repeat {
      switch arrival(at: place) {
      case .now: return
      case .moving(let advance, let deadline):
        advance.move(deadline)
        return try Task.checkCancellation()
      case .sleeping(let sleep):
        iterations.notify { _ in }
        let result = await sleep.join()
        try Task.checkCancellation()
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
    } while !hasReached(place)
  }

  private func arrival(at place: TrackProgress) -> Arrival {
    iterations.state.withLock { state in
      ask(for: place)
      let (clock, deadline) = (iterations.clock, deadline(at: place, state.pace))
      if let deadline {
        // The only iteration moves the clock as it goes, without a wait.
        if state.timers.count == 1,
          let advance = state.advances.first(where: { $0.position.includes(place) })
        {
          return .moving(advance, to: deadline)
        }
        if deadline <= clock.now { return .now }
      }
      // The change of the pace that ends a pause cancels the sleep.
      let end = deadline ?? clock.now + .seconds(Self.longestSleep)
      let sleep = Task { try await clock.sleep(until: end) }
      current = (place, sleep)
      return .sleeping(sleep)
    }
  }

  /// Ends the wait, if any, because this place is asked for.
  private func ask(for place: TrackProgress) {
    current = nil
    if let limit { self.limit = max(limit, place.elapsed) }
  }

  /// The reading of the clock at which the iteration reaches a place; `nil` while it is paused.
  fileprivate func deadline(
    at place: TrackProgress, _ pace: ReplayIterations.Pace
  ) -> Duration? {
    // A replay that was late when its pace changed continues from its position.
    origin.elapsed = min(origin.elapsed, place.elapsed)
    if pace.isPaused { return nil }
    guard let multiple = pace.speed.multiple else {
      origin.elapsed = place.elapsed
      return origin.reading
    }
    let seconds = max(0, place.elapsed - origin.elapsed) / multiple
    return origin.reading + .seconds(min(seconds, Self.longestSleep))
  }

  /// Sets the origin to now, before the pace changes.
  fileprivate func keepTime(_ pace: ReplayIterations.Pace) {
    let now = iterations.clock.now
    origin = (now, elapsed(at: now, pace))
  }

  fileprivate func elapsed(_ pace: ReplayIterations.Pace) -> Double? {
    limit.map { min($0, elapsed(at: iterations.clock.now, pace)) }
  }

  private func elapsed(at reading: Duration, _ pace: ReplayIterations.Pace) -> Double {
    guard !pace.isPaused, let multiple = pace.speed.multiple else { return origin.elapsed }
    return origin.elapsed + (reading - origin.reading).seconds * multiple
  }
}

/// The running iterations of a provider: their common pace, and the moment when all of them wait.
final class ReplayIterations: Sendable {
  struct Pace {
    var speed: ReplaySpeed
    var isPaused = false
  }

  fileprivate struct Advance {
    let id: Int
    let position: ReplayPosition
    let move: @Sendable (Duration) -> Void
  }

  fileprivate struct State {
    var pace: Pace
    var timers: [ReplayTimer] = []
    var started = 0
    var unusableTimes = UnusableTimes()
    var emptyPartStart: TrackProgress?
    var observers: [AsyncStream<Void>.Continuation] = []
    /// The running calls of ``advance(to:moving:)``.
    var advances: [Advance] = []
    var lastAdvance = 0

    /// Ends the waits that end first of those up to a position, and returns their deadline.
    func endFirstWaits(upTo position: ReplayPosition) -> Duration? {
      let deadlines = timers.map { timer -> Duration? in
        guard let place = timer.current?.place, position.includes(place) else { return nil }
        return timer.deadline(at: place, pace)
      }
      guard let earliest = deadlines.compactMap(\.self).min() else { return nil }
      for (timer, deadline) in zip(timers, deadlines) where deadline == earliest {
        timer.current = nil
      }
      return earliest
    }
  }

  fileprivate let clock: AnyClock
  fileprivate let state: Locked<State>

  init(speed: ReplaySpeed, clock: AnyClock) {
    self.clock = clock
    state = Locked(State(pace: Pace(speed: speed)))
  }

  /// The unusable times of the lap that was completed last.
  var unusableTimes: UnusableTimes {
    get { state.withLock { $0.unusableTimes } }
    set { state.withLock { $0.unusableTimes = newValue } }
  }

  /// The place at which the part to replay starts, if there was no fix of it.
  var emptyPartStart: TrackProgress? {
    get { state.withLock { $0.emptyPartStart } }
    set { state.withLock { $0.emptyPartStart = newValue } }
  }

  /// The track time in seconds that the newest iteration has reached; `nil` before it has started.
  var elapsed: Double? { state.withLock { $0.timers.last?.elapsed($0.pace) } }

  func add(isLive: Bool = false) -> ReplayTimer {
    let timer = ReplayTimer(self)
    notify { state in
      state.started += 1
      // The last one tells how far the replay is.
      state.timers.insert(timer, at: isLive ? 0 : state.timers.count)
    }
    return timer
  }

  func remove(_ timer: ReplayTimer) {
    notify { state in state.timers.removeAll { $0 === timer } }
  }

  func update(_ change: (inout Pace) -> Void) {
    let sleeps = state.withLock { state in
      for timer in state.timers { timer.keepTime(state.pace) }
      change(&state.pace)
      return state.timers.compactMap { $0.current?.sleep }
    }
    for sleep in sleeps { sleep.cancel() }
  }

  func waitForStarts(_ count: Int) async throws {
    try await wait { $0.started >= count }
  }

  /// Moves the clock until every iteration waits for a place beyond `position` or has ended.
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
      var deadline: Duration?
      try await wait { state in
        guard state.started > 0, state.timers.allSatisfy({ $0.current != nil }) else {
          return false
        }
        deadline = state.endFirstWaits(upTo: position)
        return true
      }
      guard let deadline else { return }
      move(deadline)
    }
  }

  var waitDescription: String {
    state.withLock { state in
      if state.started == 0 { return "for updates() to be iterated" }
      let running = state.timers.filter { $0.current == nil }.map { timer in
        "\(Duration.seconds(clamping: timer.elapsed(state.pace) ?? 0))"
      }
      return "for code that processes an update after "
        + running.joined(separator: ", ") + " of track time"
    }
  }

  /// Returns when a condition holds, which is checked at once and at each ``notify(_:)``.
  private func wait(until condition: (State) -> Bool) async throws {
    try Task.checkCancellation()
    let (changes, observer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.observers.append(observer) }
    observer.yield()
    for await _ in changes where state.withLock({ condition($0) }) { return }
    throw CancellationError()
  }

  fileprivate func notify(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.observers.removeAll { if case .terminated = $0.yield() { true } else { false } }
    }
  }
}
