import Foundation
import GRDB
import Testing

@testable import FaketrackStore

@Suite struct TileFileTests {
  private let directory = TemporaryDirectory()

  private var url: URL { directory.url.appendingPathComponent("a region?.mbtiles") }

  private let usualTables = """
    CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
    """

  /// Makes a file with tiles as pairs of zoom, column and row from the south, and bytes.
  private func make(
    _ metadata: [String: String?] = ["format": "png"],
    _ tiles: [([Int], any DatabaseValueConvertible)] = [([0, 0, 0], Data([1]))],
    tables: String? = nil, inWAL: Bool = false
  ) throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: url.path)
    if inWAL {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    }
    try queue.write { database in
      try database.execute(sql: tables ?? usualTables)
      for (name, value) in metadata {
        try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
      }
      for (place, data) in tiles {
        try database.execute(
          sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
          arguments: [place[0], place[1], place[2], data])
      }
    }
    try queue.close()
  }

  private func failure() async -> TileFileError? {
    await #expect(throws: TileFileError.self) { try await TileFile.open(url.path) }
  }

  @Test func rowsAreCountedFromTheNorth() async throws {
    try make(["format": "png"], [([3, 5, 6], Data([7])), ([0, 0, 0], Data([8]))])
    let file = try await TileFile.open(url.path)
    #expect(try await file.tile(zoom: 3, column: 5, row: 1) == [7])
    #expect(try await file.tile(zoom: 3, column: 5, row: 6) == nil)
    #expect(try await file.tile(zoom: 0, column: 0, row: 0) == [8])
  }

  @Test(arguments: [
    ("png", "image/png"), ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("webp", "image/webp"),
    ("PNG", "image/png"),
  ])
  func picturesHaveTheirType(format: String, type: String) async throws {
    try make(["format": format])
    #expect(try await TileFile.open(url.path).mediaType == type)
  }

  @Test(
    arguments: [
      ("pbf", "has vector tiles, which the map cannot draw"),
      ("bmp", "has tiles in the format bmp, which the map cannot draw"),
      (nil, "does not name the format of its tiles"),
    ] as [(String?, String)])
  func otherFormatsAreRefused(format: String?, words: String) async throws {
    try make(["format": format])
    let error = try #require(await failure())
    #expect(error.cause == .format(format))
    #expect(error.description == "\(url.path): \(words)")
    #expect(error.recoverySuggestion == "Use an MBTiles file with PNG, JPEG or WebP tiles.")
  }

  @Test func aFileWithoutTilesIsRefused() async throws {
    try make(["format": "png"], [([31, 0, 0], Data([1])), ([-1, 0, 0], Data([1]))])
    #expect(await failure()?.cause == .empty)
  }

  @Test(arguments: ["", "CREATE TABLE x (y)", "CREATE TABLE metadata (name, value)"])
  func otherDatabasesAreRefused(tables: String) async throws {
    try make(tables.contains("metadata") ? ["format": "png"] : [:], [], tables: tables)
    #expect(await failure()?.cause == .notMBTiles)
  }

  @Test func otherFilesAreRefused() async throws {
    #expect(await failure()?.cause == .unreadable("No such file or directory"))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #expect(await failure()?.cause == .unreadable("it is not a regular file"))
    try FileManager.default.removeItem(at: url)
    try Data("a text ".utf8 + [UInt8](repeating: 7, count: 5_000)).write(to: url)
    #expect(await failure()?.cause == .notMBTiles)
  }

  @Test(arguments: [
    (0, 0, 0), (4, 0, 1), (3, 8, 0), (3, 0, 8), (3, -1, 0), (3, 0, -1), (-1, 0, 0), (64, 0, 0),
    (.max, .max, .max), (.min, .min, .min), (3, .max, .max),
  ])
  func otherTilesAreMissing(zoom: Int, column: Int, row: Int) async throws {
    try make(["format": "png"], [([3, 0, 0], Data([1]))])
    let file = try await TileFile.open(url.path)
    #expect(try await file.tile(zoom: zoom, column: column, row: row) == nil)
  }

  @Test func tilesThatAreTooLargeOrNoPicturesAreMissing() async throws {
    let largest = Data(repeating: 1, count: TileFile.tileLimit)
    try make(
      ["format": "png"],
      [
        ([2, 0, 0], largest), ([2, 1, 0], largest + [1]), ([2, 2, 0], Data()), ([2, 3, 0], "text"),
      ])
    let file = try await TileFile.open(url.path)
    #expect(try await file.tile(zoom: 2, column: 0, row: 3)?.count == TileFile.tileLimit)
    for column in 1...3 {
      #expect(try await file.tile(zoom: 2, column: column, row: 3) == nil)
    }
  }

  @Test func tilesMayBeAView() async throws {
    try make(
      ["format": "webp"], [],
      tables: """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
        CREATE TABLE images (tile_data BLOB, tile_id TEXT);
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
          FROM map JOIN images ON images.tile_id = map.tile_id;
        INSERT INTO images VALUES (x'05', 'sea');
        INSERT INTO map VALUES (1, 0, 0, 'sea'), (1, 1, 1, 'sea');
        """)
    let file = try await TileFile.open(url.path)
    #expect(file.zooms == 1...1)
    #expect(try await file.tile(zoom: 1, column: 0, row: 1) == [5])
    #expect(try await file.tile(zoom: 1, column: 1, row: 0) == [5])
    #expect(try await file.tile(zoom: 1, column: 0, row: 0) == nil)
  }

  @Test func zoomsAreThoseOfTheTiles() async throws {
    try make(
      ["format": "png", "minzoom": "1", "maxzoom": "22"],
      [([4, 0, 0], Data([1])), ([9, 0, 0], Data([1])), ([99, 0, 0], Data([1]))])
    #expect(try await TileFile.open(url.path).zooms == 4...9)
  }

  @Test(
    arguments: [
      ("12.9,52.3,13.2,52.5", [12.9, 52.3, 13.2, 52.5]),
      ("-180, -90, 180, 90", [-180, -90, 180, 90]),
      ("170,-10,-170,10", nil), ("12,53,13,52", nil), ("12,52,13", nil), ("12,52,13,53,1", nil),
      ("nan,52,13,53", nil), ("-181,52,13,53", nil), ("12,52,13,inf", nil), ("", nil),
      ("12,,13,53", nil), (nil, nil),
    ] as [(String?, [Double]?)])
  func boundsAreChecked(text: String?, bounds: [Double]?) async throws {
    try make(["format": "png", "bounds": text])
    #expect(try await TileFile.open(url.path).bounds == bounds)
  }

  @Test func knowsItsNameAndAttribution() async throws {
    try make(["format": "png", "attribution": String(repeating: "é", count: 5_000)])
    let file = try await TileFile.open(url.path)
    #expect(file.name == "a region?.mbtiles")
    #expect(file.attribution == String(repeating: "é", count: 4_096))
  }

  @Test(arguments: [false, true])
  func leavesNothingBesideTheFile(inWAL: Bool) async throws {
    try make(inWAL: inWAL)
    let before = try Data(contentsOf: url)
    // A folder that cannot be written, except by the administrator.
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.url.path)
    defer {
      try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.url.path)
    }
    let file = try await TileFile.open(url.path)
    #expect(try await file.tile(zoom: 0, column: 0, row: 0) == [1])
    let names = try files.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == [url.lastPathComponent])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func aDamagedFileIsAnError() async throws {
    try make(
      ["format": "png"], (0..<64).map { ([6, $0, 0], Data(repeating: UInt8($0), count: 3_000)) })
    var bytes = try Data(contentsOf: url)
    for index in bytes.indices where index >= 4_096 * 4 { bytes[index] = 0xA5 }
    try bytes.write(to: url)
    await #expect(throws: TileFileError.self) {
      let file = try await TileFile.open(url.path)
      for column in 0..<64 { _ = try await file.tile(zoom: 6, column: column, row: 63) }
    }
  }
}
