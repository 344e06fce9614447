import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Receivers

/// A recording of locations: GPX, the ndjson or GeoJSON of `replay`, NMEA 0183, or JSON of OwnTracks.
package enum RecordingFile {
  /// The maximum number of locations that are held: 17 days with one a second.
  private static let limit = 1_500_000

  /// Reads the locations of a file.
  ///
  /// - Throws: ``Failure`` when it cannot be read, or has no location.
  package static func fixes(in path: String) async throws -> [Fix] {
    guard [.regular, .characterDevice, nil].contains(FileKind(path)) else {
      throw unusable("\(path): not a file")
    }
    var fixes: [Fix] = []
    if let recorded = try recorded(in: path) {
      fixes = recorded
    } else {
      for try await batch in Track(.file(path)).fixes().batches {
        guard fixes.count + batch.count <= limit else { throw tooLong(path) }
        fixes += batch
      }
    }
    if fixes.isEmpty { throw unusable("\(path): no location") }
    return fixes
  }

  /// The track of a recording as GPX; a track in GPX as it is.
  package static func converted(_ track: BatchTrack) -> BatchTrack {
    guard case .success(.file(let path)) = track.input, FileKind(path) == .regular else {
      return track
    }
    var track = track
    do throws(Failure) {
      guard let fixes = try recorded(in: path) else { return track }
      if fixes.isEmpty { throw unusable("\(path): no location") }
      let bytes = Array(GPXDocument(fixes).data(creator: "faketrack"))
      track.input = .success(.bytes(bytes, name: path))
    } catch {
      track.input = .failure(error)
    }
    return track
  }

  /// The locations of a file in another format than GPX; `nil` for any other file.
  private static func recorded(in path: String) throws(Failure) -> [Fix]? {
    let head: [UInt8]
    do {
      head = try WholeFile.head(of: path, count: 4_096)
    } catch {
      throw .unreadable(path, code: error.code)
    }
    let text = String(decoding: head.withoutByteOrderMark, as: UTF8.self)
      .drop(while: \.isWhitespace)
    if text.first == "{",
      text.contains(#/"type"\s*:\s*"(?:Feature|Geometry|Multi|Line|Point|Polygon)/#)
    {
      return try GeoJSONFile(path).fixes
    }
    if text.first == "{" || text.prefix(while: { !$0.isNewline }).contains(#/\t *\{"_type"/#) {
      return try fixes(ofLinesIn: path) { line in try record(line) }
    }
    if text.first == "$" || text.first == "!" {
      var reader = NMEAReader()
      return try fixes(ofLinesIn: path) { line in
        switch reader.read(line) {
        case .fix(let fix): .fix(fix)
        case .noFix: .gap
        case nil: .none
        }
      }
    }
    return nil
  }

  private enum Line {
    case fix(Fix)
    /// The signal is lost.
    case gap
    case none
  }

  private static func fixes(
    ofLinesIn path: String, _ parse: ([UInt8]) throws -> Line
  ) throws(Failure) -> [Fix] {
    let reader = try LineReader(
      open(path, O_RDONLY | O_CLOEXEC), name: path, hint: hint, limit: 1 << 20)
    var fixes: [Fix] = []
    var segment = 0
    while let line = try reader.next() {
      let parsed: Line?
      switch line {
      case .text(let bytes), .unfinished(let bytes): parsed = try? parse(bytes)
      case .tooLong: parsed = nil
      }
      switch parsed {
      case .fix(var fix):
        guard fixes.count < limit else { throw tooLong(path) }
        fix.segment = segment
        fixes.append(fix)
      case .gap: if fixes.last?.segment == segment { segment += 1 }
      case Line.none?: break
      case nil: throw unusable("\(reader.place): not a record of a location")
      }
    }
    return fixes
  }

  /// A line of `replay --format ndjson`, or of OwnTracks, where text may come before the JSON.
  private static func record(_ line: [UInt8]) throws -> Line {
    let line = line.withoutByteOrderMark
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return .none }
    guard let start = line.firstIndex(of: UInt8(ascii: "{")) else { throw NoRecord() }
    let record = try JSONDecoder().decode(Record.self, from: Data(line[start...]))
    if record.event == "signal-lost" { return .gap }
    // OwnTracks has regions, too.
    if let kind = record._type, kind != "location" { return .none }
    guard let latitude = record.latitude ?? record.lat,
      let longitude = record.longitude ?? record.lon
    else { return .none }
    var fix = Fix(try Coordinate(latitude: latitude, longitude: longitude))
    var time = record.time ?? ""
    fix.time =
      time.withUTF8 { GPXTime.parse($0) }
      ?? record.tst.flatMap { 0...latest ~= $0 ? Date(timeIntervalSince1970: $0) : nil }
    fix.elevation = record.elevation ?? record.alt
    fix.horizontalAccuracy = record.horizontalAccuracy ?? record.acc
    fix.distance = record.distance
    return .fix(fix)
  }

  /// The end of the year 9999, in seconds of Unix time.
  private static let latest = 253_402_300_799.0

  private struct NoRecord: Error {}

  /// The keys of both formats.
  private struct Record: Decodable {
    let event, _type: String?
    let latitude, longitude, elevation, horizontalAccuracy, distance: Double?
    let time: String?
    let lat, lon, alt, acc, tst: Double?
  }

  private static let hint =
    "A recording is GPX, the ndjson or geojson of faketrack replay, NMEA or OwnTracks."

  static func unusable(_ message: String) -> Failure {
    Failure(message: message, hint: hint, kind: .unusableInput)
  }

  private static func tooLong(_ path: String) -> Failure {
    unusable("\(path): more than \(Quantity.grouped(limit)) locations")
  }
}
