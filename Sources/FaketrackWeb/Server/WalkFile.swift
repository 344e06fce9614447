import FaketrackFeatures
import FaketrackServer
import FaketrackSupport

/// A file that keeps what was found on a walk: `GET /tracking/walk.geojson` and the like.
struct WalkFile: Sendable {
  let name: String
  /// What it is called where one chooses.
  let title: String
  private let mediaType: String
  private let makeText: @Sendable (PagedList<Visit>) -> TextBuffer

  /// The locations in every format of records, and the authors of the photos.
  static let all: [WalkFile] =
    RecordFormat.all.map { format in
      WalkFile(name: "walk.\(format.name)", title: format.title, mediaType: format.mediaType) {
        text(of: $0, in: format)
      }
    } + [
      WalkFile(name: "credits.csv", title: "Credits", mediaType: RecordFormat.csv.mediaType) {
        credits(of: $0)
      }
    ]

  var address: String { "/tracking/\(name)" }

  /// The file of a walk.
  ///
  /// Asynchronous, so that it does not keep the main actor.
  func answer(_ visits: PagedList<Visit>) async -> WebResponse {
    let headers: WebHeaders = [
      "Content-Type": mediaType, "Content-Disposition": "attachment; filename=\"\(name)\"",
    ]
    return WebResponse(.ok, headers: headers, body: .bytes(Array(makeText(visits).string.utf8)))
  }

  private static func text(of visits: PagedList<Visit>, in format: RecordFormat) -> TextBuffer {
    var renderer = format.makeRenderer()
    var text = TextBuffer()
    renderer.appendOpening(to: &text)
    for (index, var visit) in visits.elements.enumerated() {
      // Each part of a walk counts its own.
      visit.index = index
      renderer.append(visit, to: &text)
    }
    renderer.appendClosing(to: &text)
    return text
  }

  private static func credits(of visits: PagedList<Visit>) -> TextBuffer {
    var text = TextBuffer()
    text.append(contentsOf: PhotoCredits.header)
    for visit in visits.elements {
      guard let photo = visit.photo else { continue }
      text.append(contentsOf: PhotoCredits.line(for: visit, file: photo.url.absoluteString))
    }
    return text
  }
}
