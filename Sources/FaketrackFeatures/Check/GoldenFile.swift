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

  /// Reads a file, without its records of events and of the end of a track.
  ///
  /// - Throws: ``Failure`` when it cannot be read, a line is no record, or there is no location.
  package static func locations(in path: String) throws(Failure) -> [Fix] {
    let reader = try LineReader(
      open(path, O_RDONLY | O_CLOEXEC), name: path, hint: "Check the path.")
    var fixes: [Fix] = []
    while let line = try reader.next() {
      guard case .text(let bytes) = line,
        let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
      else { throw unusable("\(reader.place): not a record") }
      guard let latitude = record.latitude, let longitude = record.longitude else { continue }
      guard let coordinate = try? Coordinate(latitude: latitude, longitude: longitude) else {
        throw unusable("\(reader.place): not a position on the Earth")
      }
      var time = record.time ?? ""
      fixes.append(Fix(coordinate, time: time.withUTF8 { GPXTime.parse($0) }))
    }
    if fixes.isEmpty { throw unusable("\(path): no location") }
    return fixes
  }

  private static func unusable(_ message: String) -> Failure {
    Failure(
      message: message, hint: "Write it with faketrack replay walk.gpx --format ndjson.",
      kind: .unusableInput)
  }
}
