import Foundation
import GRDB
import Synchronization

/// The SQLite file in which faketrack keeps things between runs.
///
/// Opened when it is first used, and made with its directory if it is not there. Several processes
/// may read and write at once: readers never wait, writers wait for each other up to ten seconds.
package final class StoreFile: Sendable {
  package let url: URL
  private let pool = Mutex<DatabasePool?>(nil)

  package init(at url: URL) {
    self.url = url
  }

  /// The open database, of the newest schema.
  package func database() throws -> DatabasePool {
    try pool.withLock { pool in
      if let pool { return pool }
      let opened = try open()
      pool = opened
      return opened
    }
  }

  private func open() throws -> DatabasePool {
    let directory = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // Two processes that make the file at once would both make its tables.
    let lock = DirectoryLock(directory)
    defer { lock.unlock() }
    var configuration = Configuration()
    configuration.label = "faketrack"
    configuration.busyMode = .timeout(10)
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try StoreSchema.migrator.migrate(pool)
    return pool
  }
}
