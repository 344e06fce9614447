import Foundation
@testable import GPX
import Geodesy
import Testing

@Suite struct GPXFixReaderTests {
  private static let waypoints = "<wpt lat='1' lon='1'/><wpt lat='2' lon='1'/>"
  private static let route =
    "<rte><rtept lat='3' lon='1'/></rte><rte><rtept lat='4' lon='1'/></rte>"
  private static let track = "<trk><trkseg><trkpt lat='5' lon='1'/></trkseg></trk>"

  /// What is delivered: its source, the latitudes, the error.
  private struct Result {
    var sources: [GPXPointKind] = []
    var latitudes: [Double] = []
    var segments: [Int] = []
    var fractions: [Double?] = []
    var issues = 0
    var summary = GPXFixReader.Summary()
    var error: GPXError?

    init(_ text: String, _ source: GPXSource = .auto, isStrict: Bool = false) {
      do {
        let reader = GPXFixReader(.bytes(Array(text.utf8)), source: source, isStrict: isStrict)
        summary = try reader.read {
          switch $0 {
          case .source(let kind): sources.append(kind)
          case .fixes(let fixes, let fraction):
            latitudes += fixes.map(\.coordinate.latitude)
            segments += fixes.map(\.segment)
            fractions.append(fraction)
          case .issue: issues += 1
          }
        }
      } catch {
        self.error = error as? GPXError
      }
    }
  }

  @Test(arguments: [
    (waypoints + route + track, GPXPointKind.trackPoint, [5.0]),
    (track + route + waypoints, .trackPoint, [5]), (route + waypoints, .routePoint, [3, 4]),
    (waypoints + route + waypoints, .routePoint, [3, 4]), (waypoints, .waypoint, [1, 2]),
    (waypoints + "<rte/><trk><trkseg/></trk>", .waypoint, [1, 2]),
    (route + "<trk><trkseg><trkpt lat='x' lon='1'/></trkseg></trk>", .routePoint, [3, 4]),
    (route + track + route + waypoints + track, .trackPoint, [5, 5]),
  ])
  func automaticallyTakesTracksElseRoutesElseWaypoints(
    content: String, kind: GPXPointKind, latitudes: [Double]
  ) {
    let result = Result(gpx(content))
    #expect(result.sources == [kind])
    #expect(result.summary.kind == kind)
    #expect(result.latitudes == latitudes)
    #expect(result.error == nil)
  }

  @Test(arguments: [
    (GPXSource.tracks, [5.0]), (.routes, [3, 4]), (.waypoints, [1, 2]),
  ])
  func takesWhatIsAskedFor(source: GPXSource, latitudes: [Double]) {
    let result = Result(gpx(Self.waypoints + Self.route + Self.track), source)
    #expect(result.latitudes == latitudes)
    #expect(result.sources.count == 1)
    #expect(result.sources.first == source.kind)
  }

  @Test(arguments: GPXSource.allCases)
  func findsNothingInAnEmptyFile(source: GPXSource) {
    let result = Result(gpx("<trk><trkseg/></trk>"), source)
    #expect(result.summary.kind == nil)
    #expect(result.sources.isEmpty && result.latitudes.isEmpty && result.error == nil)
  }

  @Test func numbersRoutesAsSegmentsAndKeepsWaypointsTogether() {
    #expect(Result(gpx(Self.route)).segments == [0, 1])
    #expect(Result(gpx(Self.waypoints)).segments == [0, 0])
  }

  @Test func deliversWhatWasHeldBackBeforeABreak() {
    let result = Result("<gpx>" + Self.waypoints + "<wpt")
    #expect(result.latitudes == [1, 2])
    #expect(result.error?.cause == .truncated)
    let strict = Result(gpx(Self.waypoints + "<wpt lat='x' lon='1'/>"), isStrict: true)
    #expect(strict.latitudes == [1, 2])
    #expect(strict.error != nil)
  }

  @Test func spoolsMoreThanFitsInMemory() {
    let content = (0..<20_000).map { "<wpt lat='\(Double($0) / 1_000)' lon='1'/>" }.joined()
    let result = Result(gpx(content))
    #expect(result.latitudes == (0..<20_000).map { Double($0) / 1_000 })
    #expect(result.fractions.last == 1)
    #expect(Result(gpx(content + Self.track)).latitudes == [5])
  }

