import FaketrackServices
import FaketrackSupport

/// Remembers the answers of a source in memory, and joins identical searches under way.
///
/// Empty answers are remembered like others, failures are not. A search goes on as long as anyone
/// waits for it: canceling one of several waiting tasks does not disturb the others, and when the
/// last one is canceled, so is the search.
public actor PhotoCache: PhotoSearching {
  /// A search under way, and those who wait for it by their tickets.
  private struct Search {
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<PhotoPage, any Error>] = [:]
  }

  public nonisolated let identity: String
  public nonisolated let maximumRadius: Double

  private let source: any PhotoSearching
  private let clock: AnyClock
  private let timeToLive: Duration
  private var pages: BoundedCache<PhotoSearchKey, PhotoPage>
  private var searches: [PhotoSearchKey: Search] = [:]
  private var lastTicket = 0

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - search: the source of answers that are not in the cache.
  ///   - capacity: the largest number of photos to hold, about 0.3 KB each; an empty answer counts
  ///     as one photo.
  ///   - timeToLive: how long an answer stays valid.
  ///   - clock: the clock that measures this time.
  public init(
    _ search: any PhotoSearching, capacity: Int = 4_096, timeToLive: Duration = .seconds(3600),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    source = search
    self.clock = AnyClock(clock)
    self.timeToLive = timeToLive
    identity = search.identity
    maximumRadius = search.maximumRadius
    pages = BoundedCache(capacity: capacity)
  }

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

  /// Hands the answer to everyone who waits; does nothing if all of them have left.
  private func finish(_ key: PhotoSearchKey, _ id: Int, _ result: Result<PhotoPage, any Error>) {
    guard let search = searches[key], search.id == id else { return }
    searches[key] = nil
    if case .success(let page) = result {
      pages.insert(
        page, for: key, cost: max(1, page.photos.count), expires: clock.now + timeToLive)
    }
    for waiter in search.waiters.values { waiter.resume(with: result) }
  }

  /// Ends the wait of a canceled task, and the search if nobody else waits for it.
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
