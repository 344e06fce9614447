import FaketrackServices
import FaketrackSupport
import Foundation
import GRDB
import Geodesy
import PhotoSearch
import Testing

@testable import FaketrackStore

@Suite struct StoreTests {
  private let directory = TemporaryDirectory()

  private var url: URL { directory.url.appendingPathComponent("deep/er/faketrack.sqlite") }

  private func key() throws -> PhotoSearchKey {
    PhotoSearchKey(
      identity: "flickr",
      query: PhotoQuery(center: try Coordinate(latitude: 1, longitude: 2), radius: 500))
  }

  @Test func readingCreatesNothing() async throws {
    let store = Store(at: url)
    #expect(try await store.favorites.favorites().isEmpty)
    #expect(try await store.searches.page(for: key()) == nil)
    #expect(try await store.documents.document(at: "a") == nil)
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }

  @Test func theFirstWriteCreatesTheFile() async throws {
    let store = Store(at: url)
    try await store.favorites.addFavorites([1])
    #expect(FileManager.default.fileExists(atPath: url.path))
    #expect(try await store.favorites.favorites() == [1])
  }

  @Test func seesAFileThatAnotherProcessCreatesLater() async throws {
    let store = Store(at: url)
    #expect(try await store.favorites.favorites().isEmpty)
    try await Store(at: url).favorites.addFavorites([5])
    #expect(try await store.favorites.favorites() == [5])
  }

  @Test func allPartsShareOneFile() async throws {
    let store = Store(at: url)
    try await store.favorites.addFavorites([7])
    try await store.searches.store(PhotoPage(photos: [], isLast: true), for: key())
    let document = CachedDocument(body: Data("x".utf8), freshUntil: Date(timeIntervalSince1970: 5))
    try await store.documents.setDocument(document, at: "a")
    let limit = CallLimit(calls: 1, per: .seconds(3_600))
    #expect(try await store.callBudget.take(from: "Flickr", allowing: limit) == nil)

    let other = Store(at: url)
    #expect(try await other.favorites.favorites() == [7])
    #expect(try await other.searches.page(for: key()) == PhotoPage(photos: [], isLast: true))
    #expect(try await other.documents.document(at: "a") == document)
    #expect(try await other.callBudget.take(from: "Flickr", allowing: limit) != nil)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: url.deletingLastPathComponent().path)
    #expect(files.allSatisfy { $0.hasPrefix("faketrack.sqlite") })
  }

  // Older versions

  /// The tables as each released version made them, by the names of its migrations.
  private static let oldSchemas: [(migrations: [String], sql: String)] = [
    ([], ""),
    (
      ["favorites"],
      """
      CREATE TABLE "favorite" ("id" INTEGER PRIMARY KEY, "addedAt" DATETIME NOT NULL
        DEFAULT (CURRENT_TIMESTAMP));
      INSERT INTO favorite (id) VALUES (3), (9);
      """
    ),
    (
      ["favorites", "searches and calls"],
      """
      CREATE TABLE "favorite" ("id" INTEGER PRIMARY KEY, "addedAt" DATETIME NOT NULL
        DEFAULT (CURRENT_TIMESTAMP));
      INSERT INTO favorite (id) VALUES (3), (9);
      CREATE TABLE "search" ("key" TEXT PRIMARY KEY, "page" BLOB NOT NULL,
        "size" INTEGER NOT NULL, "keptAt" DOUBLE NOT NULL);
      CREATE INDEX "search_on_keptAt" ON "search"("keptAt");
      CREATE TABLE "call" ("service" TEXT NOT NULL, "madeAt" DOUBLE NOT NULL);
      CREATE INDEX "call_service_madeAt" ON "call"("service", "madeAt");
      """
    ),
    (
      ["favorites", "searches and calls", "documents"],
      """
      CREATE TABLE "favorite" ("id" INTEGER PRIMARY KEY, "addedAt" DATETIME NOT NULL
        DEFAULT (CURRENT_TIMESTAMP));
      INSERT INTO favorite (id) VALUES (3), (9);
      CREATE TABLE "search" ("key" TEXT PRIMARY KEY, "page" BLOB NOT NULL,
        "size" INTEGER NOT NULL, "keptAt" DOUBLE NOT NULL);
      CREATE INDEX "search_on_keptAt" ON "search"("keptAt");
      CREATE TABLE "call" ("service" TEXT NOT NULL, "madeAt" DOUBLE NOT NULL);
      CREATE INDEX "call_service_madeAt" ON "call"("service", "madeAt");
      CREATE TABLE "document" ("number" INTEGER PRIMARY KEY AUTOINCREMENT,
        "address" TEXT NOT NULL UNIQUE, "body" BLOB NOT NULL, "entityTag" TEXT,
        "lastModified" TEXT, "freshUntil" DOUBLE NOT NULL, "mayBeUsedStale" BOOLEAN NOT NULL);
      """
    ),
    (
      ["favorites", "searches and calls", "documents", "sizes of searches"],
      """
      CREATE TABLE "favorite" ("id" INTEGER PRIMARY KEY, "addedAt" DATETIME NOT NULL
        DEFAULT (CURRENT_TIMESTAMP));
      INSERT INTO favorite (id) VALUES (3), (9);
      CREATE TABLE "search" ("key" TEXT PRIMARY KEY, "page" BLOB NOT NULL,
        "size" INTEGER NOT NULL, "keptAt" DOUBLE NOT NULL);
      CREATE INDEX "search_keptAt_size" ON "search"("keptAt", "size");
      CREATE TABLE "call" ("service" TEXT NOT NULL, "madeAt" DOUBLE NOT NULL);
      CREATE INDEX "call_service_madeAt" ON "call"("service", "madeAt");
      CREATE TABLE "document" ("number" INTEGER PRIMARY KEY AUTOINCREMENT,
        "address" TEXT NOT NULL UNIQUE, "body" BLOB NOT NULL, "entityTag" TEXT,
        "lastModified" TEXT, "freshUntil" DOUBLE NOT NULL, "mayBeUsedStale" BOOLEAN NOT NULL);
      """
    ),
  ]