  @Test func tellsWhatTheFileHoldsWhateverIsChosen() {
    let text = gpx(
      Self.waypoints + Self.route + "<rte/>" + Self.track + "<trk><trkseg/></trk><trk/>"
        + "<trkpt lat='6' lon='1'/><trkpt lat='x' lon='1'/>")
    for source in GPXSource.allCases {
      let summary = Result(text, source).summary
      #expect(summary.tracks == 3 && summary.routes == 3)
      #expect(summary.points == [.trackPoint: 2, .routePoint: 2, .waypoint: 2])
      #expect(summary.kind == source.kind ?? .trackPoint)
    }
    let empty = Result("<gpx/>").summary
    #expect(empty == GPXFixReader.Summary())
  }

  @Test func passesIssuesOn() {
    #expect(Result(gpx(Self.track + "<wpt/><trkpt/>")).issues == 2)
  }

  @Test func endsWhenTheHandlerSaysSo() throws {
    struct Mine: Error {}
    for content in [Self.track, Self.waypoints] {
      let reader = GPXFixReader(.bytes(Array(gpx(content).utf8)))
      #expect(throws: Mine.self) { try reader.read { _ in throw Mine() } }
      var count = 0
      try reader.read { _ in
        count += 1
        throw GPXReader.Stop()
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: GPXSource.allCases)
  func passesOnTheOutlineAndNoDetailsOfTheWay(source: GPXSource) throws {
    let details =
      "<name>A mill</name><link href='https://mill.example'/><extensions><a/></extensions>"
    let text = gpx(
      "<metadata><name>File</name></metadata><wpt lat='1' lon='1'>\(details)</wpt><wpt lat='2' lon='1'/>"
        + "<trk><name>Track</name><trkseg><trkpt lat='5' lon='1'>\(details)</trkpt></trkseg></trk>")
    var waypoints: [GPXWaypoint] = []
    var names: [String?] = []
    var latitudes: [Double] = []
    let reader = GPXFixReader(.bytes(Array(text.utf8)), source: source)
    let summary = try reader.read { event in
      switch event {
      case .points(let points): waypoints += points.waypoints
      case .metadata(let metadata): names.append(metadata.details.name)
      case .details(let details, of: .track): names.append(details.name)
      default: break
      }
    } _: { event in
      if case .fixes(let fixes, _) = event { latitudes += fixes.map(\.coordinate.latitude) }
    }
    #expect(waypoints == (try GPXDocument(reading: .bytes(Array(text.utf8)))).waypoints)
    #expect(waypoints.map(\.name) == ["A mill", nil])
    #expect(waypoints.first?.details.links.count == 1)
    #expect(names == ["File", "Track"])
    #expect(latitudes == Result(text, source).latitudes)
    #expect(summary == Result(text, source).summary)
  }

  @Test func theHandlerOfTheOutlineEndsTheReading() throws {
    var count = 0
    let reader = GPXFixReader(.bytes(Array(gpx(Self.waypoints + Self.track).utf8)))
    try reader.read { _ in
      throw GPXReader.Stop()
    } _: { _ in
      count += 1
    }
    #expect(count == 0)
  }
}

@Suite struct FixSpoolTests {
  @Test(arguments: [0, 1, 15, 16, 17, 32, 33, 1_000])
  func givesBackWhatItTook(count: Int) throws {
    let fixes = try (0..<count).map { index in
      Fix(
        try Coordinate(latitude: Double(index) / 100, longitude: -Double(index) / 100),
        time: index % 2 == 0 ? Date(timeIntervalSinceReferenceDate: Double(index)) : nil,
        elevation: index % 3 == 0 ? Double(index) : nil, speed: index % 5 == 0 ? 1.5 : nil,
        course: index % 7 == 0 ? 359 : nil, horizontalAccuracy: index % 11 == 0 ? 4 : nil,
        segment: index / 10)
    }
    let spool = FixSpool(blockSize: 16)
    for start in stride(from: 0, to: count, by: 7) {
      spool.append(Array(fixes[start..<min(count, start + 7)]))
    }
    #expect(spool.count == count)
    var back: [Fix] = []
    try spool.forEachBatch { back += $0 }
    #expect(back == fixes)
  }

  @Test func startsAnewWhenItIsEmptied() throws {
    let spool = FixSpool(blockSize: 4)
    let fix = Fix(try Coordinate(latitude: 1, longitude: 2))
    spool.append(Array(repeating: fix, count: 50))
    spool.removeAll()
    #expect(spool.count == 0)
    spool.append([fix])
    var count = 0
    try spool.forEachBatch { count += $0.count }
    #expect(count == 1)
  }
}
