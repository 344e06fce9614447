import FaketrackFeatures
import FaketrackSupport
import PhotoSearch

/// A format in which `replay` writes its locations; the value of `--format`.
///
/// Each format has a file of its own in this folder and a line in ``all``.
package struct OutputFormat: Sendable {
  /// The value of `--format`.
  package let name: String
  /// Whether locations get a photo.
  package let showsPhotos: Bool
  /// Meters between new locations, unless the user says otherwise.
  package let distanceFilter: Double
  /// Seconds of track time between fixes, unless the user says otherwise; `nil` takes those that
  /// were recorded.
  package let interval: Double?
  /// Makes a renderer for one run.
  package let makeRenderer: @Sendable (TerminalStyle) -> any VisitRenderer

  package init(
    _ name: String, showsPhotos: Bool = true, distanceFilter: Double = 100, interval: Double? = nil,
    makeRenderer: @escaping @Sendable (TerminalStyle) -> any VisitRenderer
  ) {
    self.name = name
    self.showsPhotos = showsPhotos
    self.distanceFilter = distanceFilter
    self.interval = interval
    self.makeRenderer = makeRenderer
  }

  /// The formats, in the order in which help lists them.
  package static let all: [OutputFormat] = [
    .text,
    .list,
    .ndjson,
    .csv,
    .geojson,
    .gpx,
    .nmea,
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
  var credit: String {
    "© \(owner)\(license.map { ", \($0.name)" } ?? "")".safeForTerminal
  }
}
