import FaketrackFeatures
import FaketrackServer
import FaketrackSupport

/// A file that keeps what was found on a walk: `GET /tracking/walk.geojson` and the like.
struct WalkFile: Sendable {
  let name: String
  /// What it is called where one chooses.
  let title: String
  private let mediaType: String
  private let frame: DocumentFrame
  private let makeRenderer: @Sendable () -> any VisitRenderer

  /// The locations in every format of records, and the authors of the photos.
  static let all: [WalkFile] =
    RecordFormat.all.map { format in
      WalkFile(
        name: "walk.\(format.name)", title: format.title, mediaType: format.mediaType,
        frame: format.frame(false), makeRenderer: { format.makeRenderer(nil) })
    } + [
      WalkFile(
        name: "credits.csv", title: "Credits", mediaType: RecordFormat.csv.mediaType,
        frame: DocumentFrame(opening: PhotoCredits.header), makeRenderer: { CreditsRenderer() })
    ]

  var address: String { "/tracking/\(name)" }

  /// The file of a walk, which is made as fast as the browser takes it.
  func answer(_ visits: PagedList<Visit>) -> WebResponse {
    WebResponse(
      .ok,
      headers: [
        "Content-Type": mediaType, "Content-Disposition": "attachment; filename=\"\(name)\"",
      ],
      body: .stream(WalkFilePieces(visits: visits, frame: frame, makeRenderer: makeRenderer)))
  }
}

/// A file of a walk, a page of visits at a time.
private struct WalkFilePieces: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  let visits: PagedList<Visit>
  let frame: DocumentFrame
  let makeRenderer: @Sendable () -> any VisitRenderer

  func makeAsyncIterator() -> Iterator {
    Iterator(
      frame: frame, renderer: makeRenderer(), pages: visits.pages[...],
      places: VisitPlaces(visits.forgotten))
  }

  struct Iterator: AsyncIteratorProtocol {
    let frame: DocumentFrame
    var renderer: any VisitRenderer
    var pages: ArraySlice<[Visit]>
    var places: VisitPlaces
    var isOpen = false
    var isClosed = false

    mutating func next() async throws -> [UInt8]? {
      guard !isClosed else { return nil }
      var text = TextBuffer()
      if !isOpen {
        text.append(contentsOf: frame.opening)
        renderer.appendOpening(to: &text)
        isOpen = true
      }
      for visit in pages.popFirst() ?? [] { renderer.append(places.placed(visit), to: &text) }
      if pages.isEmpty {
        renderer.appendClosing(nil, to: &text)
        text.append(contentsOf: frame.closing)
        isClosed = true
      }
      return text.bytes
    }
  }
}

/// Gives the visits of a walk that went on elsewhere their places in one file: each part of a walk counts
/// its own, and what lies between two parts was not walked.
private struct VisitPlaces {
  private var index: Int
  private var segment = 0
  /// The segment of the track that the visit before was on.
  private var recorded: Int?

  /// - Parameter count: the visits that came before and are no longer known.
  init(_ count: Int) {
    index = count
  }

  mutating func placed(_ visit: Visit) -> Visit {
    if let recorded, visit.index == 0 || visit.fix.segment != recorded { segment += 1 }
    recorded = visit.fix.segment
    var placed = visit
    placed.index = index
    placed.fix.segment = segment
    index += 1
    return placed
  }
}

/// The authors of the photos.
private struct CreditsRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {
    guard let photo = visit.photo else { return }
    text.append(contentsOf: PhotoCredits.line(for: visit, file: photo.url.absoluteString))
  }
}