  private func makeFile(_ sql: String, migrations: [String]) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let queue = try otherConnection(to: url)
    try queue.write { database in
      try database.execute(
        sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      for name in migrations {
        try database.execute(
          sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [name])
      }
      try database.execute(sql: sql)
    }
    try queue.close()
  }

  @Test(arguments: 0...4) func opensTheFileOfEveryOlderVersion(version: Int) async throws {
    let old = Self.oldSchemas[version]
    try makeFile(old.sql, migrations: old.migrations)
    let store = Store(at: url)
    #expect(try await store.favorites.favorites() == (version == 0 ? [] : [3, 9]))
    #expect(try await store.favorites.addFavorites([3, 4]) == (version == 0 ? [3, 4] : [4]))
    try await store.searches.store(PhotoPage(photos: [], isLast: true), for: key())
    #expect(try await store.searches.page(for: key()) != nil)
    let document = CachedDocument(body: Data(), freshUntil: Date(timeIntervalSince1970: 5))
    try await store.documents.setDocument(document, at: "a")
    #expect(try await store.documents.document(at: "a") == document)
  }

  @Test func aNewFileHasTheSchemaOfTheNewestVersion() async throws {
    try await Store(at: url).favorites.addFavorites([1])
    let names = try await otherConnection(to: url).read { database in
      try String.fetchSet(
        database, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    }
    #expect(
      names == [
        "grdb_migrations", "favorite", "search", "call", "document", "search_keptAt_size",
        "call_service_madeAt",
      ])
  }

