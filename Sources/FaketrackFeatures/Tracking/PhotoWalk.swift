import DequeModule
import FaketrackServices
import FaketrackSupport
import Locations
import PhotoSearch

/// A walk with photos, in three concurrent steps: it receives locations and starts the searches of
/// their cells, chooses the photos, and delivers the visits. Each step works in order, and waits
/// when it is too far ahead of the next one.
struct PhotoWalk {
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
      for case .downloading(_, let download) in choices.removeAll() { download.cancel() }
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
    var updates = tracker.locations.updates().makeAsyncIterator()
    while let update = try await updates.next() {
      try Task.checkCancellation()
      if tracker.report != nil {
        for event in visits.events(of: update, at: updates.moment) {
          try await locations.put { .event(event) }
        }
      }
      let newVisit = visits.visit(of: update)
      store.update { $0.apply(.updated([update], city: newVisit?.shownCity)) }
      if tracker.ends(at: update) { return }
      guard let visit = newVisit else { continue }
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
    guard let folder = tracker.folder, let photo = visit.photo else { return nil }
    return Task { try await folder.fetch(photo, for: visit.index) }
  }

  private func deliverChoices(_ deliver: Tracker.Deliver) async throws {
    while let first = try await choices.first() {
      switch first {
      case .ready:
        let visits = choices.ready { $0.ready != nil }.compactMap(\.ready)
        try await Tracker.deliver(visits, store, deliver)
        choices.removeFirst(visits.count)
      case .downloading(var visit, let download):
        let fetched = try await download.join().get()
        do {
          visit.file = try await tracker.folder?.keep(fetched, of: visit)
        } catch let error as ServiceError {
          visit.error = error.description
        }
        try await Tracker.deliver([visit], store, deliver)
        choices.removeFirst()
      case .event(let event):
        try await tracker.report?(event)
        choices.removeFirst()
      }
    }
  }
}

/// The cells that are searched ahead of the locations in them.
///
/// Locations in the same cell share one search. The number of concurrent searches is limited, and
/// so is the number of cells ahead, including the cell of the next location.
final class CellsAhead: Sendable {
  /// The number of cells ahead per concurrent search.
  static let lookAhead = 2

  private struct Search {
    let task: Task<Void, Never>
    /// The number of locations in the cell without a photo yet.
    var locations: Int
  }

  private let ahead: RequestGate
  private let underWay: RequestGate
  private let searches = Locked<[SearchCell: Search]>([:])

  /// - Parameter concurrency: the number of cells searched concurrently; at least 1 is taken.
  init(concurrency: Int) {
    let limit = min(max(1, concurrency), 1_000)
    ahead = RequestGate(limit: limit * Self.lookAhead)
    underWay = RequestGate(limit: limit)
  }

  /// Adds a location in a cell, and searches the cell unless a search is already running or done.
  func add(
    _ cell: SearchCell, search: @escaping @Sendable () async -> Void
  ) async throws -> Task<Void, Never> {
    let known = searches.withLock { searches -> Task<Void, Never>? in
      searches[cell]?.locations += 1
      return searches[cell]?.task
    }
    if let known { return known }
    try await ahead.enter()
    let task = Task { [underWay] in _ = try? await underWay.pass(search) }
    searches.withLock { $0[cell] = Search(task: task, locations: 1) }
    return task
  }

  /// Removes a location from its cell, once it has its photo.
  func remove(_ cell: SearchCell) {
    let isLast = searches.withLock { searches in
      searches[cell]?.locations -= 1
      guard searches[cell]?.locations == 0 else { return false }
      searches[cell] = nil
      return true
    }
    if isLast { ahead.leave() }
  }

  func cancelAll() {
    for search in searches.withLock(\.values) { search.task.cancel() }
  }
}

/// A queue between a producer, which waits while the queue is full, and a consumer, which waits
/// while it is empty.
///
/// An element occupies its slot until it has been processed, so the limit includes the element in
/// progress. A channel of swift-async-algorithms frees the slot as soon as processing begins.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: Deque<Element> = []
    var outcome: Result<Void, any Error>?
    /// The waiting task; at most one, since the queue cannot be both full and empty.
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: the maximum number of elements; at least 1 is taken.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Makes an element once there is room, and adds it.
  func put(_ element: () -> Element) async throws {
    while true {
      try Task.checkCancellation()
      if state.withLock({ $0.elements.count < limit }) { break }
      await wait { [limit] in $0.elements.count < limit }
    }
    let element = element()
    state.withLock { $0.elements.append(element) }
    wake()
  }

  /// Adds the elements that a task produces, and finishes the queue with its outcome.
  func fill(_ produce: () async throws -> Void) async {
    do {
      try await produce()
      finish(.success(()))
    } catch {
      finish(.failure(error))
    }
  }

  /// Finishes the queue: no more elements follow.
  func finish(_ outcome: Result<Void, any Error>) {
    state.withLock { $0.outcome = outcome }
    wake()
  }

  /// The first element, which keeps its slot; `nil` after the last.
  ///
  /// - Throws: the error that the queue was finished with, after all elements before it.
  func first() async throws -> Element? {
    while true {
      try Task.checkCancellation()
      let (first, outcome) = state.withLock { ($0.elements.first, $0.outcome) }
      if let first { return first }
      if let outcome {
        try outcome.get()
        return nil
      }
      await wait { !$0.elements.isEmpty || $0.outcome != nil }
    }
  }

  /// The elements currently in the queue, up to the first that fails the test; all keep their
  /// slots.
  func ready(where passes: (Element) -> Bool) -> [Element] {
    state.withLock { Array($0.elements.prefix(while: passes)) }
  }

  /// Frees the slots of the first elements.
  func removeFirst(_ count: Int = 1) {
    state.withLock { $0.elements.removeFirst(count) }
    wake()
  }

  func removeAll() -> [Element] {
    let rest = state.withLock { state in
      defer { state.elements = [] }
      return Array(state.elements)
    }
    wake()
    return rest
  }

  private func wait(until isReady: @Sendable (State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if isReady(state) || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }

  private func wake() {
    state.withLock { $0.waiter.take() }?.resume()
  }
}
