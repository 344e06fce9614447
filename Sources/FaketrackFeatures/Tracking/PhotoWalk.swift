import FaketrackServices
import FaketrackSupport
import Locations
import PhotoSearch

/// A walk with photos, in three concurrent steps: it receives locations and starts the searches of
/// their cells, chooses the photos, and delivers the visits. Each step works in order, and waits
/// when it is too far ahead of the next one.
struct PhotoWalk {
  /// A location whose cell is being searched.
  private struct Location: Sendable {
    let visit: Visit
    let cell: SearchCell
    let search: Task<Void, Never>
  }

  /// A visit whose photo has been chosen, and the download of the photo, if there is one.
  private struct Choice: Sendable {
    let visit: Visit
    let download: Task<PhotoDownload, any Error>?
  }

  /// The maximum number of locations waiting for their photo, in as many cells as ``CellsAhead``
  /// admits.
  static let locationLimit = 1_024
  /// The maximum number of visits waiting for delivery after their search.
  static let choiceLimit = 16

  private let tracker: Tracker
  private let photos: PhotoPicker
  private let store: StateStore<TrackingState>
  private let cells: CellsAhead
  private let locations = BoundedQueue<Location>(limit: Self.locationLimit)
  private let choices: BoundedQueue<Choice>

  init(_ tracker: Tracker, _ photos: PhotoPicker, _ store: StateStore<TrackingState>) {
    self.tracker = tracker
    self.photos = photos
    self.store = store
    cells = CellsAhead(concurrency: tracker.concurrency)
    choices = BoundedQueue(
      limit: tracker.folder == nil ? Self.choiceLimit : PhotoFolder.concurrency)
  }

  func run(_ deliver: Tracker.Deliver) async throws {
    // Runs when no step can add another task, so that all end with the walk.
    defer {
      cells.cancelAll()
      for choice in choices.removeAll() { choice.download?.cancel() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await locations.fill { try await listen() } }
      group.addTask { await choices.fill { try await choose() } }
      defer { group.cancelAll() }
      try await deliverChoices(deliver)
    }
  }

  /// Receives the provider's updates and starts the search of each new location's cell.
  private func listen() async throws {
    var visits = VisitMaker(cities: tracker.cities)
    for try await update in tracker.locations.updates() {
      try Task.checkCancellation()
      let newVisit = visits.visit(of: update)
      store.update { $0.apply(.updated([update], city: newVisit?.city)) }
      if tracker.ends(at: update) { return }
      guard let visit = newVisit else { continue }
      let location = visit.fix.coordinate
      let cell = photos.cell(of: location)
      let search = try await cells.add(cell) { [photos] in await photos.prepare(for: location) }
      try await locations.put { Location(visit: visit, cell: cell, search: search) }
    }
  }

  /// Chooses the photos one by one.
  private func choose() async throws {
    while let location = try await locations.first() {
      _ = await location.search.join()
      var visit = location.visit
      switch await photos.pick(for: visit.fix.coordinate, index: visit.index) {
      case .found(let photo, _): visit.photo = photo
      case .failed(let error): visit.error = error.description
      case .nothing, .cancelled: break
      }
      try Task.checkCancellation()
      cells.remove(location.cell)
      locations.removeFirst()
      let chosen = visit
      try await choices.put { Choice(visit: chosen, download: download(of: chosen)) }
    }
  }

  /// Starts the download of a visit's photo, if photos are downloaded.
  private func download(of visit: Visit) -> Task<PhotoDownload, any Error>? {
    guard let folder = tracker.folder, let photo = visit.photo else { return nil }
    return Task { try await folder.fetch(photo, for: visit.index) }
  }

  private func deliverChoices(_ deliver: Tracker.Deliver) async throws {
    while let first = try await choices.first() {
      guard let download = first.download else {
        let batch = choices.ready { $0.download == nil }
        try await Tracker.deliver(batch.map(\.visit), store, deliver)
        choices.removeFirst(batch.count)
        continue
      }
      let fetched = try await download.join().get()
      var visit = first.visit
      do {
        visit.file = try await tracker.folder?.keep(fetched, of: visit)
      } catch let error as ServiceError {
        visit.error = error.description
      }
      try await Tracker.deliver([visit], store, deliver)
      choices.removeFirst()
    }
  }
}
