import Cities
import Geodesy
import Locations
import PhotoSearch

/// Runs a walk: receives updates from a location provider, names the nearest city and finds a photo
/// for each new location, in order.
package struct Tracker: Sendable {
  /// Receives visits in order, and returns the number delivered: all, unless the task is canceled
  /// meanwhile.
  package typealias Deliver = @Sendable (_ visits: [Visit]) async throws -> Int

  package var locations: any LocationProviding
  /// Pauses the walk and changes its speed, if the provider supports that.
  package var pace: (any PaceControlling)?
  /// Finds the photo of each location; `nil` for a walk without photos.
  package var photos: PhotoPicker?
  /// Downloads the photos; `nil` if only their URLs are needed.
  package var folder: PhotoFolder?
  /// Names cities; `nil` to omit them.
  package var cities: CityNames?
  /// The number of cells searched concurrently, at least 1.
  package var concurrency: Int
  /// Whether the walk ends when the permission is denied; if not, it continues without locations
  /// until the permission is granted again.
  package var endsWhenDenied: Bool
  /// Whether the walk ends when the permission is not determined; if not, the provider resolves it.
  package var endsWhenAsking: Bool

  /// The maximum number of visits per delivery.
  private static let batchSize = 512

  package init(
    locations: any LocationProviding, pace: (any PaceControlling)? = nil,
    photos: PhotoPicker? = nil, folder: PhotoFolder? = nil, cities: CityNames? = nil,
    concurrency: Int = 4, endsWhenDenied: Bool = false, endsWhenAsking: Bool = false
  ) {
    self.locations = locations
    self.pace = pace
    self.photos = photos
    self.folder = folder
    self.cities = cities
    self.concurrency = concurrency
    self.endsWhenDenied = endsWhenDenied
    self.endsWhenAsking = endsWhenAsking
  }

  /// Walks to the end, records events in the state, and delivers the visits in order; a slow
  /// receiver slows the walk.
  ///
  /// Visits that are ready are delivered together, without waiting for more. The state counts a
  /// visit when it has been delivered.
  ///
  /// - Throws: errors of the provider or of `deliver`, or `CancellationError`; the state records
  ///   them too.
  package func run(updating store: StateStore<TrackingState>, deliver: Deliver) async throws {
    do {
      try await folder?.open()
      if let photos {
        try await PhotoWalk(self, photos, store).run(deliver)
      } else {
        try await walkWithoutPhotos(store, deliver)
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

  private func walkWithoutPhotos(
    _ store: StateStore<TrackingState>, _ deliver: Deliver
  ) async throws {
    var visits = VisitMaker(cities: cities)
    var updates = locations.updates().makeAsyncIterator()
    while let first = try await updates.next() {
      try Task.checkCancellation()
      var batch = [first]
      var hasEnded = ends(at: first)
      while !hasEnded, batch.count < Self.batchSize, let update = updates.nextIfReady() {
        hasEnded = ends(at: update)
        batch.append(update)
      }
      let visited = visits.visits(of: batch)
      store.update { [batch] in $0.apply(.updated(batch, city: visited.last?.city)) }
      try await Self.deliver(visited, store, deliver)
      if hasEnded { return }
    }
  }

  /// Whether an update ends the walk for lack of permission.
  func ends(at update: LocationUpdate) -> Bool {
    update.authorization.map(ends(with:)) ?? false
  }

  private func ends(with status: AuthorizationStatus) -> Bool {
    switch status {
    case .denied, .restricted: endsWhenDenied
    case .notDetermined: endsWhenAsking
    case .authorizedAlways, .authorizedWhenInUse: false
    }
  }

  /// Delivers visits and counts the delivered ones.
  static func deliver(
    _ visits: [Visit], _ store: StateStore<TrackingState>, _ deliver: Deliver
  ) async throws {
    guard !visits.isEmpty else { return }
    let delivered = try await deliver(visits)
    store.update { $0.apply(.visited(Array(visits.prefix(delivered)))) }
    if delivered < visits.count { throw CancellationError() }
    try Task.checkCancellation()
  }
}

/// Makes a visit from each new location.
struct VisitMaker {
  private let cities: CityNames?
  private var cursor: NearestCityCursor?
  private var index = 0

  init(cities: CityNames?) {
    self.cities = cities
  }

  /// The visits for a list of updates.
  mutating func visits(of updates: [LocationUpdate]) -> [Visit] {
    var visits: [Visit] = []
    visits.reserveCapacity(updates.count)
    for update in updates {
      if let visit = visit(of: update) { visits.append(visit) }
    }
    return visits
  }

  /// The visit for an update; `nil` if the update is not a location.
  mutating func visit(of update: LocationUpdate) -> Visit? {
    guard let fix = update.location else { return nil }
    defer { index += 1 }
    if let cities, cities.minPopulation != cursor?.minPopulation { cursor = cities.cursor }
    return Visit(index: index, fix: fix, city: cursor?.nearest(to: fix.coordinate))
  }
}
