import FaketrackSupport
import Foundation
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The connections of a store to its file, opened on first use.
///
/// A file that cannot be written is read all the same.
final class StoreDatabase: Sendable {
  private struct Connections {
    var pool: DatabasePool?
    var readOnly: DatabaseQueue?
  }

  private let url: URL
  private let locks: LockWait
  private let connections = Locked(Connections())

  /// - Parameter lockLimit: the longest wait for another process that has locked the file.
  init(at url: URL, lockLimit: Duration = LockWait.usualLimit) {
    self.url = url
    locks = LockWait(limit: lockLimit)
  }

  /// Reads from the file. Without a file, returns `nil` and creates none.
  ///
  /// - Parameter contents: the part that a ``StoreError`` names.
  func read<Value: Sendable>(
    _ contents: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try await withStoreErrors(contents) { try await reader().read(body) }
  }

  /// Writes to the file in one transaction, and creates it if there is none.
  ///
  /// - Parameter contents: the part that a ``StoreError`` names.
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
      let pool = try open()
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
    } catch  where !(error is LaterVersionError) {
      guard let readOnly = try openReadOnly() else { throw error }
      connections.withLock { $0.readOnly = readOnly }
      return readOnly
    }
  }

  private func open() throws -> DatabasePool {
    let directory = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // Two processes that create the file at the same time would both create its tables.
    let lock = try FolderLock(directory, waiting: locks)
    defer { lock.unlock() }
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try StoreSchema.migrator.migrate(pool)
    return pool
  }

  /// Opens a file for reading alone; returns `nil` if that is not possible either.
  private func openReadOnly() throws -> DatabaseQueue? {
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
      if try StoreSchema.migrator.hasBeenSuperseded(database) { throw LaterVersionError() }
    }
    return configuration
  }

  private func withStoreErrors<Value>(
    _ contents: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw StoreError(error, contents: contents, path: url.path)
    }
  }
}

/// Excludes other processes that would open a store in the same folder.
private struct FolderLock {
  private let descriptor: Int32

  /// Waits for the lock.
  init(_ folder: URL, waiting wait: LockWait) throws(FolderLockedError) {
    descriptor = Self.opened(folder.path)
    guard descriptor < 0 || FileLock.take(on: descriptor, waiting: wait) else {
      close(descriptor)
      throw FolderLockedError()
    }
  }

  /// Releases the lock; to be called once.
  func unlock() {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func opened(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }
}
