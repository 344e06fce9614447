import GRDB

/// The ids of favorite cities.
package struct FavoritesStore: Sendable {
  private let database: StoreDatabase
  private static let contents = "favorites"

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// The ids of all favorites. Without a file the set is empty, and no file is created.
  package func favorites() async throws -> Set<Int> {
    try await database.read(Self.contents) { database in
      try Int.fetchSet(database, sql: "SELECT id FROM favorite")
    } ?? []
  }

  /// Adds favorites and returns the ids that were not among them before.
  @discardableResult
  package func addFavorites(_ ids: Set<Int>) async throws -> Set<Int> {
    try await change(ids, "INSERT INTO favorite (id) VALUES (?) ON CONFLICT DO NOTHING")
  }

  /// Removes favorites and returns the ids that were among them before.
  @discardableResult
  package func removeFavorites(_ ids: Set<Int>) async throws -> Set<Int> {
    try await change(ids, "DELETE FROM favorite WHERE id = ?")
  }

  /// Returns the ids for which a statement had an effect.
  private func change(_ ids: Set<Int>, _ sql: String) async throws -> Set<Int> {
    guard !ids.isEmpty else { return [] }
    return try await database.write(Self.contents) { database in
      let statement = try database.makeStatement(sql: sql)
      return try ids.filter { id in
        try statement.execute(arguments: [id])
        return database.changesCount > 0
      }
    }
  }
}
