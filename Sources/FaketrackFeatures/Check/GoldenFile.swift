import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// The locations in an ndjson output of `replay`, to compare a walk with.
package enum GoldenFile {
  private struct Record: Decodable {
    let latitude: Double?
    let longitude: Double?
    let time: String?
  }

  /// The maximum number of locations: 17 days with one a second.
  private static let limit = 1_500_000

  /// Reads a file, without its records of events and of the end of a track.
  ///
  /// - Throws: ``Failure`` when it cannot be read, a line is no record, or there is no location.
  package static func locations(in path: String) throws(Failure) -> [Fix] {
    let reader = try LineReader(
      open(path, O_RDONLY | O_CLOEXEC), name: path, hint: hint, limit: 1 << 20)
    let decoder = JSONDecoder()
    var fixes: [Fix] = []
    // Pages without locations take no memory, but growing copies them.
    fixes.reserveCapacity(limit)
    while let line = try reader.next() {
      let record: Record? =
        switch line {
        case .text(let bytes), .unfinished(let bytes):
          try? decoder.decode(Record.self, from: Data(bytes))
        case .tooLong: nil
        }
      guard let record else { throw unusable("\(reader.place): not a record") }
      guard let latitude = record.latitude, let longitude = record.longitude else { continue }
      guard let coordinate = try? Coordinate(latitude: latitude, longitude: longitude) else {
        throw unusable("\(reader.place): not a position on the Earth")
      }
      guard fixes.count < limit else {
        throw unusable("\(path): more than \(Quantity.grouped(limit)) locations")
      }
      var time = record.time ?? ""
      fixes.append(Fix(coordinate, time: time.withUTF8 { GPXTime.parse($0) }))
    }
    if fixes.isEmpty { throw unusable("\(path): no location") }
    return fixes
  }

  private static let hint = "Write it with faketrack replay walk.gpx --format ndjson."

  private static func unusable(_ message: String) -> Failure {
    Failure(message: message, hint: hint, kind: .unusableInput)
  }
}
