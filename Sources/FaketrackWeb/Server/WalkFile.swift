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
          try keepsake.page(limit: Self.keepsakeLimit)
        }
      }
      return answer(.bytes(Array(page.utf8)))
    } catch {
      return .text(Failure(error).message, status: .internalServerError)
    }
  }

  private static let keepsakeLimit = 20_000_000
  /// Decoding photos takes all cores.
  private static let keepsakes = RequestGate(limit: 1)

  private func answer(_ body: WebResponse.Body) -> WebResponse {
    .file(body, named: name, type: mediaType)
  }
}

private struct WalkFilePieces: AsyncSequence, Sendable {
  let visits: PagedList<Visit>
  let format: OutputFormat

  func makeAsyncIterator() -> Iterator {
    Iterator(
      frame: format.frame(false), renderer: format.makeRenderer?(nil), pages: visits.pages[...],
      places: VisitPlaces(visits.forgotten))
  }

  struct Iterator: AsyncIteratorProtocol {
    let frame: DocumentFrame
    var renderer: (any VisitRenderer)?
    var pages: ArraySlice<[Visit]>
    var places: VisitPlaces
    var isOpen = false
    var isClosed = false

    mutating func next() async throws -> [UInt8]? {
      guard !isClosed else { return nil }
      var text = TextBuffer()
      if !isOpen {
        text.append(contentsOf: frame.opening)
        renderer?.appendOpening(to: &text)
        isOpen = true
      }
      for visit in pages.popFirst() ?? [] { renderer?.append(places.placed(visit), to: &text) }
      if pages.isEmpty {
        renderer?.appendClosing(nil, to: &text)
        text.append(contentsOf: frame.closing)
        isClosed = true
      }
      return text.bytes
    }
  }
}

/// Numbers the visits of a walk that continued elsewhere for one file: each part of a walk has its own
/// numbers, and the gap between two parts was not walked.
private struct VisitPlaces {
  private var index: Int
  private var segment = 0
  private var recorded: Int?

  /// - Parameter count: the number of earlier visits that are no longer known.
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
