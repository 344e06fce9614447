import FaketrackServices
import FaketrackSupport
import Logging
import Synchronization

/// Stores the answers of searches between runs.
public protocol PhotoSearchStoring: Sendable {
  /// Returns the answer stored for a search, or `nil` if there is none that is recent enough.
  func page(for key: PhotoSearchKey) async throws -> PhotoPage?

  /// Stores an answer in place of an older one.
  func store(_ page: PhotoPage, for key: PhotoSearchKey) async throws
}

/// The source, center, filters and page that distinguish one search's answer from another's.
public struct PhotoSearchKey: Hashable, Sendable {
  /// The ``PhotoSearching/identity`` of the source.
  public let identity: String
  /// The center, the filters and the page.
  public let query: PhotoQuery

  /// Creates a key.
  public init(identity: String, query: PhotoQuery) {
    self.identity = identity
    self.query = query
  }

  /// The key as text that is the same in every run, for use in a store.
  public var text: String {
    let center = [query.center.latitude, query.center.longitude]
      .map { DecimalText.fixed($0, places: 6) }.joined(separator: ",")
    return [
      identity, center, DecimalText.fixed(query.radius, places: 0), query.size.rawValue,
      query.license.rawValue, "\(query.page)",
    ].joined(separator: "|")
  }
}

/// The stage of a ``PhotoPipeline`` that takes answers from its store, stores new ones, and counts
/// the searches of the source.
///
/// A failing store is bypassed: the first failure is logged as a warning, later ones at debug
/// level. An answer that the store cannot read counts as missing.
final class StoredSearch: PhotoSearching {
  let identity: String
  let maximumRadius: Double

  private let source: any PhotoSearching
  private let counter: CallCounter
  private let store: (any PhotoSearchStoring)?
  private let refreshes: Bool
  private let logger: Logger?
  private let hasFailed = Locked(false)

  init(
    _ source: any PhotoSearching, counter: CallCounter = CallCounter(),
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false, logger: Logger? = nil
  ) {
    self.source = source
    self.counter = counter
    self.store = store
    self.refreshes = refreshes
    self.logger = logger
    identity = source.identity
    maximumRadius = source.maximumRadius
  }

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let key = PhotoSearchKey(identity: identity, query: query)
    if !refreshes, let page = try await attempt({ try await store?.page(for: key) }) ?? nil {
      return page
    }
    counter.increment()
    let page = try await source.photos(for: query)
    try await attempt { try await store?.store(page, for: key) }
    return page
  }

  @discardableResult
  private func attempt<Value>(_ work: () async throws -> Value) async throws -> Value? {
    do {
      return try await work()
    } catch {
      try Task.checkCancellation()
      let isFirst = hasFailed.withLock { hasFailed in
        defer { hasFailed = true }
        return !hasFailed
      }
      logger?.log(
        level: isFirst ? .warning : .debug, "searches cannot be stored",
        metadata: ["error": "\(error)"])
      return nil
    }
  }
}

/// Counts the searches that reach a service.
final class CallCounter: Sendable {
  private let count = Atomic(0)

  /// The number of searches so far.
  var calls: Int { count.load(ordering: .relaxed) }

  func increment() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
