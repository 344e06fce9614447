import FaketrackFeatures
import FaketrackSupport
import GPX

extension OutputFormat {
  /// A GPX 1.1 track of the locations, with the photos as links.
  package static let gpx = OutputFormat("gpx") { _ in GPXRenderer() }
}

private struct GPXRenderer: VisitRenderer {
  private var writer: GPXWriter
  let opening: String

  init() {
    writer = GPXWriter(creator: "faketrack")
    writer.startTrack()
    opening = String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  mutating func text(for visit: Visit) -> String {
    let link = visit.photo.map { photo in
      GPXLink(
        photo.url.absoluteString.safeForTerminal,
        text: "\(photo.title.safeForTerminal), \(photo.credit)")
    }
    writer.write(visit.fix, GPXDetails(links: link.map { [$0] } ?? []))
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  var closing: String {
    var writer = writer
    writer.finish()
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}
