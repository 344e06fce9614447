import FaketrackServices
import FaketrackSupport
import Logging
import Synchronization

/// Searches a source of photos through a cache in memory and an optional store.
///
/// The pipeline joins identical searches under way and remembers their answers, empty ones
/// included, but not failures. A search goes on as long as a task waits for it: canceling one of
/// several waiting tasks does not disturb the others, and when the last one is canceled, so is the
/// search.
///
/// A failing store is bypassed, and an answer that it cannot read counts as missing. If the source
/// has a fallback, the first search decides between the source and the fallback.
public actor PhotoPipeline: PhotoSearching {
  struct Source: Sendable {
    let search: any PhotoSearching
    var provider: PhotoProvider?
    /// Whether its searches reach a service; then they are counted and their answers stored.
    var isService: Bool { provider?.isMadeUp != true }
  }

  /// A search under way, and the tasks that wait for it.
  private final class Search {
    var task: Task<Void, Never>?
    var answers: [AsyncThrowingStream<PhotoPage, any Error>.Continuation] = []
    var waiting = 0
  }

  /// The identity of the source.
  public nonisolated let identity: String
  /// The largest radius that the source accepts, in meters.
  public nonisolated let maximumRadius: Double

  private nonisolated let source: Source
  private nonisolated let fallback: Fallback?
  /// `nil` until the first search has decided.
  private var chosen: Source?
  /// Admits one search at a time until there is a decision.
  private let gate = RequestGate(limit: 1)

  private let store: (any PhotoSearchStoring)?
  private let refreshes: Bool
  /// The answers in the store that this pipeline has searched for.
  private var refreshed = BoundedCache<PhotoQuery, Void>(capacity: 65_536)
  private let logger: Logger?
  private var hasStoreFailed = false
  private nonisolated let callCount = Atomic(0)
  private var firstPages = 0
  private var furtherPages = 0

  private let clock: AnyClock
  private let timeToLive: Duration
  private var pages: BoundedCache<PhotoQuery, PhotoPage>
  private var searches: [PhotoQuery: Search] = [:]

  /// Creates a pipeline.
  ///
  /// - Parameters:
  ///   - source: the source of photos.
  ///   - capacity: the largest number of photos in memory, about 1 KB each; an empty answer counts
  ///     as one photo. The answers used least recently are removed first. By default, there is room
  ///     for the full pages of a walk of 35 km.
  ///   - timeToLive: the time for which an answer in memory stays valid.
  ///   - store: keeps answers between runs.
  ///   - refreshes: whether to search again for answers in the store; the new ones replace them.
  ///   - logger: receives the failures of the store.
  ///   - clock: measures the age of the answers in memory.
  public init(
    _ source: any PhotoSearching, capacity: Int = 32_768, timeToLive: Duration = .seconds(3600),
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false, logger: Logger? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      Source(search: source), capacity: capacity, timeToLive: timeToLive, store: store,
      refreshes: refreshes, logger: logger, clock: AnyClock(clock))
  }

  init(
    _ source: Source, fallback: Fallback? = nil, capacity: Int = 32_768,
    timeToLive: Duration = .seconds(3600), store: (any PhotoSearchStoring)? = nil,
    refreshes: Bool = false, logger: Logger? = nil, clock: AnyClock
  ) {
    let sources = [source, fallback?.source].compactMap(\.?.search)
    identity = sources.map(\.identity).joined(separator: " or ")
    maximumRadius = sources.map(\.maximumRadius).min() ?? 0
    self.source = source
    self.fallback = fallback
    chosen = fallback == nil ? source : nil
    self.store = store
    self.refreshes = refreshes
    self.logger = logger
    self.clock = clock
    self.timeToLive = timeToLive
    pages = BoundedCache(capacity: capacity)
  }

  package nonisolated var provider: PhotoProvider? { source.provider }

  /// The provider that takes over if ``provider`` gives no useful answer to the first search.
  package nonisolated var fallbackProvider: PhotoProvider? { fallback?.source.provider }

  /// The number of calls to the service so far, including retries, further parts of an answer and
  /// failed ones. Each search of a source that does not count its requests is one call.
  public nonisolated var calls: Int { source.search.requests ?? remoteSearches }

  /// The number of searches so far that reached the service, including failed ones.
  package nonisolated var remoteSearches: Int { callCount.load(ordering: .relaxed) }

  /// Returns a page from memory, from the store, or from the source.
  ///
  /// - Throws: the error of the source; `CancellationError` in a canceled task.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    if let page = pages.value(for: query, now: clock.now) { return page }
    try Task.checkCancellation()
    let search = searches[query] ?? start(query)
    search.waiting += 1
    defer { leave(search, query) }
    let (answer, continuation) = AsyncThrowingStream.makeStream(of: PhotoPage.self)
    search.answers.append(continuation)
    for try await page in answer { return page }
    throw CancellationError()
  }

  private func start(_ query: PhotoQuery) -> Search {
    let search = Search()
    searches[query] = search
    search.task = Task {
      do {
        finish(search, query, .success(try await answer(to: query)))
      } catch {
        finish(search, query, .failure(error))
      }
    }
    return search
  }

  /// Hands the answer to all waiting tasks; does nothing if all of them have left.
  private func finish(
    _ search: Search, _ query: PhotoQuery, _ result: Result<PhotoPage, any Error>
  ) {
    guard searches[query] === search else { return }
    searches[query] = nil
    if case .success(let page) = result { remember(page, for: query) }
    for answer in search.answers { answer.yield(with: result) }
  }

  private func remember(_ page: PhotoPage, for query: PhotoQuery) {
    pages.insert(
      page, for: query, cost: max(1, page.photos.count), expires: clock.now + timeToLive)
  }

  /// Ends the wait of a task, and the search if no other task waits for it.
  private func leave(_ search: Search, _ query: PhotoQuery) {
    search.waiting -= 1
    guard search.waiting == 0, searches[query] === search else { return }
    search.task?.cancel()
    searches[query] = nil
  }

  private func search(_ source: Source, for query: PhotoQuery) async throws -> PhotoPage {
    var page = try await page(for: query, in: source)
    if let name = source.provider?.name { page.setSource(name) }
    return page
  }

  /// Returns a page from the store or the source.
  private func page(for query: PhotoQuery, in source: Source) async throws -> PhotoPage {
    guard source.isService else { return try await source.search.photos(for: query) }
    let key = PhotoSearchKey(identity: source.search.identity, query: query)
    if query.page == 1 { firstPages += 1 }
    if !refreshes || refreshed.value(for: query) != nil,
      let page = try await useStore({ try await $0.page(for: key) }) ?? nil
    {
      return page
    }
    guard query.page == 1 || furtherPages < Self.furtherPages(for: firstPages) else {
      return PhotoPage(photos: [], isLast: true)
    }
    if query.page > 1 { furtherPages += 1 }
    callCount.wrappingAdd(1, ordering: .relaxed)
    let page = try await source.search.photos(for: query) {
      try await self.page(before: query, in: source)
    }
    _ = try await useStore { try await $0.store(page, for: key) }
    if refreshes { refreshed.insert((), for: query) }
    return page
  }

  /// The largest number of further pages to search for, so that a service whose pages have no end
  /// is left alone.
  private static func furtherPages(for firstPages: Int) -> Int { 64 + 4 * firstPages }

  /// Returns the page at whose end a page begins.
  private func page(before query: PhotoQuery, in source: Source) async throws -> PhotoPage {
    var query = query
    query.page -= 1
    if let page = pages.value(for: query, now: clock.now) { return page }
    let page = try await search(source, for: query)
    remember(page, for: query)
    return page
  }

  /// Logs the store's first failure as a warning, later ones at debug level.
  private func useStore<Value: Sendable>(
    _ work: @Sendable (any PhotoSearchStoring) async throws -> Value
  ) async throws -> Value? {
    guard let store else { return nil }
    do {
      return try await work(store)
    } catch {
      try Task.checkCancellation()
      logger?.log(
        level: hasStoreFailed ? .debug : .warning, "searches cannot be stored",
        metadata: ["error": "\(error)"])
      hasStoreFailed = true
      return nil
    }
  }
}

