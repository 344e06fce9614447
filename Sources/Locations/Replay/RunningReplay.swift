import FaketrackSupport
import Foundation
import Geodesy

/// One iteration of a replay: delivers each update when it is due.
final class ReplayListener {
  private let replay: RunningReplay
  private let owner: ReplayOwner
  private let lane: Int
  private let id: Int
  private var batch = ReplayLane.Batch(number: 0, events: [])
  /// The index of the last update in the batch, or the last update itself.
  private var last: (index: Int?, event: ReplayEvent?)

  /// - Parameter isCounted: whether ``RunningReplay/waitForListeners(_:)`` counts it.
  init(_ owner: ReplayOwner, lane: Int, isCounted: Bool = true) {
    (self.owner, self.lane) = (owner, lane)
    replay = owner.replay
    id = replay.addListener(to: lane, isCounted: isCounted)
  }

  deinit {
    replay.removeListener(id, from: lane)
  }

  /// The time and the distance of the last update, if it has no fix.
  var moment: (time: Date?, distance: Double)? {
    guard let event = last.index.map({ batch.events[$0] }) ?? last.event,
      event.update.location == nil
    else { return nil }
    return (event.time, event.progress.walked)
  }

  /// Returns the next update if it is due and was read together with the last one.
  func nextOfBatch() -> LocationUpdate? {
    replay.takeIndex(for: id, in: lane, batch: batch.number).map { update(at: $0) }
  }

  func nextIfReady() -> LocationUpdate? {
    nextOfBatch() ?? replay.take(for: id, in: lane).map { update(of: $0) }
  }

  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate? {
    switch try await replay.next(for: id, in: lane, batch: batch.number, isolation: isolation) {
    case .index(let index): update(at: index)
    case .event(let event): update(of: event)
    case nil: nil
    }
  }

  private func update(at index: Int) -> LocationUpdate {
    last.index = index
    return batch.events[index].update
  }

  private func update(of event: ReplayEvent) -> LocationUpdate {
    last = (nil, event)
    if let batch = replay.batch(in: lane, after: batch.number) { self.batch = batch }
    return event.update
  }
}

/// A provider and its listeners own a replay; the tasks that read its tracks end with the last of them.
final class ReplayOwner: Sendable {
  let replay: RunningReplay

  init(_ replay: RunningReplay) {
    self.replay = replay
  }

  deinit {
    replay.stopReading()
  }
}

/// A replay with its listeners: the pace of its devices, and the moment when all listeners wait.
final class RunningReplay: Sendable {
  /// An update that was taken: its index in the batch of the listener, or itself.
  enum Taken {
    case index(Int)
    case event(ReplayEvent)
  }

  private enum Step {
    case taken(Taken)
    case ended
    case settling
    case moving(Advance, to: Duration)
    case waiting(Task<Void, any Error>)
  }

  struct Advance {
    let id: Int
    let position: ReplayPosition
    /// The reading of the clock at which the first sleeping task is due.
    let earliestSleep: @Sendable () -> Duration?
    let move: @Sendable (Duration) -> Void
  }

  struct State {
    var pace: ReplayPace
    /// The device that the replay is about, and others beside it.
    var lanes: [ReplayLane] = []
    var lastListener = 0
    var counted = 0
    var unusableTimes = UnusableTimes()
    var emptyPartStart: TrackProgress?
    var observers: [AsyncStream<Void>.Continuation] = []
    /// The running calls of ``advance(to:earliestSleep:isWaking:moving:owner:isolation:)``.
    var advances: [Advance] = []
    var lastAdvance = 0

    var listenerCount: Int { lanes.reduce(0) { $0 + $1.listenerCount } }

    /// Whether the devices have started, and each listener waits for its next place.
    var isWaiting: Bool { lastListener > 0 && lanes.allSatisfy(\.isWaiting) }

    /// The place of the device; `nil` before its first fix.
    func place(reading: Duration) -> TrackProgress? {
      lanes.first?.progress(pace, reading: reading)
    }

    /// The place of the device; the start before its first fix.
    func progress(reading: Duration) -> TrackProgress { place(reading: reading) ?? TrackProgress() }

