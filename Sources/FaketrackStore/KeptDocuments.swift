import FaketrackServices
import Foundation
import GRDB

/// Documents of services in SQLite: feeds and summaries, the newest few hundred.
package struct KeptDocuments: DocumentCaching {
  private let file: StoreFile
  private let limit: Int

  /// - Parameter limit: documents that are kept at most; the longest kept go first.
  package init(_ file: StoreFile, limit: Int = 500) {
    self.file = file
    self.limit = limit
  }

  package func document(at address: String) async throws -> KeptDocument? {
    try await file.database().read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM document WHERE address = ?", arguments: [address]
      ).map { row in
        KeptDocument(
          body: row["body"], entityTag: row["entityTag"], lastModified: row["lastModified"],
          freshUntil: Date(timeIntervalSince1970: row["freshUntil"]),
          mayBeUsedStale: row["mayBeUsedStale"])
      }
    }
  }

  package func setDocument(_ document: KeptDocument?, at address: String) async throws {
    let limit = limit
    try await file.database().write { database in
      // A new row number, so that the order of rows is the order in which documents were kept.
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
