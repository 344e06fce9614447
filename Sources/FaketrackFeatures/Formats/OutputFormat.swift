import FaketrackSupport
import PhotoSearch

/// A format of the locations of a walk: a value of `--format`, and a download on the page.
///
/// Adding a format takes a file in this folder and its name in ``plain``. The shortest formats are in this
/// file; `list`, which has colors, is in FaketrackTerminal.
package struct OutputFormat: Sendable {
  /// The value of `--format`, and the extension of a file.
  package let name: String
  /// Lines for the help, of up to 67 characters.
  let summary: String
  /// The title and the `Content-Type` of a file that the page offers; `nil` if it offers none.
  package let download: (title: String, mediaType: String)?
  package let showsPhotos: Bool
  /// The default distance between new locations, in meters.
  package let distanceFilter: Double
  /// The default time between fixes, in seconds of track time; `nil` takes the recorded fixes.
  package let interval: Double?
  /// Whether each second without a signal is an event, rather than only the loss.
  package let repeatsLoss: Bool
  /// The text around the tracks of a document, which may have names.
  package let frame: @Sendable (_ hasNames: Bool) -> DocumentFrame
  /// Whether the beginning of a file shows that faketrack wrote it in this format; false for a format that
  /// other programs write too.
  package let recognizes: @Sendable (_ start: String) -> Bool
  /// Makes a renderer for one track, which shows the name of the track if it has one; `nil` for the page of a
  /// walk that has ended, which FaketrackWeb writes.
  package let makeRenderer: (@Sendable (_ track: String?) -> any VisitRenderer)?

  package init(
    _ name: String, summary: String = "", download: (title: String, mediaType: String)? = nil,
    showsPhotos: Bool = true,
    distanceFilter: Double = 100, interval: Double? = nil, repeatsLoss: Bool = false,
    frame: @escaping @Sendable (_ hasNames: Bool) -> DocumentFrame = { _ in DocumentFrame() },
    recognizes: @escaping @Sendable (_ start: String) -> Bool = { _ in false },
    makeRenderer: (@Sendable (_ track: String?) -> any VisitRenderer)?
  ) {
    self.name = name
    self.summary = summary
    self.download = download
    self.showsPhotos = showsPhotos
    self.distanceFilter = distanceFilter
    self.interval = interval
    self.repeatsLoss = repeatsLoss
    self.frame = frame
    self.recognizes = recognizes
    self.makeRenderer = makeRenderer
  }

  /// Whether the format is a page of the whole walk.
  package var isPage: Bool { makeRenderer == nil }

  /// The formats without colors, in the order of the help.
  package static let plain: [OutputFormat] = [
    .text, .ndjson, .csv, .geojson, .gpx, .nmea, .xcode, .simctl, .adb, .md, .html,
  ]

  /// The format of files with this extension, such as `csv`; `nil` for other extensions.
  package static func of(fileExtension: String) -> OutputFormat? {
    let name = fileExtension.lowercased()
    return plain.first {
      $0.name == ["txt": "text", "jsonl": "ndjson", "htm": "html"][name] ?? name
    }
  }
}

extension OutputFormat {
  /// One photo URL per line for a pipe; for downloaded photos the path, and no line if the download
  /// failed.
  package static let text = OutputFormat(
    "text", summary: "A photo URL per line, or the path of your own and downloaded ones."
  ) { _ in TextRenderer() }
}

extension OutputFormat {
  /// A page of the whole walk.
  package static let html = OutputFormat(
    "html",
    summary: """
      The whole walk as a page in one file, which reads without a
      network: cover, chapters, map, figures, and the photos that are
      files. Those of a service are linked; --download puts them
      inside.
      """,
    download: ("One page (HTML)", "text/html"),
    recognizes: {
      $0.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head>")
        && $0.contains(#"<meta name="generator" content="faketrack">"#)
    }, makeRenderer: nil)
}

private struct TextRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {
    guard let photo = visit.photo, visit.error == nil else { return }
    let path = photo.imageURL.baseURL == nil ? visit.file : photo.imageURL.relativePath
    text.append(contentsOf: (path ?? photo.imageURL.absoluteString).safeForTerminal)
    text.append("\n")
  }
}

/// Turns the visits of one track into text.
package protocol VisitRenderer: Sendable {
  /// Appends the text before the first visit; called once, before any other method.
  mutating func appendOpening(to text: inout TextBuffer)
  /// Appends the visit; a format may leave it out.
  mutating func append(_ visit: Visit, to text: inout TextBuffer)
  /// Appends a change of permission or signal, for formats that have them.
  mutating func append(_ event: WalkEvent, to text: inout TextBuffer)
  /// Appends the text after the last visit; called once, after any other method.
  ///
  /// - Parameter outcome: the result of the track; `nil` if it breaks off.
  mutating func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer)
}

extension VisitRenderer {
  package func appendOpening(to text: inout TextBuffer) {}
  package func append(_ event: WalkEvent, to text: inout TextBuffer) {}
  package func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {}
}

/// The text around the tracks of a document.
package struct DocumentFrame: Sendable {
  package var opening = ""
  /// The text between two tracks that have text.
  package var separator = ""
  package var closing = ""

  package init(opening: String = "", separator: String = "", closing: String = "") {
    self.opening = opening
    self.separator = separator
    self.closing = closing
  }
}
