import FaketrackStore
import Foundation
import Geodesy

/// A directory of a test's own, with a place for what is kept between runs.
final class TestHome: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("faketrack-\(UUID().uuidString)")

  /// What `FAKETRACK_HOME` is.
  var store: URL { url.appendingPathComponent("home") }
  /// The database of searches and calls.
  var database: URL { store.appendingPathComponent("faketrack.sqlite") }

  init() throws {
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a track of positions 101 m apart on a line, and perhaps back, and returns its path.
  func track(_ count: Int, andBack: Bool = false) throws -> String {
    let start = try Coordinate(latitude: 52.4009, longitude: 13.0591)
    let out = (0..<count).map { start.destination(distance: Double($0) * 101, bearing: 60) }
    let points = (andBack ? out + out.reversed() : out)
      .map { #"<trkpt lat="\#($0.latitude)" lon="\#($0.longitude)"/>"# }
    let text = """
      <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      \(points.joined(separator: "\n"))
      </trkseg></trk></gpx>
      """
    let file = url.appendingPathComponent("walk-\(count)-\(andBack).gpx")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// The names of a directory's files, sorted.
  func names(in directory: String) -> [String] {
    let path = url.appendingPathComponent(directory).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func text(of file: String) -> String {
    FileManager.default.contents(atPath: url.appendingPathComponent(file).path)
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The walk that comes with the package.
  static let exampleTrack = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("faketrack.gpx").path
}
