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

/// Turns the visits of one run into text. Texts end with their own line break.
package protocol VisitRenderer: Sendable {
  /// What comes before the first visit.
  var opening: String { get }
  /// The visit, or nothing where this format has none to show.
  mutating func text(for visit: Visit) -> String
  /// What comes after the last visit.
  var closing: String { get }
}

extension VisitRenderer {
  package var opening: String { "" }
  package var closing: String { "" }
}

extension Photo {
  /// The author and the license, as they are named beside the photo.
  var credit: String {
    "© \(owner)\(license.map { ", \($0.name)" } ?? "")".safeForTerminal
  }
}
