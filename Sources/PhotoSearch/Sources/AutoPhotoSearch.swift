/// Searches one source, or another instead when the first cannot be reached to begin with.
///
/// The first search decides; those that come meanwhile wait for it. A source that answered, be
/// it with an error, is never swapped.
package actor AutoPhotoSearch: PhotoSearching {
  package nonisolated let identity: String
  package nonisolated let maximumRadius: Double

  private let first: any PhotoSearching
  private let fallback: any PhotoSearching
  private let onFallback: @Sendable (PhotoSearchError) -> Void
  private var chosen: (any PhotoSearching)?
  private var trial: Trial?

  /// The first search, which decides.
  private struct Trial {
    let query: PhotoQuery
    let task: SharedTask<Result<PhotoPage, PhotoSearchError>>
  }

  /// - Parameters:
  ///   - first: What is searched if it can be reached.
  ///   - fallback: What is searched otherwise.
  ///   - onFallback: Called once, before the fallback's first answer, with the reason.
  package init(
    _ first: any PhotoSearching, else fallback: any PhotoSearching,
    onFallback: @escaping @Sendable (PhotoSearchError) -> Void
  ) {
    self.first = first
    self.fallback = fallback
    self.onFallback = onFallback
    identity = "\(first.identity) or \(fallback.identity)"
    maximumRadius = min(first.maximumRadius, fallback.maximumRadius)
  }

  package func photos(for query: PhotoQuery) async throws -> PhotoPage {
    while true {
      if let chosen { return try await chosen.photos(for: query) }
      let trial = trial ?? start(with: query)
      do {
        let result = try await trial.task.value
        let chosen = choose(after: result)
        guard chosen.identity == first.identity, trial.query == query else {
          return try await chosen.photos(for: query)
        }
        return try result.get()
      } catch is CancellationError {
        try Task.checkCancellation()
        // Whoever began the first search gave up: it is to be made again.
        if self.trial?.task === trial.task { self.trial = nil }
      }
    }
  }

  private func start(with query: PhotoQuery) -> Trial {
    let task = SharedTask { [first] in
      do {
        return Result<PhotoPage, PhotoSearchError>.success(try await first.photos(for: query))
      } catch {
        try Task.checkCancellation()
        return .failure(PhotoSearchError(error, from: first))
      }
    }
    let trial = Trial(query: query, task: task)
    self.trial = trial
    return trial
  }

  private func choose(
    after result: Result<PhotoPage, PhotoSearchError>
  ) -> any PhotoSearching {
    if let chosen { return chosen }
    if case .failure(let error) = result, error.isUnreachable {
      onFallback(error)
      chosen = fallback
      return fallback
    }
    chosen = first
    return first
  }
}
