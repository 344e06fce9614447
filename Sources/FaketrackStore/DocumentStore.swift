import FaketrackServices
import Foundation
import GRDB

/// The newest few hundred documents from services, such as feeds and summaries.
package struct DocumentStore: DocumentCaching {
  private let database: StoreDatabase
  private let limit: Int
  private static let contents = "documents"

  /// - Parameter limit: The maximum number of documents; those stored first are removed first.
  init(_ database: StoreDatabase, limit: Int = 500) {
    self.database = database
    self.limit = limit
  }

  package func document(at address: String) async throws -> CachedDocument? {
    try await database.read(Self.contents) { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM document WHERE address = ?", arguments: [address]
      ).map { row in
        CachedDocument(
          body: row["body"], entityTag: row["entityTag"], lastModified: row["lastModified"],
          freshUntil: Date(timeIntervalSince1970: row["freshUntil"]),
          mayBeUsedStale: row["mayBeUsedStale"])
      }
    } ?? nil
  }

  package func setDocument(_ document: CachedDocument?, at address: String) async throws {
    let limit = limit
    try await database.write(Self.contents) { database in
      // A replaced document gets a new number, so that the highest number is the newest.
      try database.execute(sql: "DELETE FROM document WHERE address = ?", arguments: [address])
      guard let document else { return }
      try database.execute(
        sql: """
          INSERT INTO document
            (address, body, entityTag, lastModified, freshUntil, mayBeUsedStale)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          address, document.body, document.entityTag, document.lastModified,
          document.freshUntil.timeIntervalSince1970, document.mayBeUsedStale,
        ])
      try database.execute(
        sql: """
          DELETE FROM document WHERE number NOT IN
            (SELECT number FROM document ORDER BY number DESC LIMIT ?)
          """,
        arguments: [limit])
    }
  }
}
