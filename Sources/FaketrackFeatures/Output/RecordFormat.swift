import FaketrackSupport
import PhotoSearch

/// A format in which other programs read the locations of a walk.
///
/// Each format has a file of its own in this folder and a line in ``all``.
package struct RecordFormat: Sendable {
  /// The value of `--format`, and the extension of a file.
  package let name: String
  /// What people call it.
  package let title: String
  /// The `Content-Type` of a file.
  package let mediaType: String
  /// What stands around the tracks of a document, which may have names.
  package let frame: @Sendable (_ hasNames: Bool) -> DocumentFrame
  /// Makes a renderer for one track, whose name is in its records if it has one.
  package let makeRenderer: @Sendable (_ track: String?) -> any VisitRenderer

  package init(
    name: String, title: String, mediaType: String,
    frame: @escaping @Sendable (_ hasNames: Bool) -> DocumentFrame = { _ in DocumentFrame() },
    makeRenderer: @escaping @Sendable (_ track: String?) -> any VisitRenderer
  ) {
    self.name = name
    self.title = title
    self.mediaType = mediaType
    self.frame = frame
    self.makeRenderer = makeRenderer
  }

  package static let all: [RecordFormat] = [
    .ndjson,
    .csv,
    .geojson,
    .gpx,
  ]
}

/// Turns the visits of one track into text, apart from those of other tracks.
package protocol VisitRenderer: Sendable {
  /// Appends what comes before the first visit; called once, before any other method.
  mutating func appendOpening(to text: inout TextBuffer)
  /// Appends the visit, or nothing where this format has none to show.
  mutating func append(_ visit: Visit, to text: inout TextBuffer)
  /// Appends what comes after the last visit; called once, after any other method.
  ///
  /// - Parameter end: how the track ended; `nil` if it breaks off.
  mutating func appendClosing(_ end: TrackEnd?, to text: inout TextBuffer)
}

extension VisitRenderer {
  package func appendOpening(to text: inout TextBuffer) {}
  package func appendClosing(_ end: TrackEnd?, to text: inout TextBuffer) {}
}

/// What stands around the texts of the tracks of a document.
package struct DocumentFrame: Sendable {
  package var opening = ""
  /// What stands between the texts of two tracks, but for empty ones.
  package var separator = ""
  package var closing = ""

  package init(opening: String = "", separator: String = "", closing: String = "") {
    self.opening = opening
    self.separator = separator
    self.closing = closing
  }
}

/// How a track ended.
package enum TrackEnd: Hashable, Sendable {
  /// All of it has been replayed.
  case whole(TrackTotals)
  /// Something went wrong, for this reason.
  case failed(String)
}

/// What came of a track.
package struct TrackTotals: Hashable, Sendable {
  package var locations: Int
  package var photos: Int
  /// Meters along the track up to the last location.
  package var length: Double
  /// Points that could not be used.
  package var skipped: Int

  package init(locations: Int, photos: Int, length: Double, skipped: Int) {
    self.locations = locations
    self.photos = photos
    self.length = length
    self.skipped = skipped
  }

  /// - Parameters:
  ///   - state: the walk at its end.
  ///   - skipped: points that could not be used.
  package init(_ state: TrackingState, skipped: Int) {
    self.init(
      locations: state.searched, photos: state.found,
      length: state.lastVisit?.fix.distance ?? 0, skipped: skipped)
  }
}

extension Photo {
  /// The author and the license, as they are named beside the photo.
  package var credit: String {
    "© \(owner)\(license.map { ", \($0.name)" } ?? "")".safeForTerminal
  }
}