  /// A later version may use its tables in another way.
  @Test func leavesTheFileOfALaterVersionAlone() async throws {
    let newest = Self.oldSchemas[4]
    try makeFile(newest.sql, migrations: newest.migrations + ["extra"])
    let before = try Data(contentsOf: url)
    let store = Store(at: url)
    let reading = await #expect(throws: StoreError.self) { try await store.favorites.favorites() }
    #expect(reading?.cause == .laterVersion)
    let writing = await #expect(throws: StoreError.self) {
      try await store.favorites.addFavorites([1])
    }
    #expect(
      writing?.description
        == """
        the favorites in \(url.path) cannot be used: a later version of faketrack has written it
        """)
    #expect(
      writing?.recoverySuggestion
        == "Use that version, or name another folder with FAKETRACK_HOME.")
    #expect(try Data(contentsOf: url) == before)
  }

  // Failures

  @Test(arguments: [4_096, 600, 16]) func saysThatAFileIsNoDatabase(count: Int) async throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let damaged = Data(repeating: 0x5A, count: count)
    try damaged.write(to: url)
    let store = Store(at: url)
    func isEmpty(_ contents: String) async throws -> Bool {
      switch contents {
      case "favorites": try await store.favorites.favorites().isEmpty
      case "searches": try await store.searches.page(for: key()) == nil
      case "documents": try await store.documents.document(at: "a") == nil
      default:
        try await store.callBudget.take(
          from: "Flickr", allowing: CallLimit(calls: 1, per: .seconds(1))) == nil
      }
    }
    for contents in ["favorites", "searches", "documents", "calls"] {
      let error = await #expect(throws: StoreError.self) { try await isEmpty(contents) }
      #expect(error?.contents == contents)
      #expect(error?.path == url.path)
      #expect(error?.reason == "file is not a database")
      #expect(
        error?.description
          == "the \(contents) in \(url.path) cannot be used: file is not a database")
      #expect(error?.cause == .damaged)
      #expect(
        error?.recoverySuggestion
          == "Rename the file to start afresh; sqlite3 may get contents back from it with .recover."
      )
    }
    #expect(try Data(contentsOf: url) == damaged)
  }

  @Test func findsDamageWhereNothingElseReads() async throws {
    let store = Store(at: url)
    #expect(try await store.check() == nil)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try await store.favorites.addFavorites([1, 2])
    try await store.documents.setDocument(
      CachedDocument(body: Data(count: 200_000), freshUntil: Date(timeIntervalSince1970: 5)),
      at: "a")
    #expect(try await store.check() == 2)

    let copy = directory.url.appendingPathComponent("copy.sqlite")
    let queue = try otherConnection(to: url)
    try await queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
    var bytes = try Data(contentsOf: url)
    // Each page of the document names the next one.
    bytes.replaceSubrange(
      bytes.count - 20 * 4_096..<bytes.count - 19 * 4_096, with: Data(count: 4_096))
    try bytes.write(to: copy)
    #expect(try await Store(at: copy).favorites.favorites() == [1, 2])
    let error = await #expect(throws: StoreError.self) { try await Store(at: copy).check() }
    #expect(error?.cause == .damaged)
    #expect(error?.reason.contains("\n") == false)
  }

  @Test func recoversOnceADamagedFileIsMovedAway() async throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 0x5A, count: 600).write(to: url)
    let store = Store(at: url)
    await #expect(throws: StoreError.self) { try await store.favorites.addFavorites([1]) }
    try FileManager.default.removeItem(at: url)
    #expect(try await store.favorites.addFavorites([1]) == [1])
  }

  @Test func saysThatAPageIsDamaged() async throws {
    let whole = Store(at: url)
    try await whole.favorites.addFavorites(Set(0..<2_000))
    let pages = try otherConnection(to: url)
    try await pages.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try pages.close()
    var bytes = try Data(contentsOf: url)
    try #require(bytes.count > 8_192)
    for position in 4_096..<bytes.count { bytes[position] = 0xEE }
    let copy = directory.url.appendingPathComponent("copy.sqlite")
    try bytes.write(to: copy)
    await #expect(throws: StoreError.self) { try await Store(at: copy).favorites.favorites() }
  }

  @Test func saysThatADirectoryIsNoStore() async throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let error = await #expect(throws: StoreError.self) {
      try await Store(at: url).favorites.favorites()
    }
    #expect(error?.reason == "unable to open database file")
  }

  @Test func saysThatThereIsNoPlaceForIt() async throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let blocked = directory.url.appendingPathComponent("file")
    try Data().write(to: blocked)
    let store = Store(at: blocked.appendingPathComponent("x.sqlite"))
    #expect(try await store.favorites.favorites().isEmpty)
    let error = await #expect(throws: StoreError.self) {
      try await store.favorites.addFavorites([1])
    }
    #expect(error?.reason.isEmpty == false)
  }

  /// A trigger stands in for a full disk, which a test cannot make: the transaction fails midway.
  @Test func aFailedWriteLeavesNothingBehind() async throws {
    let store = Store(at: url)
    try await store.favorites.addFavorites([1])
    let queue = try otherConnection(to: url)
    try await queue.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON favorite WHEN NEW.id = 13
          BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
          """)
    }
    try queue.close()
    let error = await #expect(throws: StoreError.self) {
      try await store.favorites.addFavorites(Set(10...20))
    }
    #expect(error?.reason == "database or disk is full")
    #expect(try await store.favorites.favorites() == [1])
  }

  @Test func readersDoNotWaitForAWriter() async throws {
    let store = Store(at: url)
    try await store.favorites.addFavorites([1])
    let writer = try otherConnection(to: url)
    try await writer.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE; INSERT INTO favorite (id) VALUES (2)")
    }
    #expect(try await store.favorites.favorites() == [1])
    try await writer.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(try await store.favorites.favorites() == [1, 2])
    try writer.close()
  }

  /// A writer in another process, which keeps the lock until it is closed.
  private func lock() throws -> DatabaseQueue {
    let writer = try otherConnection(to: url)
    try writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    return writer
  }

  @Test func saysThatAnotherProcessKeepsItLocked() async throws {
    let store = Store(at: url, lockLimit: .zero)
    try await store.favorites.addFavorites([1])
    let writer = try lock()
    let error = await #expect(throws: StoreError.self) {
      try await store.favorites.addFavorites([2])
    }
    #expect(error?.cause == .locked)
    #expect(error?.reason == "another process keeps it locked")
    #expect(error?.recoverySuggestion == "Try again once the other process is done.")
    #expect(try await store.favorites.favorites() == [1])
    try await writer.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    try writer.close()
    #expect(try await store.favorites.addFavorites([2]) == [2])
  }

  @Test func saysThatAnotherProcessIsOpeningIt() async throws {
    let folder = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    try #require(flock(descriptor, LOCK_EX) == 0)
    let store = Store(at: url, lockLimit: .zero)
    let error = await #expect(throws: StoreError.self) {
      try await store.favorites.addFavorites([2])
    }
    #expect(error?.cause == .locked)
    close(descriptor)
    #expect(try await store.favorites.addFavorites([2]) == [2])
  }

  @Test func aLockedFolderStopsOnlyTheMakingOfTables() async throws {
    let first = Store(at: url)
    try await first.favorites.addFavorites([1])
    let descriptor = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let store = Store(at: url, lockLimit: .zero)
    #expect(try await store.favorites.favorites() == [1])
    #expect(try await store.favorites.addFavorites([2]) == [2])
    // Closing the last connection takes a lock of SQLite.
    #expect(try await first.favorites.favorites() == [1, 2])
  }

  @Test func aCanceledTaskDoesNotWaitForALock() async throws {
    let folder = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let store = Store(at: url, lockLimit: .seconds(3_600))
    let task = Task { try await store.favorites.addFavorites([2]) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aPipeOrDeviceInItsPlaceIsRefused() async throws {
    let folder = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(mkfifo(url.path, 0o600) == 0)
    for place in [url, URL(fileURLWithPath: "/dev/null")] {
      let store = Store(at: place)
      let reading = await #expect(throws: StoreError.self) { try await store.favorites.favorites() }
      #expect(reading?.reason == "it is not a regular file")
      await #expect(throws: StoreError.self) { try await store.favorites.addFavorites([1]) }
    }
  }

  @Test func onlyItsOwnerMayReadIt() async throws {
    let store = Store(at: url)
    try await store.favorites.addFavorites([1])
    var status = stat()
    let folder = url.deletingLastPathComponent().path
    for (path, mode) in [(folder, 0o700), (url.path, 0o600), (url.path + "-wal", 0o600)] {
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode, "\(path)")
    }
    withExtendedLifetime(store) {}
  }

  /// A full disk leaves the file without tables.
  @Test func anEmptyFileHoldsNothing() async throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: url)
    #expect(try await Store(at: url).searches.page(for: key()) == nil)
    #expect(try Data(contentsOf: url).isEmpty)
  }

  /// Root may write everywhere.
  @Test(.enabled(if: getuid() != 0), arguments: [false, true])
  func readsAFileThatCannotBeWritten(hasOtherFiles: Bool) async throws {
    let writer = Store(at: url)
    try await writer.favorites.addFavorites([1, 2])
    let copy = directory.url.appendingPathComponent("copy/faketrack.sqlite")
    let folder = copy.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if !hasOtherFiles {
      let queue = try otherConnection(to: url)
      try await queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try queue.close()
    }
    for suffix in hasOtherFiles ? ["", "-wal", "-shm"] : [""] {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
      chmod(copy.path + suffix, 0o444)
    }
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    let store = Store(at: copy)
    #expect(try await store.favorites.favorites() == [1, 2])
    let error = await #expect(throws: StoreError.self) {
      try await store.favorites.addFavorites([3])
    }
    #expect(error?.cause == .readOnly)
    #expect(error?.reason == "it is read-only")
    #expect(try await store.favorites.favorites() == [1, 2])
  }

  @Test func aCancelledTaskGetsACancellationError() async throws {
    let store = Store(at: url)
    try await store.favorites.addFavorites([1])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.favorites.favorites()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // Several concurrently

  @Test func storesThatOpenOneNewFileAtOnceAllSucceed() async throws {
    let url = url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { try await Store(at: url).favorites.addFavorites([number]) }
      }
      try await group.waitForAll()
    }
    #expect(try await Store(at: url).favorites.favorites() == Set(0..<16))
  }

  @Test func tasksThatOpenOneStoreAtOnceShareItsPool() async throws {
    let store = Store(at: url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { try await store.favorites.addFavorites([number]) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.favorites.favorites() == Set(0..<16))
  }
}

/// A date that a test moves.
final class SteeredDate: Sendable {
  private let date = Locked(Date(timeIntervalSince1970: 1_777_622_400))

  var now: Date { date.withLock { $0 } }

  func move(by seconds: Double) {
    date.withLock { $0.addTimeInterval(seconds) }
  }
}

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
