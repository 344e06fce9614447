/// A source of photos taken around a place.
public protocol PhotoSearching: Sendable {
  /// Tells the answers of this source from those of any other, in memory and in a store.
  var identity: String { get }
  /// The largest radius in metres that the source searches; larger ones count as this.
  var maximumRadius: Double { get }

  /// Searches once for one page.
  ///
  /// - Throws: ``PhotoSearchError`` when there is no answer after all tries, `CancellationError`
  ///   when the task was cancelled.
  func photos(for query: PhotoQuery) async throws -> PhotoPage
}
