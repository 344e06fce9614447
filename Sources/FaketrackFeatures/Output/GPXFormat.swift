import FaketrackSupport
import GPX

extension RecordFormat {
  /// A GPX 1.1 track of the locations, with the photos as links.
  package static let gpx = RecordFormat(
    name: "gpx", title: "GPX", mediaType: "application/gpx+xml"
  ) { GPXRenderer() }
}

private struct GPXRenderer: VisitRenderer {
  private var writer = GPXWriter(creator: "faketrack")

  mutating func appendOpening(to text: inout TextBuffer) {
    writer.startTrack()
    writer.move(to: &text)
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    var details = GPXDetails()
    if let photo = visit.photo {
      let title = "\(photo.title.safeForTerminal), \(photo.credit)"
      details.links = [GPXLink(photo.url.absoluteString.safeForTerminal, text: title)]
    }
    // Six decimals are more than receivers record; what was computed has up to 17.
    var fix = visit.fix
    fix.elevation = fix.elevation?.rounded(places: 6)
    fix.speed = fix.speed?.rounded(places: 6)
    fix.course = fix.course.map { Quantity.course($0, places: 6) }
    writer.write(fix, details)
    writer.move(to: &text)
  }

  mutating func appendClosing(to text: inout TextBuffer) {
    writer.finish()
    writer.move(to: &text)
  }
}