    /// Lets the times count from a reading, before the pace changes.
    mutating func keepTimes(reading: Duration) {
      for index in lanes.indices { lanes[index].keepTime(pace, reading: reading) }
    }

    /// Ends the waits that the clock reaches next on its way to a position, and returns the reading of
    /// the clock then: the deadline of the next update or sleeping task, or after all of these the
    /// deadline of the position; `nil` if the clock is at the position.
    mutating func nextStep(
      to position: ReplayPosition, earliestSleep sleep: Duration?, reading: Duration
    ) -> Duration? {
      let deadlines = lanes.indices.map { index -> Duration? in
        guard lanes[index].listenerCount > 0, let place = lanes[index].nextPlace,
          position.includes(place)
        else { return nil }
        return lanes[index].deadline(at: place, pace)
      }
      let update = deadlines.compactMap(\.self).min()
      guard let step = update ?? deadline(at: position, reading: reading) else { return nil }
      if let sleep, sleep < step || update == nil && sleep == step { return sleep }
      for (index, deadline) in deadlines.enumerated() where deadline == step {
        _ = lanes[index].endWaits()
      }
      return step
    }

    private func deadline(at position: ReplayPosition, reading: Duration) -> Duration? {
      guard let lane = lanes.first, lane.listenerCount > 0, let next = lane.nextPlace else {
        return nil
      }
      return lane.time?.deadline(at: position, before: next, pace, reading: reading)
    }
  }

  let clock: AnyClock
  let state: Locked<State>
  /// Whether ``advance(to:earliestSleep:isWaking:moving:owner:isolation:)`` may be called.
  private let isMovedByTests: Bool
  /// Whether ``walk(to:)`` and what else steers the replay may be called.
  private let isSteered: Bool

  init(
    speed: ReplaySpeed, clock: AnyClock, isMovedByTests: Bool = false, isSteered: Bool = false
  ) {
    self.clock = clock
    self.isMovedByTests = isMovedByTests
    self.isSteered = isSteered
    state = Locked(State(pace: ReplayPace(speed: speed)))
  }

  fileprivate func stopReading() {
    state.withLock { state in
      for lane in state.lanes { lane.read?.cancel() }
    }
  }

  // MARK: Listeners

  /// Adds a device that goes along a track, and returns the number of its lane.
  func addLane(
    _ source: FixSource, options: ReplayOptions, distanceFilter: Double, script: [DeviceStep]
  ) -> Int {
    state.withLock { state in
      state.lanes.append(
        ReplayLane(
          source, options: options, distanceFilter: distanceFilter, script: script,
          isLossless: isMovedByTests, isSteered: isSteered))
      return state.lanes.count - 1
    }
  }

  func addListener(to lane: Int, isCounted: Bool) -> Int {
    notify { state in
      state.lastListener += 1
      if isCounted { state.counted += 1 }
      state.lanes[lane].add(state.lastListener, reading: clock.now)
      return state.lastListener
    }
  }

  func removeListener(_ id: Int, from lane: Int) {
    let waits = notify { state -> [ReplayLane.Wait] in
      let wasHeldBack = state.lanes[lane].isHeldBack(state.pace)
      state.lanes[lane].remove(id, goesOn: !isMovedByTests && state.pace.speed.multiple != nil)
      return wasHeldBack ? state.lanes[lane].endWaits() : []
    }
    waits.cancel()
  }

  func waitForListeners(_ count: Int) async throws {
    try await wait(nil) { $0.counted >= count }
  }

  // MARK: Updates

  /// Takes the next update for the only listener, if the update is due and in a batch, and returns the
  /// index of the update.
  func takeIndex(for id: Int, in lane: Int, batch: Int) -> Int? {
    state.withLock { state in
      state.lanes[lane].takeIndex(for: id, batch: batch, state.pace, reading: { clock.now })
    }
  }

  /// The batch that was read last; `nil` if its number is `number`.
  func batch(in lane: Int, after number: Int) -> ReplayLane.Batch? {
    state.withLock { state in
      state.lanes[lane].batch == number
        ? nil : ReplayLane.Batch(number: state.lanes[lane].batch, events: state.lanes[lane].events)
    }
  }

