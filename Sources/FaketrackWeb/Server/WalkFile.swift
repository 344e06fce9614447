import Dispatch
import FaketrackFeatures
import FaketrackServer
import FaketrackServices
import FaketrackSupport

/// A file of the locations of a walk: `GET /tracking/walk.geojson` and the like.
struct WalkFile: Sendable {
  let name: String
  let title: String
  /// Whether it is a page of the walk, with its map.
  var isPage: Bool { format.isPage }
  private let mediaType: String
  private let format: OutputFormat

  /// The walk in every format that has a file, and the authors of the photos.
  static let all: [WalkFile] =
    OutputFormat.plain.compactMap { WalkFile("walk.\($0.name)", $0) }
    + [WalkFile("credits.csv", PhotoCredits.format)].compactMap(\.self)

  private init?(_ name: String, _ format: OutputFormat) {
    guard let download = format.download else { return nil }
    self.name = name
    self.format = format
    (title, mediaType) = download
  }

  var address: String { "/tracking/\(name)" }

  func answer(_ visits: PagedList<Visit>) -> WebResponse {
    answer(.stream(WalkFilePieces(visits: visits, format: format)))
  }

  /// The page of a walk.
  func answer(_ keepsake: Keepsake) async -> WebResponse {
    do {
      let page = try await Self.keepsakes.pass {
        try await DispatchQueue(label: "faketrack.keepsake").blocking {
          try keepsake.page(limit: Keepsake.limit)
        }
      }
      return answer(.bytes(Array(page.utf8)))
    } catch {
      return .text(Failure(error).message, status: .internalServerError)
    }
  }

  /// Decoding photos takes all cores.
  private static let keepsakes = RequestGate(limit: 1)

  private func answer(_ body: WebResponse.Body) -> WebResponse {
    .file(body, named: name, type: mediaType)
  }
}
