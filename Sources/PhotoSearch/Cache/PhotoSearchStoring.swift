/// Keeps the answers of searches between runs.
package protocol PhotoSearchStoring: Sendable {
  /// The answer kept for a search, or `nil` when there is none, or none young enough.
  func page(for key: PhotoSearchKey) async throws -> PhotoPage?

  /// Keeps an answer in place of an older one.
  func keep(_ page: PhotoPage, for key: PhotoSearchKey) async throws
}
