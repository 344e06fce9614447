import Cities
import FaketrackServices
import Geodesy
import Locations
import PhotoSearch

/// Runs a walk: listens to a location provider, names the nearest city and finds a photo for each
/// new location, in order.
package struct Tracker: Sendable {
  package var locations: any LocationProviding
  /// Pauses the walk and changes its speed, where the provider can.
  package var pace: (any PaceControlling)?
  /// Finds the photo of each location; `nil` for a walk without photos.
  package var photos: PhotoPicker?
  /// Downloads the photos; `nil` if only their addresses are needed.
  package var archive: PhotoArchive?
  /// Names cities; `nil` where they are left out.
  package var cities: NearestCityCursor?
  /// Locations whose photo is searched at once, at least 1.
  package var concurrency: Int
  /// Whether the walk ends when the permission is denied; if not, it continues without locations
  /// until the permission is granted again.
  package var endsWhenDenied: Bool

  /// How many locations may wait for their photo for each search under way. Neighboring locations
  /// usually share a search, so it takes several to keep all searches busy.
  static let lookAhead = 8

  package init(
    locations: any LocationProviding, pace: (any PaceControlling)? = nil,
    photos: PhotoPicker? = nil, archive: PhotoArchive? = nil, cities: NearestCityCursor? = nil,
    concurrency: Int = 4, endsWhenDenied: Bool = false
  ) {
    self.locations = locations
    self.pace = pace
    self.photos = photos
    self.archive = archive
    self.cities = cities
    self.concurrency = concurrency
    self.endsWhenDenied = endsWhenDenied
  }

  /// Walks to the end, records what happens in the state, and delivers each visit in order; a slow
  /// receiver slows the walk.
  ///
  /// - Throws: what the provider or `deliver` throws, or `CancellationError`; the state records it
  ///   too.
  package func run(
    updating store: StateStore<TrackingState>,
    deliver: @Sendable (Visit) async throws -> Void
  ) async throws {
    do {
      try await archive?.open()
      try await walk(store, deliver)
      let counts = await photos?.counts
      store.update { $0.apply(.finished(counts)) }
    } catch {
      let counts = await photos?.counts
      store.update { state in
        state.apply(
          error is CancellationError ? .stopped(counts) : .failed(Failure(error), counts))
      }
      throw error
    }
  }

  /// A location whose photo is being searched.
  private struct PendingVisit: Sendable {
    let visit: Visit
    let search: Task<Void, Never>?
  }

  private func walk(
    _ store: StateStore<TrackingState>, _ deliver: @Sendable (Visit) async throws -> Void
  ) async throws {
    let queue = BoundedQueue<PendingVisit>(limit: max(1, concurrency) * Self.lookAhead)
    // Runs once nothing can add another search: none may outlive the walk.
    defer { for pending in queue.removeAll() { pending.search?.cancel() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await listen(queue, store) }
      defer { group.cancelAll() }
      try await finishVisits(of: queue, store, deliver)
    }
  }

  /// Receives the provider's updates and starts a search for each new location.
  private func listen(
    _ queue: BoundedQueue<PendingVisit>, _ store: StateStore<TrackingState>
  ) async {
    let gate = RequestGate(limit: concurrency)
    var cities = cities
    var index = 0
    do {
      for try await update in locations.updates() {
        try Task.checkCancellation()
        store.update { $0.apply(.updated(update)) }
        switch update {
        case .fix(let fix):
          let visit = Visit(index: index, fix: fix, city: cities?.nearest(to: fix.coordinate))
          index += 1
          try await queue.put {
            let search = photos.map { photos in
              Task { _ = try? await gate.pass { await photos.prepare(for: fix.coordinate) } }
            }
            return PendingVisit(visit: visit, search: search)
          }
        case .authorization(.denied), .authorization(.restricted):
          if endsWhenDenied { return queue.finish(.success(())) }
        case .authorization, .unavailable:
          break
        }
      }
      queue.finish(.success(()))
    } catch {
      queue.finish(.failure(error))
    }
  }

  /// Chooses the photos one by one, in order.
  private func finishVisits(
    of queue: BoundedQueue<PendingVisit>, _ store: StateStore<TrackingState>,
    _ deliver: @Sendable (Visit) async throws -> Void
  ) async throws {
    while let pending = try await queue.first() {
      await withTaskCancellationHandler {
        await pending.search?.value
      } onCancel: {
        pending.search?.cancel()
      }
      var visit = pending.visit
      switch await photos?.pick(for: visit.fix.coordinate, index: visit.index) {
      case .found(let photo, _): visit.photo = photo
      case .failed(let error): visit.error = error.description
      case .nothing, .cancelled, nil: break
      }
      try await download(&visit)
      try Task.checkCancellation()
      store.update { $0.apply(.visited(visit)) }
      try await deliver(visit)
      queue.removeFirst()
    }
  }

  /// Downloads the photo if there is an archive; a failure of the service becomes the visit's error.
  private func download(_ visit: inout Visit) async throws {
    do {
      visit.file = try await archive?.download(visit)
    } catch let error as ServiceError {
      visit.error = error.description
    }
  }
}
