import Foundation
import GRDB
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Everything that is stored between runs, in one SQLite file.
///
/// A process makes one store for a file and takes all its parts from it. The file is opened on first
/// use, and created along with its directory by the first write. Several processes may read and write
/// at once: readers never wait, writers wait for each other for up to ten seconds.
package final class Store: Sendable {
  /// The ids of favorite cities.
  package let favorites: FavoritesStore
  /// The answers of photo searches.
  package let searches: SearchStore
  /// Documents from services, such as feeds and summaries.
  package let documents: DocumentStore
  /// The budget of calls that all processes of a user share.
  package let callBudget: SharedCallBudget

  /// - Parameter url: the SQLite file.
  package init(at url: URL) {
    let database = StoreDatabase(at: url)
    favorites = FavoritesStore(database)
    searches = SearchStore(database)
    documents = DocumentStore(database)
    callBudget = SharedCallBudget(database)
  }
}

/// The store cannot be opened, read or written.
package struct StoreError: Error, Hashable, Sendable {
  /// What was asked for, in a word: `favorites`, `searches`, `documents` or `calls`.
  package let contents: String
  package let path: String
  /// The words of the database or the system.
  package let reason: String

  /// What to do about it.
  package var recoverySuggestion: String? { "Move the file away to start with no \(contents)." }
}

extension StoreError: CustomStringConvertible {
  package var description: String { "the \(contents) in \(path) cannot be used: \(reason)" }
}

/// The one connection pool of a store, opened on first use.
final class StoreDatabase: Sendable {
  private let url: URL
  private let pool = Mutex<DatabasePool?>(nil)

  init(at url: URL) {
    self.url = url
  }

  /// Reads from the file. Without a file, returns `nil` and creates none.
  ///
  /// - Parameter contents: what a ``StoreError`` says cannot be used.
  func read<Value: Sendable>(
    _ contents: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try await withStoreErrors(contents) { try await openPool().read(body) }
  }

  /// Writes to the file in one transaction, and creates it if there is none.
  ///
  /// - Parameter contents: what a ``StoreError`` says cannot be used.
  func write<Value: Sendable>(
    _ contents: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withStoreErrors(contents) { try await openPool().write(body) }
  }

  private func openPool() throws -> DatabasePool {
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
    // Two processes that created the file at once would both create its tables.
    let lock = DirectoryLock(directory)
    defer { lock.unlock() }
    var configuration = Configuration()
    configuration.label = "faketrack"
    configuration.busyMode = .timeout(10)
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try StoreSchema.migrator.migrate(pool)
    return pool
  }

  private func withStoreErrors<Value>(
    _ contents: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as CancellationError {
      throw error
    } catch let error as DatabaseError {
      throw StoreError(
        contents: contents, path: url.path, reason: error.message ?? error.description)
    } catch {
      throw StoreError(contents: contents, path: url.path, reason: error.localizedDescription)
    }
  }
}

/// The tables of the store, and how each version follows from the one before.
///
/// A released migration is never changed; new ones are added at the end.
enum StoreSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("favorites") { database in
      try database.create(table: "favorite") { table in
        table.primaryKey("id", .integer)
        table.column("addedAt", .datetime).notNull().defaults(sql: "CURRENT_TIMESTAMP")
      }
    }
    migrator.registerMigration("searches and calls") { database in
      try database.create(table: "search") { table in
        table.primaryKey("key", .text)
        table.column("page", .blob).notNull()
        table.column("size", .integer).notNull()
        table.column("keptAt", .double).notNull().indexed()
      }
      try database.create(table: "call") { table in
        table.column("service", .text).notNull()
        table.column("madeAt", .double).notNull()
      }
      try database.create(index: "call_service_madeAt", on: "call", columns: ["service", "madeAt"])
    }
    migrator.registerMigration("documents") { database in
      try database.create(table: "document") { table in
        table.autoIncrementedPrimaryKey("number")
        table.column("address", .text).notNull().unique()
        table.column("body", .blob).notNull()
        table.column("entityTag", .text)
        table.column("lastModified", .text)
        table.column("freshUntil", .double).notNull()
        table.column("mayBeUsedStale", .boolean).notNull()
      }
    }
    // The sizes come from the index: in the table they are behind the pages, which SQLite would
    // have to read.
    migrator.registerMigration("sizes of searches") { database in
      try database.drop(index: "search_on_keptAt")
      try database.create(
        index: "search_keptAt_size", on: "search", columns: ["keptAt", "size"])
    }
    return migrator
  }
}

/// Excludes other processes that take the same lock on a directory.
///
/// On a file system without locks, it excludes nobody.
private struct DirectoryLock {
  private let descriptor: Int32

  /// Waits for the lock.
  init(_ directory: URL) {
    descriptor = Self.opened(directory.path)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Releases the lock; to be called once.
  func unlock() {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func opened(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }
}
