import FaketrackSupport
import Foundation
import GRDB

/// Everything that is stored between runs, in one SQLite file. All its parts throw ``StoreError``.
///
/// A process makes one store for a file and takes all its parts from it. The file is opened on first
/// use, and created along with its directory by the first write. Several processes may read and write
/// concurrently: readers never wait, writers wait for each other for up to ten seconds. A file that cannot
/// be written is read all the same; one of a later version is left alone.
package final class Store: Sendable {
  package let favorites: FavoritesStore
  package let searches: SearchStore
  package let documents: DocumentStore
  package let callBudget: SharedCallBudget

  /// - Parameter lockLimit: The longest wait for another process that has locked the file.
  package init(at url: URL, lockLimit: Duration = LockWait.usualLimit) {
    let database = StoreDatabase(at: url, lockLimit: lockLimit)
    favorites = FavoritesStore(database)
    searches = SearchStore(database)
    documents = DocumentStore(database)
    callBudget = SharedCallBudget(database)
  }
}

/// The connections of a store to its file, opened on first use.
final class StoreDatabase: Sendable {
  private struct Connections {
    var pool: DatabasePool?
    var readOnly: DatabaseQueue?
  }

  private let url: URL
  private let locks: LockWait
  private let connections = Locked(Connections())

  init(at url: URL, lockLimit: Duration = LockWait.usualLimit) {
    self.url = url
    locks = LockWait(limit: lockLimit)
  }

  /// Reads from the file. Without a file, returns `nil` and creates none.
  ///
  /// - Parameter contents: The part that a ``StoreError`` names.
  func read<Value: Sendable>(
    _ contents: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try await withStoreErrors(contents) { try await reader().read(body) }
  }

  /// Writes to the file in one transaction, and creates it if there is none.
  func write<Value: Sendable>(
    _ contents: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withStoreErrors(contents) {
      let value = try await writer().write(body)
      locks.end()
      return value
    }
  }

  private func writer() throws -> any DatabaseWriter {
    try connections.withLock { connections in
      if let pool = connections.pool { return pool }
      let pool = try makePool()
      connections.pool = pool
      return pool
    }
  }

  private func reader() throws -> any DatabaseReader {
    do {
      if let readOnly = connections.withLock({ $0.pool == nil ? $0.readOnly : nil }) {
        return readOnly
      }
      return try writer()
    } catch  where error as? StoreError.Cause != .laterVersion {
      guard let readOnly = openReadOnly() else { throw error }
      connections.withLock { $0.readOnly = readOnly }
      return readOnly
    }
  }

  private func makePool() throws -> DatabasePool {
    let directory = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // Two processes that create the file at the same time would both create its tables.
    let folder = open(directory.path, O_RDONLY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    guard folder < 0 || FileLock.take(on: folder, waiting: locks) else {
      throw StoreError.Cause.locked
    }
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try StoreSchema.migrator.migrate(pool)
    return pool
  }

  /// Returns `nil` if reading alone is not possible either.
  private func openReadOnly() -> DatabaseQueue? {
    var configuration = configuration
    configuration.readonly = true
    // A reader shares a file with writers through two others, which it cannot create in a folder that
    // is read-only. Without them no process is writing, and the file is complete.
    let log = (try? Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))) ?? Data()
    let paths = [url.path] + (log.isEmpty ? [url.absoluteString + "?immutable=1"] : [])
    for path in paths {
      if let queue = try? DatabaseQueue(path: path, configuration: configuration) {
        return queue
      }
    }
    return nil
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "faketrack"
    configuration.busyMode = .callback { [locks] tries in locks.pause(tries: tries) }
    // First, so that not a byte of such a file changes.
    configuration.prepareDatabase { database in
      if try StoreSchema.migrator.hasBeenSuperseded(database) {
        throw StoreError.Cause.laterVersion
      }
    }
    return configuration
  }

  private func withStoreErrors<Value>(
    _ contents: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch  where !(error is CancellationError) {
      throw StoreError(error, contents: contents, path: url.path)
    }
  }
}
