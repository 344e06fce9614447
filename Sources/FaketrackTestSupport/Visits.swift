import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy
import PhotoSearch

/// Made-up visits.
package enum Visits {
  /// 1 May 2026, 08:00 UTC.
  package static let start = Date(timeIntervalSince1970: 1_777_622_400)

  /// Returns a visit with only its position.
  package static func bare(
    _ index: Int = 0, at latitude: Double = 52.4009, _ longitude: Double = 13.0591
  )
    throws -> Visit
  {
    Visit(index: index, fix: Fix(try Coordinate(latitude: latitude, longitude: longitude)))
  }

  /// Returns a visit with all data.
  package static func full(_ index: Int = 0, title: String = "Bridge", owner: String = "Ada") throws
    -> Visit
  {
    let place = try Coordinate(latitude: 52.4009, longitude: 13.0591)
    return Visit(
      index: index,
      fix: Fix(
        place, time: start.addingTimeInterval(Double(index) * 75), elevation: 35.2, speed: 1.3104,
        course: 87.204, distance: Double(index) * 100,
        elapsed: .seconds(Double(index) * 75)),
      city: NearbyCity(city: try potsdam(), distance: 312.41),
      photo: photo(title: title, owner: owner, at: place))
  }

  /// Returns a visit with texts that try to control a terminal, to end a cell, or to end a line.
  package static func hostile() throws -> Visit {
    var visit = try bare(3)
    visit.city = NearbyCity(city: try potsdam(named: "Pots\u{1B}[2J,dam"), distance: 1)
    visit.photo = photo(title: "\u{1B}]0;\"title\"\u{7}", owner: "Ada\r\n<b>\u{202E}")
    return visit
  }

  package static func potsdam(named name: String = "Potsdam") throws -> City {
    City(
      id: 2_852_458, name: name, country: "DE",
      coordinate: try Coordinate(latitude: 52.39886, longitude: 13.06566),
      timezone: "Europe/Berlin")
  }

  package static func photo(
    title: String = "Bridge", owner: String = "Ada", at coordinate: Coordinate? = nil
  ) -> Photo {
    Photo(
      id: "17", title: title, owner: owner,
      license: PhotoLicense(name: "CC BY 2.0", terms: .creativeCommons),
      imageURL: URL(literal: "https://image.example/17.jpg"),
      pageURL: URL(literal: "https://page.example/17"),
      coordinate: coordinate, source: "commons")
  }
}

extension Visit {
  /// Meters from the location to the photo's position, if known.
  package var photoDistance: Double? {
    photo?.coordinate.map { fix.coordinate.distance(to: $0) }
  }
}

extension VisitRenderer {
  /// The text of a visit alone.
  package mutating func text(for visit: Visit) -> String {
    var text = TextBuffer()
    append(visit, to: &text)
    return text.string
  }

  /// The text of a track.
  package func text(of visits: [Visit], end: TrackOutcome? = nil) -> String {
    var renderer = self
    var text = TextBuffer()
    renderer.appendOpening(to: &text)
    for visit in visits { renderer.append(visit, to: &text) }
    renderer.appendClosing(end, to: &text)
    return text.string
  }
}

extension DocumentFrame {
  /// A document of one track.
  package func text(around track: String) -> String {
    opening + track + closing
  }
}

extension OutputFormat {
  /// A renderer of the format, which has no text for a page.
  package func renderer(_ track: String?) -> any VisitRenderer {
    makeRenderer?(track) ?? NoText()
  }
}

private struct NoText: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {}
}
