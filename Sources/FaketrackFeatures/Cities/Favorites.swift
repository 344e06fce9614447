/// Stores the ids of favorite cities between runs.
package protocol FavoritesStoring: Sendable {
  func favorites() async throws -> Set<Int>

  /// Adds favorites and returns the ids that were not among them before.
  @discardableResult
  func addFavorites(_ ids: Set<Int>) async throws -> Set<Int>

  /// Removes favorites and returns the ids that were among them before.
  @discardableResult
  func removeFavorites(_ ids: Set<Int>) async throws -> Set<Int>
}

extension FavoritesStoring {
  func setFavorite(_ isFavorite: Bool, id: Int) async throws {
    if isFavorite {
      try await addFavorites([id])
    } else {
      try await removeFavorites([id])
    }
  }
}
