import FaketrackServices
import FaketrackSupport
import Logging

/// Searches a source of photos by way of a cache in memory and an optional store.
///
/// The pipeline joins identical searches under way and remembers their answers, empty ones
/// included, but not failures. A search goes on as long as a task waits for it: canceling one of
/// several waiting tasks does not disturb the others, and when the last one is canceled, so is the
/// search.
///
/// Behind the memory come two more stages: ``PhotoSearchStoring`` keeps answers between runs, and
/// where the source was chosen automatically, the first search decides between it and its fallback.
public actor PhotoPipeline: PhotoSearching {
  /// A search under way, and the tasks that wait for it by their tickets.
  private struct Search {
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<PhotoPage, any Error>] = [:]
  }

  /// The identity of the source.
  public nonisolated let identity: String
  /// The largest radius that the source accepts, in meters.
  public nonisolated let maximumRadius: Double

  /// The provider that is searched, if the pipeline was made for one.
  package nonisolated let provider: PhotoProvider?
  /// The provider that takes over if ``provider`` gives no useful answer to the first search.
  package nonisolated let fallback: PhotoProvider?

  private let source: any PhotoSearching
  private nonisolated let counter: CallCounter
  private let clock: AnyClock
  private let timeToLive: Duration
  private var pages: BoundedCache<PhotoSearchKey, PhotoPage>
  private var searches: [PhotoSearchKey: Search] = [:]
  private var lastTicket = 0

  /// Creates a pipeline.
  ///
  /// - Parameters:
  ///   - source: the source of answers that are neither in memory nor in the store.
  ///   - capacity: the largest number of photos in memory, about 1 KB each; an empty answer counts
  ///     as one photo. The answers used least recently are removed first.
  ///   - timeToLive: the time for which an answer in memory stays valid.
  ///   - store: keeps answers between runs.
  ///   - refreshes: whether to search again for answers in the store; the new ones replace them.
  ///   - logger: receives the failures of the store.
  ///   - clock: the clock that measures the time in memory.
  public init(
    _ source: any PhotoSearching, capacity: Int = 4_096, timeToLive: Duration = .seconds(3600),
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false, logger: Logger? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let counter = CallCounter()
    self.init(
      stages: StoredSearch(
        source, counter: counter, store: store, refreshes: refreshes, logger: logger),
      counter: counter, capacity: capacity, timeToLive: timeToLive, clock: clock)
  }

  /// Creates a pipeline with the stages behind its memory.
  init(
    stages source: any PhotoSearching, counter: CallCounter, provider: PhotoProvider? = nil,
    fallback: PhotoProvider? = nil, capacity: Int = 4_096, timeToLive: Duration = .seconds(3600),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.source = source
    self.counter = counter
    self.provider = provider
    self.fallback = fallback
    self.clock = AnyClock(clock)
    self.timeToLive = timeToLive
    identity = source.identity
    maximumRadius = source.maximumRadius
    pages = BoundedCache(capacity: capacity)
  }

  /// The number of searches so far that reached a service, failed ones included.
  public nonisolated var calls: Int { counter.calls }

  /// Returns a page from memory, from the store, or from the source.
  ///
  /// - Throws: the error of the source; `CancellationError` in a canceled task.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let key = PhotoSearchKey(identity: identity, query: query)
    if let page = pages.value(for: key, now: clock.now) { return page }
    let ticket = nextTicket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join(key, ticket, $0) }
    } onCancel: {
      Task { await leave(key, ticket) }
    }
  }

  /// Waits for the search under way, or starts one.
  private func join(
    _ key: PhotoSearchKey, _ ticket: Int, _ waiter: CheckedContinuation<PhotoPage, any Error>
  ) {
    guard !Task.isCancelled else { return waiter.resume(throwing: CancellationError()) }
    var search = searches[key] ?? start(key)
    search.waiters[ticket] = waiter
    searches[key] = search
  }

  private func start(_ key: PhotoSearchKey) -> Search {
    let id = nextTicket()
    let task = Task {
      do {
        let page = try await source.photos(for: key.query)
        finish(key, id, .success(page))
      } catch {
        finish(key, id, .failure(error))
      }
    }
    return Search(id: id, task: task)
  }

  /// Hands the answer to all waiting tasks; does nothing if all of them have left.
  private func finish(_ key: PhotoSearchKey, _ id: Int, _ result: Result<PhotoPage, any Error>) {
    guard let search = searches[key], search.id == id else { return }
    searches[key] = nil
    if case .success(let page) = result {
      pages.insert(
        page, for: key, cost: max(1, page.photos.count), expires: clock.now + timeToLive)
    }
    for waiter in search.waiters.values { waiter.resume(with: result) }
  }

  /// Ends the wait of a canceled task, and the search if no other task waits for it.
  private func leave(_ key: PhotoSearchKey, _ ticket: Int) {
    guard let waiter = searches[key]?.waiters.removeValue(forKey: ticket) else { return }
    if let search = searches[key], search.waiters.isEmpty {
      search.task.cancel()
      searches[key] = nil
    }
    waiter.resume(throwing: CancellationError())
  }

  private func nextTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }
}
