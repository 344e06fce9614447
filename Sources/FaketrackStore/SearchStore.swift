import FaketrackSupport
import Foundation
import GRDB
import PhotoSearch

/// The answers of photo searches, kept as JSON for 24 hours.
///
/// When all answers together become too large, the oldest are removed.
package final class SearchStore: PhotoSearchStoring {
  private static let lifetime = 24.0 * 3_600
  /// The seconds by which the clock of another process may be ahead. Answers from further in the
  /// future were stored before the clock was set back.
  private static let clockTolerance = 60.0
  /// The total size is checked at the first of this number of writes.
  private static let checkInterval = 16
  private static let contents = "searches"

  private let database: StoreDatabase
  private let sizeLimit: Int
  private let now: @Sendable () -> Date
  private let writes = Locked(0)

  /// - Parameter sizeLimit: The approximate size of all answers together, in bytes.
  init(
    _ database: StoreDatabase, sizeLimit: Int = 64 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.database = database
    self.sizeLimit = sizeLimit
    self.now = now
  }

  package func page(for key: PhotoSearchKey) async throws -> PhotoPage? {
    let time = now().timeIntervalSince1970
    let stored = try await database.read(Self.contents) { database in
      try Data.fetchOne(
        database, sql: "SELECT page FROM search WHERE key = ? AND keptAt > ? AND keptAt <= ?",
        arguments: [key.text, time - Self.lifetime, time])
    }
    // An answer in the format of another version counts as missing.
    return (stored ?? nil).flatMap { try? JSONDecoder().decode(PhotoPage.self, from: $0) }
  }

  package func store(_ page: PhotoPage, for key: PhotoSearchKey) async throws {
    let encoded = try JSONEncoder().encode(page)
    let isCheckDue = writes.withLock { writes in
      defer { writes += 1 }
      return writes.isMultiple(of: Self.checkInterval)
    }
    try await database.write(Self.contents) { [now, sizeLimit] database in
      let time = now().timeIntervalSince1970
      try database.execute(
        sql: "INSERT OR REPLACE INTO search (key, page, size, keptAt) VALUES (?, ?, ?, ?)",
        arguments: [key.text, encoded, encoded.count, time])
      try database.execute(
        sql: "DELETE FROM search WHERE keptAt <= ? OR keptAt > ?",
        arguments: [time - Self.lifetime, time + Self.clockTolerance])
      if isCheckDue { try Self.makeRoom(in: database, sizeLimit: sizeLimit) }
    }
  }

  /// Removes the oldest answers until the others fit.
  private static func makeRoom(in database: Database, sizeLimit: Int) throws {
    var size = try Int.fetchOne(database, sql: "SELECT SUM(size) FROM search") ?? 0
    guard size > sizeLimit else { return }
    let rows = try Row.fetchAll(database, sql: "SELECT key, size FROM search ORDER BY keptAt")
    for row in rows where size > sizeLimit {
      let (key, bytes): (String, Int) = (row["key"], row["size"])
      try database.execute(sql: "DELETE FROM search WHERE key = ?", arguments: [key])
      size -= bytes
    }
  }
}