  /// Returns the next update for a listener, if it is due and needs no wait.
  func take(for id: Int, in lane: Int) -> ReplayEvent? {
    let (event, waits) = state.withLock { state in take(for: id, in: lane, &state) }
    waits.cancel()
    return event
  }

  /// - Returns: the update, and the waits that it ends.
  private func take(
    for id: Int, in lane: Int, _ state: inout State
  ) -> (ReplayEvent?, [ReplayLane.Wait]) {
    let pace = state.pace
    guard state.lanes[lane].listenerCount > 1 else {
      return (state.lanes[lane].take(for: id, pace, reading: { clock.now }), [])
    }
    let wasHeldBack = state.lanes[lane].isHeldBack(pace)
    let event = state.lanes[lane].take(for: id, pace, reading: { clock.now })
    let goOn = wasHeldBack && !state.lanes[lane].isHeldBack(pace)
    return (event, goOn ? state.lanes[lane].endWaits() : [])
  }

  /// Returns the next update for a listener when it is due; `nil` after the last one.
  ///
  /// - Throws: any error of the track or the clock; `CancellationError`.
  func next(
    for id: Int, in lane: Int, batch: Int, isolation: isolated (any Actor)?
  ) async throws -> Taken? {
    var isSettled = isolation == nil
    while true {
      let (step, waits) = try state.withLock { state in
        try self.step(for: id, in: lane, batch: batch, &state, isolation, isSettled: isSettled)
      }
      waits.cancel()
      switch step {
      case .taken(let taken): return taken
      case .ended: return nil
      case .settling:
        await hop(to: isolation)
        isSettled = true
      case .moving(let advance, let deadline):
        advance.move(deadline)
        try Task.checkCancellation()
        if let index = takeIndex(for: id, in: lane, batch: batch) { return .index(index) }
      case .waiting(let sleep):
        notify { _ in }
        let result = await sleep.join()
        try Task.checkCancellation()
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
    }
  }

  /// - Parameter isSettled: whether tasks that the iterating code has started are asleep by now.
  private func step(
    for id: Int, in lane: Int, batch: Int, _ state: inout State, _ actor: (any Actor)?,
    isSettled: Bool
  ) throws -> (Step, [ReplayLane.Wait]) {
    // The only listener knows that nothing of its batch is due.
    if !state.lanes[lane].isAhead(id, in: batch) {
      let (event, waits) = take(for: id, in: lane, &state)
      if let event { return (.taken(.event(event)), waits) }
    }
    let pace = state.pace
    guard let place = state.lanes[lane].nextPlace else {
      if case .failed(let error) = state.lanes[lane].end { throw error }
      if state.lanes[lane].read == nil { startReading(lane, &state) }
      return (wait(for: nil, of: id, in: lane, &state, actor, sleep: .untilCanceled()), [])
    }
    if state.lanes[lane].hasEnded(pace, reading: { clock.now }) { return (.ended, []) }
    let deadline = state.lanes[lane].deadline(at: place, pace)
    // The only listener moves the clock as it goes, without a wait.
    if let deadline, state.listenerCount == 1,
      let advance = state.advances.first(where: { $0.position.includes(place) })
    {
      if !isSettled { return (.settling, []) }
      // Tasks that are due before are woken first, one by one.
      if advance.earliestSleep().map({ $0 > deadline }) ?? true {
        return (.moving(advance, to: deadline), [])
      }
    }
    // The end of a pause cancels the sleep, and so does a listener that held this one back.
    let isHeldBack = state.lanes[lane].isHeldBack(pace)
    let end = deadline ?? clock.now + .seconds(ReplayTime.longestWait)
    let sleep: Task<Void, any Error> =
      isHeldBack ? .untilCanceled() : Task { [clock] in try await clock.sleep(until: end) }
    return (wait(for: place, of: id, in: lane, &state, actor, sleep: sleep), [])
  }

  private func wait(
    for place: TrackProgress?, of id: Int, in lane: Int, _ state: inout State,
    _ actor: (any Actor)?, sleep: Task<Void, any Error>
  ) -> Step {
    state.lanes[lane].setWait(.init(place: place, actor: actor, sleep: sleep), for: id)
    return .waiting(sleep)
  }

  // MARK: Reading

  /// Reads the next updates of a device in a task of the replay: the listeners that wait for them may
  /// come and go.
  private func startReading(_ lane: Int, _ state: inout State) {
    guard let producer = state.lanes[lane].producer else { return }
    let start = state.lanes[lane].starts
    state.lanes[lane].read = Task { endReading(await producer.read(), lane, start) }
  }

  private func endReading(_ reading: ReplayProducer.Reading, _ lane: Int, _ start: Int) {
    let waits = notify { state -> [ReplayLane.Wait] in
      guard state.lanes[lane].starts == start else { return [] }
      let now = clock.now
      state.lanes[lane].read = nil
      switch reading.result {
      case .success(.events(let events, let start)):
        state.lanes[lane].add(events, start: start, reading: now)
      case .success(.lapEnded(let unusableTimes)):
        if lane == 0 { state.unusableTimes = unusableTimes }
      case .success(.finished(let place)):
        if lane == 0 { state.emptyPartStart = reading.emptyPartStart }
        state.lanes[lane].end = .finished(at: place)
      case .failure(let error):
        state.lanes[lane].end = .failed(error)
      }
      state.lanes[lane].extendPath(by: reading.places, state.pace, reading: now)
      return state.lanes[lane].endWaits()
    }
    waits.cancel()
  }

  /// The unusable times of the lap that was completed last.
  var unusableTimes: UnusableTimes { state.withLock { $0.unusableTimes } }

  /// The place at which the part to replay starts, if there was no fix of it.
  var emptyPartStart: TrackProgress? { state.withLock { $0.emptyPartStart } }

  // MARK: Time

  /// The track time in seconds; `nil` without listeners, or before the first fix.
  var elapsed: Double? {
    state.withLock { $0.lanes.first?.elapsed($0.pace, reading: clock.now) }
  }

  var pace: ReplayPace { state.withLock { $0.pace } }

  func setPace(_ change: (inout ReplayPace) -> Void) {
    update { state in
      state.keepTimes(reading: clock.now)
      change(&state.pace)
    }
  }

  /// Puts each device at a position, from where it goes on.
  func seek(to position: ReplayPosition) {
    update { state in
      for index in state.lanes.indices {
        state.lanes[index].seek(to: position, reading: clock.now)
      }
    }
  }

  /// Changes when updates are due.
  func update<Result: Sendable>(_ change: (inout State) throws -> Result) rethrows -> Result {
    let (result, waits) = try state.withLock { state in
      (try change(&state), state.lanes.indices.flatMap { state.lanes[$0].endWaits() })
    }
    waits.cancel()
    return result
  }

  /// Moves the clock, from one deadline to the next, until every listener waits for a place beyond
  /// `position` or has ended.
  ///
  /// - Returns: the place of the device.
  /// - Throws: ``AdvanceError`` if the device is paused, or beyond the position, or if its track ends
  ///   before; `CancellationError`.
  func advance(
    to position: ReplayPosition, earliestSleep: @escaping @Sendable () -> Duration?,
    isWaking: () -> Bool = { false }, moving move: @escaping @Sendable (Duration) -> Void,
    owner: ReplayOwner, isolation: isolated (any Actor)?
  ) async throws -> TrackProgress {
    try await wait(isolation) { $0.isWaiting }
    try checkStart(of: position)
    let id = state.withLock { state in
      state.lastAdvance += 1
      state.advances.append(
        Advance(
          id: state.lastAdvance, position: position, earliestSleep: earliestSleep, move: move))
      return state.lastAdvance
    }
    defer { state.withLock { state in state.advances.removeAll { $0.id == id } } }
    var standIn: Task<Void, any Error>?
    defer { standIn?.cancel() }
    while true {
      try await wait(isolation) { $0.isWaiting }
      if isLeft {
        standIn = listen(owner, isolation)
        continue
      }
      await settle(isolation, isWaking)
      let (isReady, step) = state.withLock { state -> (Bool, Duration?) in
        guard state.isWaiting else { return (false, nil) }
        return (
          true,
          state.nextStep(to: position, earliestSleep: earliestSleep(), reading: clock.now)
        )
      }
      if !isReady { continue }
      guard let step else { break }
      move(step)
    }
    standIn?.cancel()
    _ = await standIn?.result
    try checkEnd(of: position)
    return progress
  }

  private func checkStart(of position: ReplayPosition) throws {
    let (pace, progress) = (pace, progress)
    if pace.isPaused { throw AdvanceError(position, "the replay is paused: resume() it first") }
    if pace.speed.multiple != nil, let lead = position.lead(over: progress), lead < -0.001 {
      throw AdvanceError(
        position, "the replay is at \(progress) already: restart() it, or seek(to:) the position")
    }
  }

  private func checkEnd(of position: ReplayPosition) throws {
    let progress = progress
    let hasEnded = state.withLock { state in
      let pace = state.pace
      return state.lanes.isEmpty || state.lanes[0].hasFinished(pace, reading: { clock.now })
    }
    if hasEnded, let lead = position.lead(over: progress), lead > 1 {
      throw AdvanceError(position, "the replay has ended at \(progress)")
    }
  }

  /// The place of the device; `nil` before its first fix.
  var place: TrackProgress? { state.withLock { $0.place(reading: clock.now) } }

  /// The place of the device; the start before its first fix.
  var progress: TrackProgress { place ?? TrackProgress() }

  /// Whether the device is on its way without a listener.
  private var isLeft: Bool {
    state.withLock { state in
      let pace = state.pace
      return state.lanes[0].listenerCount == 0
        && !state.lanes[0].hasEnded(pace, reading: { clock.now })
    }
  }

  /// Listens so that the device goes on.
  private func listen(
    _ owner: ReplayOwner, _ isolation: isolated (any Actor)?
  ) -> Task<Void, any Error> {
    let listener = ReplayListener(owner, lane: 0, isCounted: false)
    return Task {
      while try await listener.next(isolation: isolation) != nil {}
    }
  }

  /// Lets other work of the actors that advance and iterate run: tasks that were started or woken
  /// there reach their next wait.
  private func settle(_ isolation: isolated (any Actor)?, _ isWaking: () -> Bool) async {
    let iterating = state.withLock { $0.lanes.flatMap(\.waits).compactMap(\.actor) }
    var actors: [any Actor] = isolation.map { [$0] } ?? []
    for actor in iterating where !actors.contains(where: { $0 === actor }) { actors.append(actor) }
    if actors.isEmpty { return }
    repeat {
      for actor in actors { await hop(to: actor) }
    } while isWaking()
    for actor in actors { await hop(to: actor) }
  }

  var waitDescription: String {
    state.withLock { state in
      if state.lastListener == 0 { return "for updates() to be iterated" }
      let elapsed = state.lanes.first?.elapsed(state.pace, reading: clock.now) ?? 0
      return "for code that processes an update after "
        + "\(Duration.seconds(clamping: elapsed)) of track time"
    }
  }

  /// Returns when a condition holds, which is checked at once and at each ``notify(_:)``.
  func wait(
    _ isolation: isolated (any Actor)?, until condition: (State) -> Bool
  ) async throws {
    try Task.checkCancellation()
    let (changes, observer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.observers.append(observer) }
    observer.yield()
    for await _ in changes where state.withLock({ condition($0) }) { return }
    throw CancellationError()
  }

  private func notify<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = change(&state)
      state.observers.removeAll { if case .terminated = $0.yield() { true } else { false } }
      return result
    }
  }
}

/// Lets other work of an actor run: tasks that were started on it reach their first wait.
private func hop(to isolation: isolated (any Actor)?) async {
  await Task { _ = isolation }.value
}

extension [ReplayLane.Wait] {
  fileprivate func cancel() {
    for wait in self { wait.sleep.cancel() }
  }
}

extension Task where Success == Void, Failure == any Error {
  /// A task that waits until it is canceled.
  fileprivate static func untilCanceled() -> Self {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    return Task {
      for await _ in stream {}
      _ = continuation
    }
  }
}
