import FaketrackSupport
import Foundation
import GRDB

/// The raster tiles in an MBTiles file, such as a region for a map without a network.
///
/// The file is only read, and without locks: nothing is created beside it, and it must not change while
/// it is open. One tile at a time is in memory.
///
/// Source: MBTiles 1.3, https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md
package final class TileFile: Sendable {
  /// Maximum size of a tile in bytes; larger tiles count as missing.
  package static let tileLimit = 2 << 20
  /// Maximum number of characters of a value in the metadata.
  private static let textLimit = 4_096
  private static let deepestZoom = 30
  private static let mediaTypes = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
  ]

  /// The name of the file without its folder.
  package let name: String
  /// The media type of all tiles, such as `image/png`.
  package let mediaType: String
  /// The lowest and the highest zoom with a tile, from 0 to 30.
  package let zooms: ClosedRange<Int>
  /// West, south, east and north in degrees; `nil` if the file has no valid bounds.
  package let bounds: [Double]?
  /// The attribution as HTML, cut off after 4,096 characters.
  package let attribution: String?
  private let path: String
  private let database: DatabaseQueue
  private let reader: DispatchQueue

  /// Opens a file.
  ///
  /// - Throws: ``TileFileError``, or `CancellationError`.
  package static func open(_ path: String) async throws -> TileFile {
    let reader = DispatchQueue(label: "faketrack.tiles")
    return try await reader.blocking { try TileFile(path, reader) }
  }

  private init(_ path: String, _ reader: DispatchQueue) throws(TileFileError) {
    self.path = path
    self.reader = reader
    do {
      try Self.requireFile(at: path)
      var configuration = Configuration()
      configuration.label = "faketrack.tiles"
      configuration.readonly = true
      // Anyone may have made the file: its views get no functions with side effects.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
      let url = URL(fileURLWithPath: path)
      database = try DatabaseQueue(
        path: url.absoluteString + "?immutable=1", configuration: configuration)
      let metadata = try database.read(Self.metadata)
      guard let mediaType = metadata["format"].flatMap({ Self.mediaTypes[$0.lowercased()] }) else {
        throw TileFileError.Cause.format(metadata["format"].map { String($0.prefix(20)) })
      }
      guard let zooms = try database.read(Self.zooms) else { throw TileFileError.Cause.empty }
      name = url.lastPathComponent
      self.mediaType = mediaType
      self.zooms = zooms
      bounds = metadata["bounds"].flatMap(Self.bounds)
      attribution = metadata["attribution"]
    } catch {
      throw TileFileError(error, path: path)
    }
  }

  /// Returns the picture of a tile, whose column and row are counted from the northwest; `nil` if the
  /// file lacks it.
  ///
  /// - Throws: ``TileFileError``, or `CancellationError`.
  /// - Complexity: O(log *n*) for a file of *n* tiles with an index, as almost all files have.
  package func tile(zoom: Int, column: Int, row: Int) async throws -> [UInt8]? {
    guard zooms.contains(zoom) else { return nil }
    let side = 1 << zoom
    guard (0..<side).contains(column), (0..<side).contains(row) else { return nil }
    return try await reader.blocking { [path, database] in
      do {
        return try database.read { database in
          let statement = try database.cachedStatement(
            sql: """
              SELECT tile_data FROM tiles
              WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                AND typeof(tile_data) = 'blob' AND length(tile_data) BETWEEN 1 AND ?
              LIMIT 1
              """)
          // The file counts rows from the south.
          return try Data.fetchOne(
            statement, arguments: [zoom, column, side - 1 - row, Self.tileLimit]
          ).map(Array.init)
        }
      } catch {
        throw TileFileError(error, path: path)
      }
    }
  }

  private static func requireFile(at path: String) throws {
    // Opening a pipe would wait for its other end.
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    guard FileKind(descriptor) == .regular else {
      throw FileError(path: path, code: FileError.notAFile)
    }
  }

  private static func metadata(in database: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT name, substr(CAST(value AS TEXT), 1, ?) AS value FROM metadata
        WHERE name IN ('format', 'bounds', 'attribution') AND value IS NOT NULL LIMIT 100
        """, arguments: [textLimit])
    return Dictionary(
      rows.map { ($0["name"], $0["value"]) }, uniquingKeysWith: { first, _ in first })
  }

  private static func zooms(in database: Database) throws -> ClosedRange<Int>? {
    func first(_ order: String) throws -> Int? {
      try Int.fetchOne(
        database,
        sql: """
          SELECT zoom_level FROM tiles WHERE zoom_level BETWEEN 0 AND ?
          ORDER BY zoom_level \(order) LIMIT 1
          """, arguments: [deepestZoom])
    }
    guard let lowest = try first("ASC"), let highest = try first("DESC") else { return nil }
    return lowest...highest
  }

  private static func bounds(_ text: String) -> [Double]? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces)) ?? .nan
    }
    guard numbers.count == 4, numbers[0] < numbers[2], numbers[1] < numbers[3],
      numbers[0] >= -180, numbers[2] <= 180, numbers[1] >= -90, numbers[3] <= 90
    else { return nil }
    return numbers
  }
}

/// A file of map tiles cannot be used.
package struct TileFileError: Error, Hashable, Sendable {
  package enum Cause: Error, Hashable, Sendable {
    /// The file cannot be read, for a reason in words.
    case unreadable(String)
    /// The file is not a database, or lacks the tables of MBTiles.
    case notMBTiles
    /// The metadata name no format of pictures: another one such as `pbf`, or none.
    case format(String?)
    /// The file has no tiles.
    case empty
  }

  package let path: String
  package let cause: Cause

  init(_ error: any Error, path: String) {
    self.path = path
    cause =
      switch error {
      case let cause as Cause: cause
      case let error as Self: error.cause
      case let error as FileError: .unreadable(error.reason)
      // SQLite reports a table that does not exist as a wrong statement.
      case DatabaseError.SQLITE_NOTADB, DatabaseError.SQLITE_ERROR: .notMBTiles
      case let error as DatabaseError: .unreadable(error.message ?? error.description)
      default: .unreadable(error.localizedDescription)
      }
  }

  /// A remedy.
  package var recoverySuggestion: String {
    switch cause {
    case .unreadable: "Check the name and the permissions of the file."
    case .notMBTiles, .format: "Use an MBTiles file with PNG, JPEG or WebP tiles."
    case .empty: "Export the region again, with at least one zoom."
    }
  }
}

extension TileFileError: CustomStringConvertible {
  package var description: String {
    switch cause {
    case .unreadable(let reason): "\(path): cannot be read: \(reason)"
    case .notMBTiles: "\(path): is not an MBTiles file"
    case .format("pbf"): "\(path): has vector tiles, which the map cannot draw"
    case .format(let name?): "\(path): has tiles in the format \(name), which the map cannot draw"
    case .format(nil): "\(path): does not name the format of its tiles"
    case .empty: "\(path): has no tiles"
    }
  }
}
