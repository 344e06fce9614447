import FaketrackServices
import FaketrackTestSupport
import Foundation
import Geodesy
import PhotoSearch

@testable import FaketrackFeatures

extension Visit {
  /// A visit with a photo of this id; `nil` for none.
  static func photographed(
    _ id: String?, index: Int = 0, at address: String? = nil
  ) throws -> Visit {
    var visit = Visit(index: index, fix: Fix(Coordinate(unchecked: 52.4, 13.06)))
    if let id, let url = URL(string: address ?? "https://images.example/\(id).jpg") {
      visit.photo = Photo(id: id, title: "Title", owner: "Owner", imageURL: url)
    }
    return visit
  }
}

extension ServiceResponse {
  /// A response as image servers send it.
  static func image(_ text: String, type: String = "image/jpeg") -> ServiceResponse {
    .text(text, headers: ["Content-Type": type])
  }
}

extension PhotoFolder {
  /// Downloads the photo of a visit, and returns its path; `nil` without a photo.
  func download(_ visit: Visit) async throws -> String? {
    guard let photo = visit.photo else { return nil }
    try open()
    return try keep(try await fetch(photo, for: visit.index), of: visit)
  }

  /// A download folder without delays and with scripted responses.
  init(_ directory: String, _ fetcher: ScriptedFetcher, _ clock: RecordingClock = .init()) {
    self.init(
      directory,
      fetching: Self.client(
        userAgent: "tester/1",
        in: ServiceEnvironment(fetcher: fetcher, clock: clock, jitterSeed: 1)))
  }
}
