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
  private let database: StoreDatabase

  /// - Parameter lockLimit: The longest wait for another process that has locked the file.
  package init(at url: URL, lockLimit: Duration = LockWait.usualLimit) {
    database = StoreDatabase(at: url, lockLimit: lockLimit)
    favorites = FavoritesStore(database)
    searches = SearchStore(database)
    documents = DocumentStore(database)
    callBudget = SharedCallBudget(database)
  }

  /// The version of SQLite in use.
  package static var databaseVersion: String? {
    try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }

  /// Reads the whole file for damage, and returns the number of favorites; `nil` without a file.
  package func check() async throws -> Int? {
    try await database.read("contents") { database in
      let damage = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
      guard damage == ["ok"] else {
        let lines = damage.first?.split(separator: "\n")
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: lines?.last.map(String.init))
      }
      return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM favorite") ?? 0
    }
  }
}

/// The connections of a store to its file, opened on first use.
///
/// Whatever may wait for the disk or another process runs on two queues: a reader never waits behind
/// a writer.
final class StoreDatabase: Sendable {
  private struct Connections {
    var pool: DatabasePool?
    var readOnly: ReadOnly?
  }

  /// A connection that cannot write, and why.
  private struct ReadOnly {
    let queue: DatabaseQueue
    let reason: any Error

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
      // Without a table that could not be made, SQLite reports a wrong statement.
      do { return try queue.read(body) } catch DatabaseError.SQLITE_ERROR { throw reason }
    }
  }

  private let url: URL
  private let locks: LockWait
  private let connections = Locked(Connections())
  private let readers = DispatchQueue(label: "faketrack.store.reading")
  private let writers = DispatchQueue(label: "faketrack.store.writing")

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
    try await withStoreErrors(contents) {
      try await readers.blocking { [self] in
        guard let size = try existingSize(), size > 0 else { return nil }
        return try readNow(body)
      }
    }
  }

  /// Writes to the file in one transaction, and creates it if there is none.
  func write<Value: Sendable>(
    _ contents: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withStoreErrors(contents) {
      try await writers.blocking { [self] in
        let value = try writer().write(body)
        locks.end()
        return value
      }
    }
  }

  /// The size of the file, or `nil` if there is none.
  private func existingSize() throws -> off_t? {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    // Opening a pipe would wait for its other end.
    guard [.regular, .folder].contains(status.kind) else {
      throw FileError(path: url.path, code: FileError.notAFile)
    }
    return status.st_size
  }

  private func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let (pool, readOnly) = connections.withLock { ($0.pool, $0.readOnly) }
    if pool == nil, let readOnly { return try readOnly.read(body) }
    do {
      return try (pool ?? writer()).read(body)
    } catch  where connections.withLock({ $0.pool == nil }) {
      // It could not be opened for writing.
      guard error as? StoreError.Cause != .laterVersion, let queue = openReadOnly() else {
        throw error
      }
      let readOnly = ReadOnly(queue: queue, reason: error)
      connections.withLock { $0.readOnly = readOnly }
      return try readOnly.read(body)
    }
  }

  private func writer() throws -> DatabasePool {
    if let pool = connections.withLock(\.pool) { return pool }
    // Only the making of tables needs the lock.
    if try hasTables() {
      return keep(try DatabasePool(path: url.path, configuration: configuration))
    }
    return keep(try makePool())
  }

  /// Whether the file has all its tables; false while another process makes them, which may look
  /// like an error.
  private func hasTables() throws -> Bool {
    guard let size = try existingSize(), size > 0 else { return false }
    var configuration = configuration
    configuration.readonly = true
    let queue = try? DatabaseQueue(path: url.path, configuration: configuration)
    return (try? queue?.read(StoreSchema.migrator.hasCompletedMigrations)) == true
  }

  private func keep(_ pool: DatabasePool) -> DatabasePool {
    connections.withLock { connections in
      let kept = connections.pool ?? pool
      connections.pool = kept
      return kept
    }
  }

  private func makePool() throws -> DatabasePool {
    let directory = url.deletingLastPathComponent()
    try OwnFolder(directory.path).make()
    // Two processes that create the file at the same time would both create its tables.
    let folder = open(directory.path, O_RDONLY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    guard folder < 0 || FileLock.take(on: folder, waiting: locks) else {
      throw StoreError.Cause.locked
    }
    // SQLite would let others read it. It gives its other files the same permissions.
    let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
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
    var log = stat()
    let hasLog = stat(url.path + "-wal", &log) == 0 && log.st_size > 0
    let paths = [url.path] + (hasLog ? [] : [url.absoluteString + "?immutable=1"])
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
