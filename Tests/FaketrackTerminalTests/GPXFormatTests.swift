import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Testing

@Suite struct GPXFormatTests {
  @Test func isReadBackPointForPoint() throws {
    var visits = try (0..<3).map { try Visits.full($0) } + [try Visits.bare(3, at: -1, 180)]
    visits[2].fix.segment = 1
    visits[3].fix.segment = 1
    let (document, _) = try Self.write(visits)
    #expect(document.issues.isEmpty)
    #expect(document.tracks.count == 1)
    #expect(document.tracks.first?.segments.map(\.count) == [2, 2])
    for (visit, fix) in zip(visits, document.fixes) {
      #expect(fix.coordinate == visit.fix.coordinate)
      #expect(fix.time == visit.fix.time)
      #expect(fix.elevation == visit.fix.elevation)
      #expect(fix.speed == visit.fix.speed)
      #expect(fix.course == visit.fix.course)
    }
  }

  @Test func photosAreLinksWithTheirCredit() throws {
    let (_, text) = try Self.write([try Visits.full()])
    #expect(
      text.contains(
        "<link href=\"https://image.example/17.jpg\"><text>Bridge, © Ada, CC BY 2.0</text></link>"))
  }

  @Test func aWalkWithoutVisitsIsWellFormed() throws {
    let (document, _) = try Self.write([])
    #expect(document.tracks.count == 1)
    #expect(document.fixes.isEmpty)
  }

  @Test func textCannotLeaveItsElementNorSteerATerminal() throws {
    let title = "</text><evil/>\u{1B}[31m\u{9B}2J\u{202E}&amp;\n\""
    let (document, text) = try Self.write([try Visits.full(title: title)])
    #expect(document.fixes.count == 1)
    #expect(document.issues.isEmpty)
    #expect(!text.contains("<evil"))
    let harmful = text.unicodeScalars.filter {
      [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
    }
    #expect(harmful.isEmpty)
  }

  private static func write(_ visits: [Visit]) throws -> (GPXDocument, String) {
    var format = GPXFormat()
    var text = format.opening
    for visit in visits { text += format.text(for: visit) }
    text += format.closing
    return (try GPXDocument(data: Data(text.utf8), isStrict: true), text)
  }
}
