import Foundation
import GRDB
import PhotoSearch
import Synchronization

/// Answers of photo searches in SQLite, kept for a day.
///
/// When there are too many bytes of them, the oldest go first.
package final class KeptSearches: PhotoSearchStoring {
  /// Seconds that an answer is kept.
  package static let lifetime = 24.0 * 3_600
  /// Seconds by which another process may be ahead; what is later was kept before the clock was set
  /// back.
  private static let clockTolerance = 60.0
  /// Answers are counted against the limit once in so many.
  private static let checkInterval = 16

  private let file: StoreFile
  private let sizeLimit: Int
  private let now: @Sendable () -> Date
  private let kept = Mutex(0)

  /// - Parameters:
  ///   - sizeLimit: bytes of all answers together, about.
  ///   - now: the date, by which answers age.
  package init(
    _ file: StoreFile, sizeLimit: Int = 64 << 20, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.file = file
    self.sizeLimit = sizeLimit
    self.now = now
  }

  package func page(for key: PhotoSearchKey) async throws -> PhotoPage? {
    let youngest = now().timeIntervalSince1970
    let json = try await file.database().read { database in
      try Data.fetchOne(
        database, sql: "SELECT page FROM search WHERE key = ? AND keptAt > ? AND keptAt <= ?",
        arguments: [key.text, youngest - Self.lifetime, youngest])
    }
    return try json.map { try JSONDecoder().decode(PhotoPage.self, from: $0) }
  }

  package func keep(_ page: PhotoPage, for key: PhotoSearchKey) async throws {
    let json = try JSONEncoder().encode(page)
    let isCheckDue = kept.withLock { kept in
      defer { kept += 1 }
      return kept.isMultiple(of: Self.checkInterval)
    }
    try await file.database().write { [now, sizeLimit] database in
      let time = now().timeIntervalSince1970
      try database.execute(
        sql: "INSERT OR REPLACE INTO search (key, page, size, keptAt) VALUES (?, ?, ?, ?)",
        arguments: [key.text, json, json.count, time])
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
