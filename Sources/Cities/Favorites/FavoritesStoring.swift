/// Keeps the ids of favorite cities between runs.
///
/// All methods throw ``CitiesError/favoritesUnavailable(path:reason:)``.
public protocol FavoritesStoring: Sendable {
  /// The ids of all favorites.
  func favorites() async throws -> Set<Int>

  /// Adds favorites; returns the ids that were none before.
  @discardableResult
  func addFavorites(_ ids: Set<Int>) async throws -> Set<Int>

  /// Removes favorites; returns the ids that were some before.
  @discardableResult
  func removeFavorites(_ ids: Set<Int>) async throws -> Set<Int>
}
