import FaketrackSupport
import GPX
import Locations

/// What to walk, and how; the composition root makes a ``Tracker`` from it.
package struct TrackingRequest: Sendable {
  package var track: TrackFile
  /// Meters along the track at which the walk begins; `nil` is its start.
  package var start: Double?
  package var speed: ReplaySpeed
  /// What the user answered when asked for the permission; `nil` before.
  package var answer: AuthorizationStatus?
}

/// The walk that every front end watches.
///
/// It continues whether or not anyone watches. Its last state stays when it ends.
@MainActor
package final class TrackingViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Chooses a track without walking it; does nothing during a walk.
    case choose(track: Int)
    /// Walks a track, or else the chosen one, from its start; ends the current walk.
    case start(track: Int?)
    case pause
    case resume
    /// Ends the walk; returns once it has released everything.
    case stop
    case setSpeed(ReplaySpeed)
    /// Continues at this many meters along the track; the photos stay.
    case move(to: Double)
    /// Grants or denies the permission; a walk continues with it where it was, or waits for it.
    case answer(AuthorizationStatus)
  }

  package nonisolated let store: StateStore<TrackingState>
  package nonisolated let catalog: TrackCatalog
  private let initialPermission: AuthorizationStatus
  private let makeTracker: @Sendable (TrackingRequest) throws -> Tracker
  private let deliver: Tracker.Deliver
  private var running: (tracker: Tracker, task: Task<Void, Never>)?
  private var outcome: Result<Void, any Error> = .success(())
  private var answer: AuthorizationStatus?
  /// How often the walker is looked for between two locations.
  private static let interval = Duration.milliseconds(100)
  /// Counts commands, so that one that had to wait can tell whether another has overtaken it.
  private var commands = 0

  /// - Parameters:
  ///   - catalog: the tracks that can be walked; the first one is chosen.
  ///   - permission: what the simulated device begins with.
  ///   - makeTracker: makes a walk ready to run.
  ///   - deliver: receives the visits in order; the walk waits for it.
  package init(
    catalog: TrackCatalog, speed: ReplaySpeed, permission: AuthorizationStatus,
    makeTracker: @escaping @Sendable (TrackingRequest) throws -> Tracker,
    deliver: @escaping Tracker.Deliver = { $0.count }
  ) {
    self.catalog = catalog
    self.makeTracker = makeTracker
    self.deliver = deliver
    initialPermission = permission
    var state = TrackingState(track: catalog.entries.first?.id, speed: speed)
    if permission.isRefusal { state.authorization = permission }
    store = StateStore(state)
  }

  /// The user's answer, else the permission last reported, else the initial one.
  package var permission: AuthorizationStatus {
    answer ?? state.authorization ?? initialPermission
  }

  /// The track that is being walked.
  var walkedTrack: Int? { state.isUnderWay ? state.track : nil }

  package func send(_ action: Action) async {
    switch action {
    case .choose(let track):
      guard running == nil, !state.isUnderWay, state.track != track, catalog.file(track) != nil
      else { return }
      store.update { $0.apply(.reset(track: track)) }
      if permission.isRefusal { store.update { [permission] in $0.apply(.answered(permission)) } }
    case .start(let track):
      guard let track = track ?? state.track, catalog.file(track) != nil, await endWalk() else {
        return
      }
      store.update { $0.apply(.reset(track: track)) }
      begin(at: nil)
    case .pause:
      running?.tracker.pace?.pause()
      store.update { $0.apply(.paused) }
    case .resume:
      running?.tracker.pace?.resume()
      store.update { $0.apply(.resumed) }
    case .stop:
      guard await endWalk() else { return }
      store.update { if $0.phase == .blocked { $0.apply(.stopped($0.searches)) } }
    case .setSpeed(let speed):
      store.update { $0.apply(.speedChanged(speed)) }
      running?.tracker.pace?.setSpeed(speed)
    case .move(let distance):
      if state.track != nil, await endWalk() { begin(at: max(0, distance)) }
    case .answer(let status):
      answer = status
      store.update { $0.apply(.answered(status)) }
      guard state.isUnderWay else { return }
      let distance = state.deliveredDistance
      guard await endWalk(), state.phase != .finished else { return }
      if status.isAuthorized {
        begin(at: distance > 0 ? distance : nil)
      } else {
        store.update { $0.apply(.blocked($0.searches)) }
      }
    }
  }

  /// Waits for the end of the walk; cancelling the task ends it.
  ///
  /// - Throws: why the walk broke off; `CancellationError` when it was stopped.
  package func waitForEnd() async throws {
    _ = await running?.task.join()
    try outcome.get()
  }

  private func begin(at distance: Double?) {
    store.update { $0.apply(.started(at: distance ?? 0)) }
    do {
      guard let track = state.track, let file = catalog.file(track) else {
        throw Failure(message: "the track is no longer there", hint: "Choose another track.")
      }
      let tracker = try makeTracker(
        TrackingRequest(track: file, start: distance, speed: state.speed, answer: answer))
      let task = Task { [weak self, store, catalog, deliver] in
        let outcome: Result<Void, any Error>
        do {
          try await Self.run(tracker, on: track, of: catalog, updating: store, deliver)
          outcome = .success(())
        } catch {
          outcome = .failure(error)
        }
        self?.outcome = outcome
        self?.running = nil
      }
      running = (tracker, task)
    } catch {
      outcome = .failure(error)
      store.update { $0.apply(.failed(Failure(error), nil)) }
    }
  }

  /// Runs a walk, and follows the walker on the way between two locations.
  private nonisolated static func run(
    _ tracker: Tracker, on track: Int, of catalog: TrackCatalog,
    updating store: StateStore<TrackingState>, _ deliver: Tracker.Deliver
  ) async throws {
    try await withThrowingTaskGroup { group in
      if let pace = tracker.pace {
        group.addTask {
          guard let shape = await catalog.shape(of: track) else { return }
          try await follow(pace, on: shape, updating: store)
        }
      }
      try await tracker.run(updating: store, deliver: deliver)
      group.cancelAll()
    }
    if let end = catalog.entry(track)?.shape.value?.end {
      store.update { $0.apply(.moved(to: end)) }
    }
  }

  /// Follows the walker, as long as somebody watches, until the task is canceled.
  private nonisolated static func follow(
    _ pace: any PaceControlling, on shape: TrackShape, updating store: StateStore<TrackingState>
  ) async throws {
    var last: Double?
    while true {
      try await Task.sleep(for: interval)
      guard store.observerCount > 0, let elapsed = pace.elapsed?.seconds, elapsed != last,
        let place = shape.place(atElapsed: elapsed)
      else { continue }
      last = elapsed
      store.update { $0.apply(.moved(to: place)) }
    }
  }

  /// Ends the current walk.
  ///
  /// - Returns: whether no other command came meanwhile.
  private func endWalk() async -> Bool {
    commands += 1
    let command = commands
    // Only what runs now: by the time it has ended, a later command may have begun another walk.
    if let task = running?.task {
      task.cancel()
      await task.value
    }
    return command == commands
  }
}