extension PhotoPipeline {
  /// The source that replaces the first one for good if that cannot be reached, answers something
  /// else or has not answered the first search within ``timeout``.
  ///
  /// The first source stays if it has sent an answer that could be read, even if the whole search
  /// takes longer or fails, and if it refuses in its own format.
  struct Fallback: Sendable {
    /// Short enough for a run to have its first photo within 5 s of its start.
    static let timeout: Duration = .milliseconds(3_500)

    let source: Source
    let contact: Contact
    /// Called once, before the first answer of the fallback, with the reason.
    let onFallback: @Sendable (PhotoSearchError) -> Void
  }

  /// Whether a service has sent an answer that could be read.
  final class Contact: Sendable {
    private let state = Atomic(false)

    var isMade: Bool { state.load(ordering: .relaxed) }

    func receive(_ event: ServiceEvent) {
      if case .called(let call) = event, call.failure == nil {
        state.store(true, ordering: .relaxed)
      }
    }
  }

  /// Searches the chosen source; the first search decides, and searches made meanwhile wait.
  private func answer(to query: PhotoQuery) async throws -> PhotoPage {
    if chosen == nil, let fallback,
      let page = try await gate.pass({ try await self.decide(by: query, fallback) })
    {
      return page
    }
    return try await search(chosen ?? source, for: query)
  }

  /// Makes the first search; returns `nil` if the chosen source is still to be searched.
  private func decide(by query: PhotoQuery, _ fallback: Fallback) async throws -> PhotoPage? {
    guard chosen == nil else { return nil }
    let attempt = Task { try await search(source, for: query) }
    let timer = Task { [clock] in
      try await clock.sleep(for: Fallback.timeout)
      if !fallback.contact.isMade { attempt.cancel() }
    }
    defer { timer.cancel() }
    do {
      let page = try await attempt.join().get()
      chosen = source
      return page
    } catch {
      // A search that was given up decides nothing.
      try Task.checkCancellation()
      let error =
        attempt.isCancelled
        ? PhotoSearchError(
          service: source.provider?.title ?? source.search.identity, reason: .unreachable,
          message: "no useful answer within \(Fallback.timeout / .seconds(1)) s")
        : PhotoSearchError(error, from: source.search.identity)
      let hasAnswered =
        switch error.reason.kind {
        case .refused, .keyRejected: true
        default: fallback.contact.isMade
        }
      guard !hasAnswered else {
        chosen = source
        throw error
      }
      fallback.onFallback(error)
      chosen = fallback.source
      return nil
    }
  }
}
