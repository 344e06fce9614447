import FaketrackServices

/// Searches one source, or another one if the first cannot be reached to begin with.
///
/// The first search decides, and searches made meanwhile wait for the decision. A source that has
/// answered, even with an error, is never replaced.
actor AutoPhotoSearch: PhotoSearching {
  nonisolated let identity: String
  nonisolated let maximumRadius: Double

  private let first: any PhotoSearching
  private let fallback: any PhotoSearching
  private let onFallback: @Sendable (PhotoSearchError) -> Void
  private var chosen: (any PhotoSearching)?
  /// Admits one search at a time until there is a decision.
  private let gate = RequestGate(limit: 1)

  /// - Parameters:
  ///   - first: the source to search if it can be reached.
  ///   - fallback: the source to search otherwise.
  ///   - onFallback: called once, before the first answer of the fallback, with the reason.
  init(
    _ first: any PhotoSearching, else fallback: any PhotoSearching,
    onFallback: @escaping @Sendable (PhotoSearchError) -> Void
  ) {
    self.first = first
    self.fallback = fallback
    self.onFallback = onFallback
    identity = "\(first.identity) or \(fallback.identity)"
    maximumRadius = min(first.maximumRadius, fallback.maximumRadius)
  }

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    if chosen == nil, let page = try await gate.pass({ try await self.decide(by: query) }) {
      return page
    }
    return try await (chosen ?? fallback).photos(for: query)
  }

  /// Makes the first search and decides by its outcome.
  ///
  /// - Returns: the page it found, or `nil` if the query is still to be searched for in the chosen
  ///   source.
  private func decide(by query: PhotoQuery) async throws -> PhotoPage? {
    guard chosen == nil else { return nil }
    do {
      let page = try await first.photos(for: query)
      chosen = first
      return page
    } catch {
      // A search that was given up decides nothing.
      try Task.checkCancellation()
      let error = PhotoSearchError(error, from: first)
      guard error.isUnreachable else {
        chosen = first
        throw error
      }
      onFallback(error)
      chosen = fallback
      return nil
    }
  }
}
