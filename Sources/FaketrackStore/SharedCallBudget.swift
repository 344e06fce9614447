import FaketrackServices
import Foundation
import GRDB

/// A budget of calls that all processes of a user share: an exact sliding window in SQLite.
package struct SharedCallBudget: CallBudgeting {
  private let file: StoreFile
  private let now: @Sendable () -> Date

  /// - Parameter now: the date, by which calls are placed in the window.
  package init(_ file: StoreFile, now: @escaping @Sendable () -> Date = { Date() }) {
    self.file = file
    self.now = now
  }

  package func take(from service: String, allowing limit: CallLimit) async throws -> Duration? {
    let window = limit.window / .seconds(1)
    return try await file.database().write { [now] database in
      // Read here, since other processes make calls while this one waits to write.
      let now = now().timeIntervalSince1970
      // Calls of the future were made before the clock was set back.
      try database.execute(
        sql: "DELETE FROM call WHERE service = ? AND (madeAt <= ? OR madeAt > ?)",
        arguments: [service, now - window, now + 1])
      let last = try Double.fetchOne(
        database,
        sql: "SELECT madeAt FROM call WHERE service = ? ORDER BY madeAt DESC LIMIT 1 OFFSET ?",
        arguments: [service, limit.calls - 1])
      // As many calls as are allowed were made since.
      if let last { return .seconds(max(0.001, last + window - now)) }
      try database.execute(
        sql: "INSERT INTO call (service, madeAt) VALUES (?, ?)", arguments: [service, now])
      return nil
    }
  }
}
