import FaketrackSupport
import GPX
import Locations
import PhotoSearch

/// A walk: locates, names, pictures and delivers, in order, until its track ends.
package struct Walk: Sendable {
  /// Receives visits in order, and returns the number delivered: fewer only when canceled.
  package typealias Deliver = @Sendable (_ visits: [Visit]) async throws -> Int
  /// Receives changes of permission and signal, in order with the visits.
  package typealias Report = @Sendable (_ event: WalkEvent) async throws -> Void

  package var locations: any LocationProviding
  /// Pauses the walk and changes its speed, if the provider supports that.
  package var pace: (any PaceControlling)?
  /// The fixes of the file and their replay; `nil` for a receiver.
  package var replay: (fixes: GPXFixes, provider: ReplayLocationProvider)?
  /// Finds the photo of each location; `nil` for a walk without searches.
  package var photos: PhotoPicker?
  /// The number of cells searched concurrently, at least 1.
  package var concurrency: Int
  /// Downloads the photos; `nil` if only their URLs are needed.
  package var folder: PhotoFolder?
  /// The user's own pictures; they take the place of ``photos``.
  package var album: PhotoAlbum?
  /// The city names; `nil` to omit cities.
  package var cities: CityNames?
  /// Whether the walk ends when the permission is denied, rather than waits until it is granted.
  package var endsWhenDenied: Bool
  /// Whether the walk ends when the permission is not determined; if not, the provider resolves it.
  package var endsWhenAsking: Bool
  /// `nil` to leave out changes of permission and signal.
  package var report: Report?
  /// The places where the speed of the replay changes.
  package var turns: [WalkScript.Turn] = []
  /// Takes ``liveUpdates`` beside the walk, and is canceled if the walk breaks off.
  package var follower: (any WalkFollower)?
  package var liveUpdates: LocationUpdates?

  /// Updates that are ready are processed together, up to this number.
  private static let batchSize = 512

  package init(
    locations: any LocationProviding, pace: (any PaceControlling)? = nil,
    photos: PhotoPicker? = nil, album: PhotoAlbum? = nil, folder: PhotoFolder? = nil,
    cities: CityNames? = nil, concurrency: Int = 4, endsWhenDenied: Bool = false,
    endsWhenAsking: Bool = false
  ) {
    self.locations = locations
    self.pace = pace
    self.photos = photos
    self.album = album
    self.folder = folder
    self.cities = cities
    self.concurrency = concurrency
    self.endsWhenDenied = endsWhenDenied
    self.endsWhenAsking = endsWhenAsking
  }

  /// Walks to the end, and delivers the visits in order; a slow receiver slows the walk.
  ///
  /// Visits that are ready are delivered together. The state counts a visit once it is delivered.
  ///
  /// - Throws: errors of the provider or of `deliver`, or `CancellationError`, as in the state.
  package func run(updating store: StateStore<TrackingState>, deliver: Deliver) async throws {
    do {
      try await folder?.open()
      func emit(_ visits: [Visit], _ events: [(index: Int, event: WalkEvent)]) async throws {
        try await self.emit(visits, events, store, deliver)
      }
      try await withTurns(store) {
        try await withFollower(store) {
          guard let photos else { return try await locate(store, emit) }
          let searches = PhotoSearches(photos, concurrency: concurrency, folder: folder)
          try await searches.run({ try await locate(store, $0) }, emit: emit)
        }
      }
      let counts = await photos?.counts
      store.update { state in
        let isBlocked = state.authorization.map(ends(with:)) ?? false
        state.apply(isBlocked ? .blocked(counts) : .finished(counts))
      }
    } catch {
      let counts = await photos?.counts
      store.update { state in
        state.apply(
          error is CancellationError ? .stopped(counts) : .failed(Failure(error), counts))
      }
      throw error
    }
  }

  /// Walks, and changes the speed on the way.
  private func withTurns(
    _ store: StateStore<TrackingState>, _ walk: () async throws -> Void
  ) async throws {
    guard let replay, !turns.isEmpty else { return try await walk() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for turn in turns {
          try await replay.provider.turn(to: turn.speed, at: turn.position)
          store.update { $0.apply(.speedChanged(turn.speed)) }
        }
      }
      defer { group.cancelAll() }
      try await walk()
    }
  }

  private func withFollower(
    _ store: StateStore<TrackingState>, _ walk: () async throws -> Void
  ) async throws {
    guard let follower, let liveUpdates else { return try await walk() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await follower.follow(liveUpdates) { [pace] in pace?.speed ?? .realTime }
        // A walk that the permission has ended breaks off before the update arrives there.
        if store.state.authorization?.isAuthorized == false { follower.deny() }
      }
      defer { group.cancelAll() }
      try await walk()
      if store.state.authorization.map(ends(with:)) != true { try await group.waitForAll() }
    }
  }

  /// Visits in order, and the changes before those with their indices.
  typealias Emit = (
    _ visits: [Visit], _ events: [(index: Int, event: WalkEvent)]
  ) async throws -> Void

  /// Receives the updates of the provider, names the locations, and adds the user's own pictures.
  private func locate(_ store: StateStore<TrackingState>, _ emit: Emit) async throws {
    var visits = VisitMaker(cities: cities, photos: try await album?.placed(until: ends(at:)))
    var updates = locations.updates().makeAsyncIterator()
    // A location that waits for the search of its cell waits alone.
    let limit = photos == nil ? Self.batchSize : 1
    while let first = try await updates.next() {
      try Task.checkCancellation()
      var batch = [first]
      var hasEnded = ends(at: first)
      // Only the last update can be an event, whose moment the iterator knows.
      while !hasEnded, batch.count < limit, report == nil || batch.last?.location != nil,
        let update = updates.nextIfReady()
      {
        hasEnded = ends(at: update)
        batch.append(update)
      }
      var visited: [Visit] = []
      var events: [(index: Int, event: WalkEvent)] = []
      visited.reserveCapacity(batch.count)
      for update in batch {
        if report != nil {
          for event in visits.events(of: update, at: updates.moment) {
            events.append((visited.count, event))
          }
        }
        visits.append(update, to: &visited)
      }
      let city = visited.last?.shownCity
      store.update { [batch] in $0.apply(.updated(batch, city: city)) }
      try await emit(visited, events)
      if hasEnded { return }
    }
  }

  private func ends(at update: LocationUpdate) -> Bool {
    update.authorization.map(ends(with:)) ?? false
  }

  private func ends(with status: AuthorizationStatus) -> Bool {
    switch status {
    case .denied, .restricted: endsWhenDenied
    case .notDetermined: endsWhenAsking
    case .authorizedAlways, .authorizedWhenInUse: false
    }
  }

  private func emit(
    _ visits: [Visit], _ events: [(index: Int, event: WalkEvent)],
    _ store: StateStore<TrackingState>, _ deliver: Deliver
  ) async throws {
    func emit(_ visits: [Visit]) async throws {
      guard !visits.isEmpty else { return }
      let delivered = try await deliver(visits)
      store.update { $0.apply(.visited(Array(visits.prefix(delivered)))) }
      if delivered < visits.count { throw CancellationError() }
      try Task.checkCancellation()
    }
    var start = 0
    for (index, event) in events {
      try await emit(Array(visits[start..<index]))
      try await report?(event)
      start = index
    }
    try await emit(start == 0 ? visits : Array(visits[start...]))
  }
}
