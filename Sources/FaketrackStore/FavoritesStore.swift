import Cities
import Foundation
import GRDB

/// Favorite cities in SQLite.
package struct FavoritesStore: FavoritesStoring {
  private let file: StoreFile

  package init(_ file: StoreFile) {
    self.file = file
  }

  package func favorites() async throws -> Set<Int> {
    try await orFavoritesUnavailable {
      try await file.database().read { try Int.fetchSet($0, sql: "SELECT id FROM favorite") }
    }
  }

  @discardableResult
  package func addFavorites(_ ids: Set<Int>) async throws -> Set<Int> {
    try await change(ids, "INSERT INTO favorite (id) VALUES (?) ON CONFLICT DO NOTHING")
  }

  @discardableResult
  package func removeFavorites(_ ids: Set<Int>) async throws -> Set<Int> {
    try await change(ids, "DELETE FROM favorite WHERE id = ?")
  }

  /// Runs a statement for each id in one transaction; returns the ids that it changed something for.
  private func change(_ ids: Set<Int>, _ sql: String) async throws -> Set<Int> {
    guard !ids.isEmpty else { return [] }
    return try await orFavoritesUnavailable {
      try await file.database().write { database in
        let statement = try database.makeStatement(sql: sql)
        return try ids.filter { id in
          try statement.execute(arguments: [id])
          return database.changesCount > 0
        }
      }
    }
  }

  /// Turns whatever the database throws into an error that names the file.
  private func orFavoritesUnavailable<Value>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as CancellationError {
      throw error
    } catch let error as DatabaseError {
      throw CitiesError.favoritesUnavailable(
        path: file.url.path, reason: error.message ?? error.description)
    } catch {
      throw CitiesError.favoritesUnavailable(
        path: file.url.path, reason: error.localizedDescription)
    }
  }
}
