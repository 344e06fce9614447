import FaketrackFeatures

/// A format in which `replay` writes its locations; the value of `--format`.
///
/// Those that programs read, but for NMEA, are a `RecordFormat`. Each of the others has a file of its
/// own in this folder and stands in ``all``.
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
  /// What stands around the tracks of a document, which may have names.
  package let frame: @Sendable (_ hasNames: Bool) -> DocumentFrame
  /// Makes a renderer for one track, which shows its name if it has one.
  package let makeRenderer: @Sendable (TerminalStyle, _ track: String?) -> any VisitRenderer

  package init(
    _ name: String, showsPhotos: Bool = true, distanceFilter: Double = 100, interval: Double? = nil,
    frame: @escaping @Sendable (_ hasNames: Bool) -> DocumentFrame = { _ in DocumentFrame() },
    makeRenderer: @escaping @Sendable (TerminalStyle, _ track: String?) -> any VisitRenderer
  ) {
    self.name = name
    self.showsPhotos = showsPhotos
    self.distanceFilter = distanceFilter
    self.interval = interval
    self.frame = frame
    self.makeRenderer = makeRenderer
  }

  /// A format of records, which has no look.
  package init(_ format: RecordFormat) {
    self.init(format.name, frame: format.frame) { _, track in format.makeRenderer(track) }
  }

  /// The formats, in the order in which help lists them.
  package static let all: [OutputFormat] =
    [.text, .list] + RecordFormat.all.map { OutputFormat($0) } + [.nmea]
}
