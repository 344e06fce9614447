import Foundation
import GPX
import Geodesy
import Testing

@Suite struct GPXReaderTests {
  @Test func readsTracksRoutesAndWaypointsInTheirOrder() {
    let recording = Recording(
      gpx(
        """
        <metadata><name>not a track's</name><time>2026-05-01T08:00:00Z</time></metadata>
        <wpt lat="52.1" lon="13.1"><name>A &amp; B</name></wpt>
        <wpt lat="52.2" lon="13.2"/>
        <rte><name>Route</name><rtept lat="52.3" lon="13.3"><name>turn</name></rtept></rte>
        <trk><name> Track
        </name><link href="x"><text>t</text></link>
          <trkseg><trkpt lat="52.4" lon="13.4"/><trkpt lat="52.5" lon="13.5"/></trkseg>
          <trkseg/>
          <trkseg><trkpt lat="52.6" lon="13.6"/></trkseg>
        </trk>
        <trk><trkseg><trkpt lat="52.7" lon="13.7"/></trkseg></trk>
        """))
    #expect(recording.error == nil)
    #expect(
      recording.events == [
        "metadata", "2 waypoint", "route", "route details Route", "1 route point", "track",
        "track details Track",
        "segment", "2 track point", "segment", "segment", "1 track point", "track", "segment",
        "1 track point",
      ])
    #expect(recording.names == ["A & B", nil])
    #expect(recording.trackPoints.map(\.segment) == [0, 0, 2, 3])
    #expect(recording.trackPoints.map(\.coordinate.latitude) == [52.4, 52.5, 52.6, 52.7])
    #expect(recording.issues.isEmpty)
  }

  @Test func readsWhatIsKnownOfAPoint() throws {
    let recording = Recording(
      segment(
        """
        <trkpt lat="-52.4" lon="-13.05"><ele> 35.25 </ele><time>2026-05-01T08:00:00Z</time>
          <name>ignored</name><link href="x"><text>y</text></link>
          <extensions><gpxtpx:TrackPointExtension xmlns:gpxtpx="g"><gpxtpx:atemp>21</gpxtpx:atemp>
            <gpxtpx:hr>121</gpxtpx:hr><gpxtpx:cad>80</gpxtpx:cad><gpxtpx:speed>1.5</gpxtpx:speed>
            <gpxtpx:course>270.5</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
        """))
    let fix = try #require(recording.trackPoints.first)
    let time = Date(timeIntervalSince1970: 1_777_622_400)
    let coordinate = try Coordinate(latitude: -52.4, longitude: -13.05)
    #expect(fix == Fix(coordinate, time: time, elevation: 35.25, speed: 1.5, course: 270.5))
    #expect(fix.horizontalAccuracy == nil)
    #expect(recording.issues.isEmpty)
  }

  @Test func readsSpeedAndCourseOfVersion1_0() throws {
    let recording = Recording(
      """
      <gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>
      <trkpt lat="1" lon="2"><course>360</course><speed>2.25</speed></trkpt>
      <trkpt lat="1" lon="2"><course>-1</course><speed>-1</speed></trkpt></trkseg></trk></gpx>
      """)
    #expect(recording.trackPoints.map(\.speed) == [2.25, nil])
    #expect(recording.trackPoints.map(\.course) == [0, nil])
    #expect(recording.issues.isEmpty)
  }

  @Test(arguments: [
    "<gpx>#</gpx>",
    "<gpx xmlns='http://www.topografix.com/GPX/1/0'>#</gpx>",
    "<gpx xmlns='https://www.topografix.com/GPX/1/1'>#</gpx>",
    "<g:gpx xmlns:g='http://www.topografix.com/GPX/1/1'>#</g:gpx>",
    "<g:gpx>#</g:gpx>",
    "<gpx xsi:schemaLocation='undeclared'>#</gpx>",
    "<?xml version='1.0'?><!-- a comment --><gpx><unknown>#</unknown></gpx> <!-- after --> ",
  ])
  func readsWhateverTheNamespace(document: String) {
    let point = "<trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele></trkpt></trkseg></trk>"
    let prefixed =
      "<g:trk><g:trkseg><g:trkpt lat='1' lon='2'><g:ele>3</g:ele></g:trkpt></g:trkseg></g:trk>"
    for content in [point, prefixed] {
      let recording = Recording(document.replacingOccurrences(of: "#", with: content))
      #expect(recording.trackPoints.map(\.elevation) == [3], "\(recording.error as Any)")
      #expect(recording.issues.isEmpty)
    }
  }

  @Test func readsTextInEveryForm() {
    let recording = Recording(
      gpx(
        """
        <wpt lat="&#49;.5" lon='2'><name><![CDATA[<b> & ]]>c&#x41;&lt;<!-- x -->d</name>
        <ele>1<!-- 9 -->2</ele></wpt>
        """))
    #expect(recording.names == ["<b> & cA<d"])
    #expect(recording.waypoints.map(\.elevation) == [12])
    #expect(recording.waypoints.map(\.coordinate.latitude) == [1.5])
  }

  @Test func cutsALongNameBetweenCharacters() throws {
    let limit = GPXReader.maximumTextLength
    let name = String(repeating: "ä", count: limit)
    let recording = Recording(gpx("<trk><name>x\(name)</name></trk>"))
    #expect(
      recording.details.last?.1.name == "x" + String(repeating: "ä", count: limit / 2 - 1))
    #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.text, .tooLong)])
    #expect(recording.issues.first?.point == nil)
  }

  @Test func findsPointsOutsideOfSegmentsAndTracks() {
    let point = "<trkpt lat='1' lon='2'/>"
    let recording = Recording(
      gpx("\(point)<trk>\(point)<trkseg>\(point)</trkseg>\(point)</trk><rtept lat='1' lon='2'/>"))
    #expect(recording.trackPoints.map(\.segment) == [0, 1, 2, 3])
    #expect(recording.routePoints.count == 1)
    #expect(recording.issues.isEmpty)
  }

  @Test(arguments: ["<gpx/>", "<gpx></gpx>", gpx("<trk/>"), gpx("<trk><trkseg/></trk><rte/>")])
  func acceptsAFileWithoutPoints(document: String) {
    let recording = Recording(document)
    #expect(recording.error == nil)
    #expect(recording.fixes.isEmpty)
  }

  @Test func deliversBatchesOfBoundedSize() {
    let recording = Recording(walk(1_500))
    #expect(recording.trackPoints.count == 1_500)
    let batches = recording.events.filter { $0.hasSuffix("point") }.map {
      $0.split(separator: " ")[0]
    }
    #expect(batches.compactMap { Int($0) }.max() == GPXReader.batchSize)
  }

  @Test func saysHowMuchIsBehind() throws {
    var fractions: [Double] = []
    try GPXReader(.bytes(Array(walk(9_000).utf8))).read { event in
      if case .points(let points) = event { fractions.append(points.fraction ?? -1) }
    }
    #expect(fractions == fractions.sorted())
    #expect(fractions.allSatisfy { 0...1 ~= $0 })
    #expect(fractions.first.map { $0 < 0.5 } == true)
    #expect(fractions.last == 1)
  }

  @Test func leavesDetailsOutOnRequest() throws {
    let text = gpx("<wpt lat='1' lon='2'><name>a</name></wpt><trk><name>b</name></trk>")
    try GPXReader(.bytes(Array(text.utf8)), readsDetails: false).read { event in
      switch event {
      case .points(let points): #expect(points.details.isEmpty)
      case .details, .metadata: Issue.record("a name")
      default: break
      }
    }
  }

  @Test func throwsOnWhatTheHandlerThrows() {
    struct Mine: Error {}
    var count = 0
    #expect(throws: Mine.self) {
      try GPXReader(.bytes(Array(walk(5_000).utf8))).read { _ in
        count += 1
        throw Mine()
      }
    }
    #expect(count == 1)
  }
}
