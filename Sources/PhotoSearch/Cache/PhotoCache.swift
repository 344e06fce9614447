import FaketrackServices

/// Remembers the answers of a source in memory, and joins identical searches under way.
///
/// Empty answers are kept like others, failures are not. Cancelling one of those who wait for
/// the same search does not disturb the others.
public actor PhotoCache: PhotoSearching {
  public nonisolated let identity: String
  public nonisolated let maximumRadius: Double

  private let search: any PhotoSearching
  private let clock: ServiceClock
  private let timeToLive: Duration
  private var kept: BoundedCache<PhotoSearchKey, PhotoPage>
  private var underWay: [PhotoSearchKey: SharedTask<PhotoPage>] = [:]

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - search: Where answers come from that are not kept.
  ///   - capacity: The most photos to keep, some 1.4 KB each; an empty answer counts as one.
  ///   - timeToLive: How long an answer stays valid.
  ///   - clock: What that time is measured with.
  public init(
    _ search: any PhotoSearching, capacity: Int = 4_096, timeToLive: Duration = .seconds(3600),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.search = search
    self.clock = ServiceClock(clock)
    self.timeToLive = timeToLive
    identity = search.identity
    maximumRadius = search.maximumRadius
    kept = BoundedCache(capacity: capacity)
  }

  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let key = PhotoSearchKey(identity: identity, query: query)
    while true {
      if let page = kept.value(for: key, now: clock.now) { return page }
      let task = underWay[key] ?? start(key)
      do {
        let page = try await task.value
        end(task, key) { keep(page, for: key) }
        return page
      } catch is CancellationError {
        try Task.checkCancellation()
        // Those who waited before gave up, and with them the search: it is to be made again.
        end(task, key) {}
      } catch {
        end(task, key) {}
        throw error
      }
    }
  }

  private func start(_ key: PhotoSearchKey) -> SharedTask<PhotoPage> {
    let task = SharedTask { [search] in try await search.photos(for: key.query) }
    underWay[key] = task
    return task
  }

  /// Lets the first of those who waited clear up.
  private func end(_ task: SharedTask<PhotoPage>, _ key: PhotoSearchKey, then work: () -> Void) {
    guard underWay[key] === task else { return }
    underWay[key] = nil
    work()
  }

  private func keep(_ page: PhotoPage, for key: PhotoSearchKey) {
    kept.insert(
      page, for: key, cost: max(1, page.photos.count), expires: clock.now + timeToLive)
  }
}
