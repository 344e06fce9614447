import FaketrackServices
import FaketrackSupport
import GPX

extension OutputFormat {
  /// A GPX 1.1 track of the locations, with the photos as links; without sensor values and names of
  /// the input's points. The source of an interpolated point says so, and an extension holds the
  /// horizontal accuracy in meters.
  package static let gpx = OutputFormat(
    "gpx",
    summary: """
      A GPX 1.1 track. Photos are links, src is "interpolated" for
      interpolated points, and an extension holds the accuracy in meters.
      """,
    download: ("GPX", "application/gpx+xml"),
    frame: { _ in
      var writer = GPXWriter(creator: "faketrack")
      let opening = writer.takeBytes()
      writer.finish()
      return DocumentFrame(
        opening: String(decoding: opening, as: UTF8.self),
        closing: String(decoding: writer.takeBytes(), as: UTF8.self))
    },
    recognizes: {
      $0.hasPrefix(
        #"<?xml version="1.0" encoding="UTF-8"?>\#n<gpx version="1.1" creator="faketrack""#)
    }
  ) { GPXRenderer(track: $0) }
}

private struct GPXRenderer: VisitRenderer {
  let track: String?
  private var writer = GPXWriter()

  init(track: String?) {
    self.track = track
  }

  mutating func appendOpening(to text: inout TextBuffer) {
    writer.startTrack(name: track?.safeForTerminal)
    writer.move(to: &text)
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    var details = GPXDetails()
    if let photo = visit.photo {
      let title = "\(photo.title.safeForTerminal), \(photo.credit)"
      details.links = [GPXLink(photo.imageURL.relativeString.safeForTerminal, text: title)]
    }
    // Receivers record fewer than six decimals; computed numbers have up to 17.
    var fix = visit.fix
    if fix.isInterpolated { details[.source] = "interpolated" }
    if let accuracy = fix.horizontalAccuracy?.rounded(places: 3), accuracy.isFinite {
      details.extensions =
        "<faketrack:accuracy xmlns:faketrack=\"\(Product.contact)\">\(accuracy)"
        + "</faketrack:accuracy>"
    }
    fix.elevation = fix.elevation?.rounded(places: 6)
    fix.speed = fix.speed?.rounded(places: 6)
    fix.course = fix.course.map { $0.roundedCourse(places: 6) }
    writer.write(fix, details)
    writer.move(to: &text)
  }

  mutating func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {
    writer.endTrack()
    writer.move(to: &text)
  }
}
