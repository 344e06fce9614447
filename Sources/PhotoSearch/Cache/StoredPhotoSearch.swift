import Logging
import Synchronization

/// Takes answers from a store where it has them, and keeps new ones there.
///
/// A store that fails is passed by: the first failure is logged as a warning, later ones for
/// debugging.
package final class StoredPhotoSearch: PhotoSearching {
  package let identity: String
  package let maximumRadius: Double

  private let search: any PhotoSearching
  private let store: any PhotoSearchStoring
  private let refreshes: Bool
  private let logger: Logger?
  private let hasFailed = Mutex(false)

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - search: Where answers come from that the store does not have.
  ///   - store: Where answers are kept.
  ///   - refreshes: Whether to search again in any case; the new answers are kept.
  ///   - logger: Is told when the store fails.
  package init(
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

  package func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let key = PhotoSearchKey(identity: identity, query: query)
    if !refreshes, let page = try await attempt({ try await store.page(for: key) }) ?? nil {
      return page
    }
    let page = try await search.photos(for: query)
    try await attempt { try await store.keep(page, for: key) }
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
        level: isFirst ? .warning : .debug, "searches cannot be kept",
        metadata: ["error": "\(error)"])
      return nil
    }
  }
}
