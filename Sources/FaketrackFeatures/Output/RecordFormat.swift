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
  /// Makes a renderer for one run.
  package let makeRenderer: @Sendable () -> any VisitRenderer

  package static let all: [RecordFormat] = [
    .ndjson,
    .csv,
    .geojson,
    .gpx,
  ]
}

/// Turns the visits of one run into text. Each part ends with its own line break.
package protocol VisitRenderer: Sendable {
  /// Appends what comes before the first visit; called once, before any other method.
  mutating func appendOpening(to text: inout TextBuffer)
  /// Appends the visit, or nothing where this format has none to show.
  mutating func append(_ visit: Visit, to text: inout TextBuffer)
  /// Appends what comes after the last visit; called once, after any other method.
  mutating func appendClosing(to text: inout TextBuffer)
}

extension VisitRenderer {
  package func appendOpening(to text: inout TextBuffer) {}
  package func appendClosing(to text: inout TextBuffer) {}
}

extension Photo {
  /// The author and the license, as they are named beside the photo.
  package var credit: String {
    "© \(owner)\(license.map { ", \($0.name)" } ?? "")".safeForTerminal
  }
}
