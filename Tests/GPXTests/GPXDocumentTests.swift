import Foundation
import GPX
import Geodesy
import Testing

@Suite struct GPXDocumentTests {
  private let text = gpx(
    """
    <wpt lat="1" lon="1"><name>Place</name></wpt><wpt lat="x" lon="1"/>
    <rte><name>Route</name><rtept lat="2" lon="1"/></rte><rte/>
    <trk><name>Track</name><trkseg><trkpt lat="3" lon="1"/></trkseg><trkseg/>
    <trkseg><trkpt lat="4" lon="1"/></trkseg></trk><trk><name>Empty</name></trk>
    """)

  @Test func holdsWhatTheFileHolds() throws {
    let document = try GPXDocument(data: Data(text.utf8))
    #expect(document.tracks.map(\.name) == ["Track", "Empty"])
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[1, 0, 1], []])
    #expect(document.routes.map(\.name) == ["Route", nil])
    #expect(document.routes.map(\.points.count) == [1, 0])
    #expect(document.waypoints.map(\.name) == ["Place"])
    #expect(document.issues.map(\.kind) == [GPXIssue.Kind(.latitude, .notANumber)])
  }

  @Test(arguments: [
    (GPXSource.auto, [3.0, 4]), (.tracks, [3, 4]), (.routes, [2]), (.waypoints, [1]),
  ])
  func givesTheFixesOfASource(source: GPXSource, latitudes: [Double]) throws {
    let document = try GPXDocument(data: Data(text.utf8))
    #expect(document.fixes(from: source).map(\.coordinate.latitude) == latitudes)
  }

  @Test func fallsBackToRoutesAndWaypoints() throws {
    var document = try GPXDocument(data: Data(text.utf8))
    #expect(document.fixes.map(\.coordinate.latitude) == [3, 4])
    document.tracks = [GPXTrack(segments: [GPXSegment()])]
    #expect(document.fixes.map(\.coordinate.latitude) == [2])
    document.routes = []
    #expect(document.fixes.map(\.coordinate.latitude) == [1])
    document.waypoints = []
    #expect(document.fixes.isEmpty)
  }

  @Test func readsAFile() throws {
    try withTemporaryFile(Array(text.utf8)) { path in
      let document = try GPXDocument(contentsOf: URL(fileURLWithPath: path))
      #expect(document.fixes.count == 2)
    }
  }

  @Test func throwsWhenTheFileIsBroken() {
    #expect(throws: GPXError.self) { try GPXDocument(data: Data("<gpx>".utf8)) }
    #expect(throws: GPXError.self) { try GPXDocument(data: Data(text.utf8), isStrict: true) }
  }

  /// The tag that the C library reports is gone once it is stopped.
  @Test func aTagThatEndsTheReadingIsReadNoFurther() throws {
    let value = String(repeating: "x", count: 60)
    for parent in ["extensions", "data"] {
      let text = """
        <gpx version="1.1" creator="x"><metadata><\(parent)>
        <trkpt lat="52.4" lon="\(value)"/></\(parent)></metadata></gpx>
        """
      let error = #expect(throws: GPXError.self) {
        try GPXDocument(data: Data(text.utf8), isStrict: true)
      }
      #expect(error?.line == 2)
    }
  }

  @Test func givesASegmentOutsideOfATrackOne() throws {
    let document = try GPXDocument(data: Data(gpx("<trkpt lat='1' lon='1'/>").utf8))
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[1]])
  }

  @Test func holdsWhatAFixReaderDelivers() throws {
    for content in [text, gpx("<wpt lat='1' lon='1'/>"), walk(2_000)] {
      var fixes: [Fix] = []
      try GPXFixes(.bytes(Array(content.utf8))).read { event in
        if case .fixes(let more, _) = event { fixes += more }
      }
      #expect(try GPXDocument(data: Data(content.utf8)).fixes == fixes)
    }
  }
}

@Suite struct GPXOverviewTests {
  @Test func countsWhatThereIs() throws {
    let text = gpx(
      """
      <wpt lat="1" lon="1"/><wpt/><rte><rtept lat="2" lon="1"/></rte>
      <trk><trkseg><trkpt lat="3" lon="1"/><trkpt lat="x" lon="1"/><trkpt lat="3" lon="1">
      <time>x</time></trkpt></trkseg></trk><trk/>
      """)
    var overview = GPXOverview()
    var shown = 0
    try GPXReader(.bytes(Array(text.utf8))).read { event in
      if overview.receive(event) != nil { shown += 1 }
    }
    #expect(overview.tracks == 2)
    #expect(overview.routes == 1)
    #expect(overview.waypoints == 1)
    #expect(overview.routeStatistics.points == 1)
    #expect(overview.statistics.points == 2)
    #expect(overview.statistics.segments == 1)
    #expect(overview.issues.skipped == 2)
    #expect(shown == 3)
  }

  @Test func measuresRoutesWhereNoTrackHasAPoint() throws {
    let routes = """
      <rte><rtept lat="0" lon="1"/><rtept lat="0.01" lon="1"/></rte>
      <rte><rtept lat="2" lon="1"/><rtept lat="2.02" lon="1"/></rte>
      """
    func overview(_ track: String) throws -> GPXOverview {
      var overview = GPXOverview()
      try GPXReader(.bytes(Array(gpx(routes + track).utf8))).read { overview.receive($0) }
      return overview
    }
    let planned = try overview("<trk><trkseg/></trk>")
    // The way from one route to the next is not part of either.
    #expect(abs(planned.walked.statistics.length - 3_317) < 1)
    #expect(planned.walked.statistics.segments == 2 && planned.routeStatistics.points == 4)
    #expect(planned.statistics.points == 0)
    let walked = try overview("<trk><trkseg><trkpt lat='3' lon='1'/></trkseg></trk>")
    #expect(walked.walked.statistics.length == 0 && walked.walked.statistics.points == 1)
    #expect(walked.routeStatistics.points == 4)
  }
}
