import FaketrackServices
import FaketrackSupport
import Logging
import Synchronization

/// Stores the answers of searches between runs.
public protocol PhotoSearchStoring: Sendable {
  /// The answer stored for a search, or `nil` if there is none that is recent enough.
  func page(for key: PhotoSearchKey) async throws -> PhotoPage?

  /// Stores an answer in place of an older one.
  func store(_ page: PhotoPage, for key: PhotoSearchKey) async throws
}

/// What distinguishes one search's answer from another's: source, place, filters, page.
public struct PhotoSearchKey: Hashable, Sendable {
  /// The ``PhotoSearching/identity`` of the source.
  public let identity: String
  /// The place, the filters and the page.
  public let query: PhotoQuery

  /// Creates a key.
  public init(identity: String, query: PhotoQuery) {
    self.identity = identity
    self.query = query
  }

  /// The key as text that is the same in every run, for use in a store.
  public var text: String {
    let place = [query.center.latitude, query.center.longitude]
      .map { DecimalText.fixed($0, places: 6) }.joined(separator: ",")
    return [
      identity, place, DecimalText.fixed(query.radius, places: 0), query.size.rawValue,
      query.license.rawValue, "\(query.page)",
    ].joined(separator: "|")
  }
}

/// Takes answers from a store if it has them, and stores new ones.
///
/// A failing store is bypassed: the first failure is logged as a warning, later ones at debug
/// level. An answer that the store cannot read counts as one it does not have.
public final class StoredPhotoSearch: PhotoSearching {
  public let identity: String
  public let maximumRadius: Double

  private let search: any PhotoSearching
  private let store: any PhotoSearchStoring
  private let refreshes: Bool
  private let logger: Logger?
  private let hasFailed = Locked(false)

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - search: the source of answers that the store does not have.
  ///   - store: where answers are stored.
  ///   - refreshes: whether to search again in any case; the new answers are stored.
  ///   - logger: receives the failures of the store.
  public init(
    _ search: any PhotoSearching, store: any PhotoSearchStoring, refreshes: Bool = false,
    logger: Logger? = nil
  ) {
    self.search = search
    self.store = store
    self.refreshes = refreshes
    self.logger = logger
    identity = search.identity
    maximumRadius = search.maximumRadius
  }

  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let key = PhotoSearchKey(identity: identity, query: query)
    if !refreshes, let page = try await attempt({ try await store.page(for: key) }) ?? nil {
      return page
    }
    let page = try await search.photos(for: query)
    try await attempt { try await store.store(page, for: key) }
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
public final class CallCounter: Sendable {
  private let count = Atomic(0)

  /// Creates a counter at 0.
  public init() {}

  /// The number of searches so far.
  public var calls: Int { count.load(ordering: .relaxed) }

  fileprivate func increment() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}

/// A source whose searches are counted.
public struct CountedPhotoSearch: PhotoSearching {
  private let search: any PhotoSearching
  private let counter: CallCounter

  /// Creates a source that counts its searches with `counter`.
  public init(_ search: any PhotoSearching, counter: CallCounter) {
    self.search = search
    self.counter = counter
  }

  public var identity: String { search.identity }
  public var maximumRadius: Double { search.maximumRadius }

  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    counter.increment()
    return try await search.photos(for: query)
  }
}
