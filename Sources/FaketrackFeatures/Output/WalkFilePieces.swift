import FaketrackSupport

/// The locations of a walk as the pieces of a file.
package struct WalkFilePieces: AsyncSequence, Sendable {
  private let visits: PagedList<Visit>
  private let format: OutputFormat

  package init(visits: PagedList<Visit>, format: OutputFormat) {
    self.visits = visits
    self.format = format
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(
      frame: format.frame(false), renderer: format.makeRenderer?(nil), pages: visits.pages[...],
      places: VisitPlaces(visits.forgotten))
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let frame: DocumentFrame
    fileprivate var renderer: (any VisitRenderer)?
    fileprivate var pages: ArraySlice<[Visit]>
    fileprivate var places: VisitPlaces
    fileprivate var isOpen = false
    fileprivate var isClosed = false

    package mutating func next() async throws -> [UInt8]? {
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
