import FaketrackServices
import FaketrackSupport
import PhotoSearch

/// The photos of a walk: searches the cells of the locations ahead, chooses the photos and downloads
/// them. Each step works in order, and waits when it is too far ahead of the next one.
struct PhotoSearches {
  private enum Location: Sendable {
    case searching(Visit, SearchCell, Task<Void, Never>)
    case event(WalkEvent)
  }

  private enum Choice: Sendable {
    case ready(Visit)
    case downloading(Visit, Task<PhotoDownload, any Error>)
    case event(WalkEvent)

    var ready: Visit? {
      if case .ready(let visit) = self { visit } else { nil }
    }
  }

  /// The maximum number of locations waiting for their photo, in as many cells as ``CellsAhead``
  /// admits.
  static let locationLimit = 1_024
  /// The maximum number of visits waiting for delivery after their search.
  static let choiceLimit = 16

  private let photos: PhotoPicker
  private let folder: PhotoFolder?
  private let cells: CellsAhead
  private let locations = BoundedQueue<Location>(limit: Self.locationLimit)
  private let choices: BoundedQueue<Choice>

  init(_ photos: PhotoPicker, concurrency: Int, folder: PhotoFolder?) {
    self.photos = photos
    self.folder = folder
    cells = CellsAhead(concurrency: concurrency)
    choices = BoundedQueue(limit: folder == nil ? Self.choiceLimit : PhotoFolder.concurrency)
  }

  /// Adds a photo to each visit.
  ///
  /// - Parameters:
  ///   - locate: passes on the visits and events of a walk, in order.
  ///   - emit: takes them in the same order; visits that are ready come together.
  func run(
    _ locate: @escaping @Sendable (Walk.Emit) async throws -> Void, emit: Walk.Emit
  ) async throws {
    // Runs when no step can add another task, so that all end with the walk.
    defer {
      cells.cancelAll()
      for case .downloading(_, let download) in choices.removeAll() { download.cancel() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await locations.fill { try await locate(search) } }
      group.addTask { await choices.fill { try await choose() } }
      defer { group.cancelAll() }
      try await take(emit)
    }
  }

  /// Starts the searches of the cells of visits.
  private func search(_ visits: [Visit], _ events: [(index: Int, event: WalkEvent)]) async throws {
    for (_, event) in events { try await locations.put { .event(event) } }
    for visit in visits {
      let location = visit.fix.coordinate
      let cell = photos.cell(of: location)
      let search = try await cells.add(cell) { [photos] in await photos.prepare(for: location) }
      try await locations.put { .searching(visit, cell, search) }
    }
  }

  private func choose() async throws {
    while let location = try await locations.first() {
      guard case .searching(var visit, let cell, let search) = location else {
        locations.removeFirst()
        if case .event(let event) = location { try await choices.put { .event(event) } }
        continue
      }
      _ = await search.join()
      switch await photos.pick(for: visit.fix.coordinate, index: visit.index) {
      case .found(let photo, _): visit.photo = photo
      case .failed(let error): visit.error = error.description
      case .nothing, .cancelled: break
      }
      try Task.checkCancellation()
      cells.remove(cell)
      locations.removeFirst()
      let chosen = visit
      try await choices.put {
        download(of: chosen).map { .downloading(chosen, $0) } ?? .ready(chosen)
      }
    }
  }

  private func download(of visit: Visit) -> Task<PhotoDownload, any Error>? {
    guard let folder, let photo = visit.photo else { return nil }
    return Task { try await folder.fetch(photo, for: visit.index) }
  }

  private func take(_ emit: Walk.Emit) async throws {
    while let first = try await choices.first() {
      switch first {
      case .ready:
        let visits = choices.ready { $0.ready != nil }.compactMap(\.ready)
        try await emit(visits, [])
        choices.removeFirst(visits.count)
      case .downloading(var visit, let download):
        let fetched = try await download.join().get()
        do {
          visit.file = try await folder?.keep(fetched, of: visit)
        } catch let error as ServiceError {
          visit.error = error.description
        }
        try await emit([visit], [])
        choices.removeFirst()
      case .event(let event):
        try await emit([], [(0, event)])
        choices.removeFirst()
      }
    }
  }
}
