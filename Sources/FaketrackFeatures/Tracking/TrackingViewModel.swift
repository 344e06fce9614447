import Cities
import FaketrackSupport
import GPX
import Locations

/// The track and settings of a walk; the composition root makes a ``Walk`` from it.
package struct TrackingRequest: Sendable {
  package var track: Track
  /// The start of the walk in meters along the track; `nil` is the start of the track.
  package var start: Double?
  package var speed: ReplaySpeed
  package var answer: AuthorizationStatus?
  /// The meters between two locations, and the name of the photo source; `nil` as the walk was set up.
  package var distanceFilter: Double?
  package var photoSource: String?
}

/// The walk that all front ends observe. Its last state remains after it ends.
@MainActor
package final class TrackingViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Chooses a track without starting it; has no effect while a walk is unfinished.
    case choose(track: Int)
    /// Removes a track from the catalog, unless its walk is unfinished.
    case remove(track: Int)
    /// Starts a track, or else the chosen one, from its start; ends the current walk.
    case start(track: Int?)
    case pause
    case resume
    /// Ends the walk; returns once it has released its resources.
    case stop
    case setSpeed(ReplaySpeed)
    case setMinPopulation(Int)
    /// Changes the meters between two locations; a walk goes on from its position. A receiver keeps its own.
    case setDistanceFilter(Double)
    /// Changes where photos are searched, to one of the names in ``photoSources``; a walk goes on from its
    /// position.
    case setPhotoSource(String)
    /// Jumps to a distance along the track in meters. A running or paused walk keeps that state, one that has
    /// arrived only looks there, any other stays at the position. The photos are kept. A receiver stays where
    /// it is.
    case move(to: Double)
    /// Grants or denies the permission; a walk then continues from its position, or waits.
    case answer(AuthorizationStatus)
  }

  package nonisolated let store: StateStore<TrackingState>
  package nonisolated let catalog: TrackCatalog
  /// The names of the photo sources that can be chosen.
  package nonisolated let photoSources: [String]
  private let cities: CityNames?
  private let makeWalk: @MainActor (TrackingRequest) throws -> Walk
  private let deliver: Walk.Deliver
  private(set) var running: (walk: Walk, task: Task<Void, Never>)?
  /// The intervals at which the position is updated between two locations, of a fast and of a slow walk.
  private nonisolated static let intervals = Duration.milliseconds(100)...Duration.milliseconds(500)
  /// The number of commands, by which a waiting command detects that it has been superseded.
  private var commands = 0
  private var intent = Intent.rest

  /// The intended state after all commands.
  private enum Intent {
    case rest, walk, pause
  }

  /// - Parameters:
  ///   - catalog: the tracks that can be replayed; the first one is chosen.
  ///   - memory: the number of visits to keep with their photos.
  ///   - photoSources: the names of the photo sources that can be chosen.
  ///   - cities: names the cities of all walks; `nil` to omit them.
  ///   - deliver: receives the visits in order; the walk waits for it.
  package init(
    catalog: TrackCatalog, speed: ReplaySpeed, permission: AuthorizationStatus,
    searchesPhotos: Bool = true, clocks: Clocks = .local, memory: Int = 0,
    photoSources: [String] = [], cities: CityNames? = nil,
    makeWalk: @escaping @MainActor (TrackingRequest) throws -> Walk,
    deliver: @escaping Walk.Deliver = { $0.count }
  ) {
    self.catalog = catalog
    self.photoSources = photoSources
    self.cities = cities
    self.makeWalk = makeWalk
    self.deliver = deliver
    var state = TrackingState(
      track: catalog.entries.first?.id, speed: speed, permission: permission,
      searchesPhotos: searchesPhotos, clocks: clocks, memory: memory)
    if permission.isRefusal { state.authorization = permission }
    state.minimumPopulation = cities?.minimumPopulation
    let store = StateStore(state)
    self.store = store
    catalog.follow { [weak catalog] in
      store.update { state in
        state.entry = catalog?.entry(state.track)
        if let walker = state.entry?.walker { state.apply(.moved(to: walker)) }
      }
    }
  }

  /// The track of the unfinished walk.
  var walkedTrack: Int? { state.isUnderWay || state.isUnfinished ? state.track : nil }

  package func send(_ action: Action) async {
    await perform(action)
    store.update { $0.command += 1 }
  }

  private func perform(_ action: Action) async {
    switch action {
    case .choose(let track):
      guard running == nil, walkedTrack == nil, state.track != track, catalog.file(track) != nil
      else { return }
      store.update { reset(&$0, to: track) }
      if state.permission.isRefusal {
        store.update { $0.authorization = $0.permission }
      }
    case .remove(let track):
      guard running == nil || state.track != track else { return }
      catalog.remove(track)
      guard state.track == track else { return }
      if let first = catalog.entries.first {
        store.update { reset(&$0, to: first.id) }
      } else {
        store.update { $0.track = nil }
      }
    case .start(let track):
      guard let track = track ?? state.track, catalog.file(track) != nil else { return }
      intent = .walk
      guard await endWalk() else { return }
      begin(at: nil, of: track)
    case .pause:
      guard intent == .walk, state.phase != .blocked else { return }
      intent = .pause
      running?.walk.pace?.pause()
      store.update { $0.apply(.paused) }
    case .resume:
      await goOn()
    case .stop:
      intent = .rest
      guard await endWalk(isReplaced: false) else { return }
      store.update { if $0.isUnderWay { $0.apply(.stopped($0.searches)) } }
    case .setSpeed(let speed) where !state.isLive:
      store.update { $0.apply(.speedChanged(speed)) }
      running?.walk.pace?.speed = speed
    case .setMinPopulation(let population):
      guard let cities else { return }
      cities.minimumPopulation = population
      store.update { $0.minimumPopulation = cities.minimumPopulation }
      guard let position = state.position else { return }
      let city = cities.shown(at: position)
      store.update { $0.city = city }
    case .setDistanceFilter(let meters) where !state.isLive:
      store.update { $0.distanceFilter = meters }
      await goOnAnew()
    case .setPhotoSource(let name) where photoSources.contains(name) && !state.isLive:
      store.update { $0.apply(.sourceChanged(name)) }
      await goOnAnew()
    case .move(let distance):
      guard state.track != nil, !state.isLive else { return }
      store.update { $0.destination = distance }
      guard await endWalk() else { return }
      if intent == .rest || state.phase == .blocked {
        place(at: max(0, distance))
      } else {
        begin(at: max(0, distance))
      }
    case .setSpeed, .setDistanceFilter, .setPhotoSource: break
    case .answer(let status):
      // A repeated answer does not interrupt a walk.
      if status == state.permission, state.isUnderWay, state.phase != .blocked { return }
      store.update { $0.apply(.answered(status)) }
      guard state.isUnderWay, await endWalk(), state.phase != .finished else { return }
      if status.isAuthorized {
        begin(at: continuation > 0 ? continuation : nil)
      } else {
        // The walk may have reported its own permission before its end.
        store.update { state in
          state.apply(.answered(status))
          state.apply(.blocked(state.searches))
        }
      }
    }
  }

  /// Begins a track, or else the chosen one, paused at its start.
  func beginPaused(_ track: Int? = nil) async {
    guard let track = track ?? state.track, catalog.file(track) != nil else { return }
    intent = .pause
    guard await endWalk() else { return }
    begin(at: nil, of: track)
    store.update { $0.command += 1 }
  }

  /// Shows that a paused walk goes on, whose replay was told to.
  func noteGoing() {
    guard intent == .pause else { return }
    intent = .walk
    store.update { $0.apply(.resumed) }
  }

  private func goOn() async {
    switch intent {
    case _ where state.phase == .blocked, .walk: return
    case .pause:
      intent = .walk
      running?.walk.pace?.resume()
      store.update { $0.apply(.resumed) }
    case .rest:
      guard state.track != nil, state.canResume, await endWalk() else { return }
      begin(at: continuation)
    }
  }

  /// Lets a walk go on from its position with other settings.
  private func goOnAnew() async {
    guard state.isUnderWay, state.phase != .blocked, await endWalk() else { return }
    begin(at: continuation)
  }

  /// The place at which a walk continues, in meters along the track: interrupted searches are repeated, but a
  /// receiver does not go back.
  private var continuation: Double {
    if let look = state.look { return look.distance }
    let isComplete = state.isLive || state.searched == state.locations
    return isComplete ? state.distance : state.deliveredDistance
  }

  private func reset(_ state: inout TrackingState, to track: Int) {
    state.apply(.reset(track: track))
    state.entry = catalog.entry(track)
  }

  private func place(at distance: Double) {
    let (place, city) = look(at: distance)
    store.update { $0.apply(.placed(at: distance, place, city: city)) }
  }

  /// The place at a distance along the track in meters, once the track has been read, and its city.
  private func look(at distance: Double) -> (TrackShape.Place?, NearbyCity?) {
    let place = state.shape?.place(atDistance: distance)
    return (place, place.flatMap { cities?.shown(at: $0.coordinate) })
  }

  /// Begins to walk at a distance along the track in meters, or anew if there is a `track`.
  private func begin(at distance: Double?, of track: Int? = nil) {
    if intent == .rest { intent = .walk }
    (track ?? state.track).flatMap(catalog.file)?.live?.begin(isNew: track != nil)
    let (start, city) = distance.map(look) ?? (nil, nil)
    store.update { state in
      if let track { reset(&state, to: track) }
      state.apply(.started(at: distance ?? 0, start, city: city))
    }
    if state.isLive, state.permission.isRefusal {
      store.update { state in
        state.authorization = state.permission
        state.apply(.blocked(nil))
      }
      return
    }
    do {
      guard let track = state.track, let file = catalog.file(track) else {
        throw Failure(message: "the track is no longer there", hint: "Choose another track.")
      }
      let walk = try makeWalk(
        TrackingRequest(
          track: file, start: distance, speed: state.speed, answer: state.answer,
          distanceFilter: state.distanceFilter, photoSource: state.photoSource))
      if intent == .pause {
        walk.pace?.pause()
        store.update { $0.apply(.paused) }
        if let distance { place(at: distance) }
      }
      let task = Task { [weak self, store, catalog, deliver] in
        do {
          try await Self.run(walk, on: track, of: catalog, updating: store, deliver)
          self?.ended(nil)
        } catch {
          self?.ended(error)
        }
      }
      running = (walk, task)
    } catch {
      ended(error)
      store.update { $0.apply(.failed(Failure(error), nil)) }
    }
  }

  private func ended(_ error: (any Error)?) {
    running = nil
    // The command that ends a walk decides what follows; a walk without permission is meant to
    // continue.
    if !(error is CancellationError), state.phase != .blocked { intent = .rest }
  }

  private nonisolated static func run(
    _ walk: Walk, on track: Int, of catalog: TrackCatalog,
    updating store: StateStore<TrackingState>, _ deliver: Walk.Deliver
  ) async throws {
    try await withThrowingTaskGroup { group in
      if let pace = walk.pace, catalog.entry(track)?.isLive == false {
        group.addTask {
          guard let shape = await catalog.shape(of: track) else { return }
          try await follow(pace, on: shape, updating: store)
        }
      }
      try await walk.run(updating: store, deliver: deliver)
      group.cancelAll()
    }
    if let end = catalog.entry(track)?.shape.value?.end {
      store.update { $0.apply(.moved(to: end)) }
    }
  }

  /// Updates the position while the state is observed, until the task is canceled.
  private nonisolated static func follow(
    _ pace: any PaceControlling, on shape: TrackShape, updating store: StateStore<TrackingState>
  ) async throws {
    var last: Double?
    while true {
      // A walk at the recorded pace moves by no more than a meter meanwhile.
      let pause = intervals.upperBound / (store.state.speed.multiple ?? .infinity)
      try await Task.sleep(for: min(max(intervals.lowerBound, pause), intervals.upperBound))
      if store.state.phase == .paused {
        for await state in store.states() where state.phase != .paused { break }
      }
      guard store.observerCount > 0, let elapsed = pace.elapsed?.seconds, elapsed != last,
        let place = shape.place(atElapsed: elapsed)
      else { continue }
      last = elapsed
      store.update { $0.apply(.moved(to: place)) }
    }
  }

  /// Ends the current walk; returns whether no other command arrived meanwhile. If another walk
  /// follows immediately, the stop is not shown.
  private func endWalk(isReplaced: Bool = true) async -> Bool {
    commands += 1
    let command = commands
    // Only the current walk: by the time it has ended, a later command may have started another
    // one.
    if let task = running?.task {
      store.update { $0.isBeingReplaced = isReplaced }
      task.cancel()
      await task.value
    }
    return command == commands
  }
}
