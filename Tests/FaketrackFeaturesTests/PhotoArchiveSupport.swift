import Cities
import FaketrackServices
import FaketrackTerminal
import FaketrackTestSupport
import Foundation
import Geodesy
import PhotoSearch

@testable import FaketrackFeatures

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  var path: String { url.path }

  /// The names of the files, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func text(of name: String) -> String? {
    FileManager.default.contents(atPath: "\(path)/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

extension Visit {
  /// A visit whose photo bears the id; `nil` for none.
  static func photographed(
    _ id: String?, index: Int = 0, at address: String? = nil, title: String = "Title"
  ) throws -> Visit {
    let position = try Coordinate(latitude: 52.4, longitude: 13.06)
    let url = URL(string: address ?? "https://images.example/\(id ?? "").jpg")
    return Visit(
      index: index, fix: Fix(position),
      photo: zip(id, url).map { id, url in
        Photo(
          id: id, title: title, owner: "Änne, M.",
          license: PhotoLicense(
            name: "CC BY 2.0", url: URL(literal: "https://licence.example/"),
            terms: .creativeCommons),
          url: url, page: URL(literal: "https://page.example/1"))
      })
  }

  private static func zip<One, Other>(_ one: One?, _ other: Other?) -> (One, Other)? {
    guard let one, let other else { return nil }
    return (one, other)
  }
}

extension HTTPResponse {
  /// An answer as image servers send it.
  static func image(_ text: String, type: String = "image/jpeg") -> HTTPResponse {
    .text(text, headers: ["Content-Type": type])
  }
}

extension PhotoArchive {
  /// An archive in which nothing waits and every answer is scripted.
  init(_ directory: String, _ fetcher: ScriptedFetcher, _ clock: RecordingClock = .init()) {
    self.init(
      directory, header: PhotoCredits.header,
      in: ServiceEnvironment(fetcher: fetcher, clock: clock, jitterSeed: 1),
      credit: PhotoCredits.line)
  }
}
