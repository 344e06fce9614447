import FaketrackFeatures
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
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
    #expect(document.tracks.first?.segments.map(\.fixes.count) == [2, 2])
    for (visit, fix) in zip(visits, document.fixes) {
      #expect(fix.coordinate == visit.fix.coordinate)
      #expect(fix.time == visit.fix.time)
      #expect(fix.elevation == visit.fix.elevation)
      #expect(fix.speed == visit.fix.speed)
      #expect(fix.course == visit.fix.course)
    }
  }

  @Test func isTheFileWordForWord() throws {
    let header = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="faketrack" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <trk>

      """
    #expect(Output.text(.gpx, []) == header + "  </trk>\n</gpx>\n")
    var lost = try Visits.bare(2)
    lost.error = "down"
    #expect(
      Output.text(.gpx, [try Visits.full(1), lost, try Visits.hostile()]) == header + """
            <trkseg>
              <trkpt lat="52.4009" lon="13.0591"><ele>35.2</ele><time>2026-05-01T08:01:15Z</time>\
        <link href="https://image.example/17.jpg"><text>Bridge, © Ada, CC BY 2.0</text></link>\
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.3104</gpxtpx:speed>\
        <gpxtpx:course>87.204</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
              <trkpt lat="52.4009" lon="13.0591"></trkpt>
              <trkpt lat="52.4009" lon="13.0591"><link href="https://image.example/17.jpg">\
        <text> ]0;&quot;title&quot; , © Ada  &lt;b&gt;, CC BY 2.0</text></link></trkpt>
            </trkseg>
          </trk>
        </gpx>

        """)
  }

  @Test func anInterpolatedPointAndTheAccuracyAreMarked() throws {
    var visit = try Visits.full()
    visit.fix.isInterpolated = true
    visit.fix.horizontalAccuracy = 4.5
    let (document, text) = try Self.write([visit])
    #expect(document.issues.isEmpty)
    #expect(document.fixes.first?.speed == visit.fix.speed)
    #expect(text.contains("<src>interpolated</src><link"))
    #expect(
      text.contains(
        "<extensions><faketrack:accuracy xmlns:faketrack=\"https://github.com/faketrack/faketrack\">"
          + "4.5</faketrack:accuracy><gpxtpx:"))
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

  /// The points as the streaming reader delivers them, complete.
  @Test func theStreamingReaderFindsEveryPoint() throws {
    let visits = try (0..<500).map { try Visits.full($0) }
    let text = Output.text(.gpx, visits)
    var fixes: [Fix] = []
    var issues = 0
    try GPXFixes(.bytes(Array(text.utf8)), source: .tracks).read { event in
      switch event {
      case .fixes(let batch, _): fixes += batch
      case .issue: issues += 1
      default: break
      }
    }
    #expect(issues == 0)
    #expect(fixes.map(\.coordinate) == visits.map(\.fix.coordinate))
    #expect(fixes.map(\.time) == visits.map(\.fix.time))
  }

  @Test func aLocationWithoutAPhotoHasNoLink() throws {
    var failed = try Visits.bare()
    failed.error = "down"
    let (document, text) = try Self.write([try Visits.bare(), failed])
    #expect(document.fixes.count == 2)
    #expect(!text.contains("<link"))
    #expect(!text.contains("down"))
  }

  @Test func whatIsWrittenSoFarDoesNotDependOnWhatFollows() throws {
    var renderer = OutputFormat.gpx.renderer(nil)
    var text = TextBuffer()
    renderer.appendOpening(to: &text)
    let first = renderer.text(for: try Visits.full(0))
    let second = renderer.text(for: try Visits.full(1))
    text.append(contentsOf: first + second)
    renderer.appendClosing(nil, to: &text)
    #expect(
      OutputFormat.gpx.frame(false).text(around: text.string)
        == Output.text(.gpx, [try Visits.full(0), try Visits.full(1)]))
  }

  private static func write(_ visits: [Visit]) throws -> (GPXDocument, String) {
    let text = Output.text(.gpx, visits)
    return (try GPXDocument(data: Data(text.utf8), isStrict: true), text)
  }
}
