import FaketrackFeatures
import GPX
import Geodesy

/// `gpx`: a GPX 1.1 track of the locations with the photos as links.
package struct GPXFormat: VisitFormatting {
  private var writer: GPXWriter
  package let opening: String

  package init() {
    writer = GPXWriter(creator: "faketrack")
    writer.startTrack(name: nil)
    opening = String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  package mutating func text(for visit: Visit) -> String {
    let link = visit.photo.map { photo in
      let credit = photo.license.map { ", \($0.name)" } ?? ""
      return GPXWriter.Link(
        photo.url.absoluteString.safeForTerminal,
        text: "\(photo.title), © \(photo.owner)\(credit)".safeForTerminal)
    }
    writer.write(visit.fix, link: link)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  package var closing: String {
    var writer = writer
    writer.finish()
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}
