import FaketrackServices
import Foundation
import GRDB

/// A budget of calls that all processes of a user share: an exact sliding window.
package struct SharedCallBudget: CallBudgeting {
  private let database: StoreDatabase
  private let now: @Sendable () -> Date

  init(_ database: StoreDatabase, now: @escaping @Sendable () -> Date = { Date() }) {
    self.database = database
    self.now = now
  }

  package func take(from service: String, allowing limit: CallLimit) async throws -> Duration? {
    let window = limit.window / .seconds(1)
    return try await database.write("calls") { [now] database in
      // Other processes may have made calls while this one waited to write: read the time here.
      let now = now().timeIntervalSince1970
      // Calls from the future were made before the clock was set back.
      try database.execute(
        sql: "DELETE FROM call WHERE service = ? AND (madeAt <= ? OR madeAt > ?)",
        arguments: [service, now - window, now + 1])
      // Once this call leaves the window, there is room for another.
      let decisive = try Double.fetchOne(
        database,
        sql: "SELECT madeAt FROM call WHERE service = ? ORDER BY madeAt DESC LIMIT 1 OFFSET ?",
        arguments: [service, limit.calls - 1])
      if let decisive { return .seconds(max(0.001, decisive + window - now)) }
      try database.execute(
        sql: "INSERT INTO call (service, madeAt) VALUES (?, ?)", arguments: [service, now])
      return nil
    }
  }
}
