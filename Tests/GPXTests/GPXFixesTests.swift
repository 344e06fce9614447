import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import GPX

@Suite struct GPXFixesTests {
  @Test(arguments: [
    ("<name>x</name>", "", ["names of points"]), ("", "<name>x</name><sat>9</sat>", ["sat"]),
    ("<hdop>1</hdop><fix>3d</fix>", "", ["fix", "hdop"]), ("", "", []),
    (
      "<extensions><a:x><a:hr>9</a:hr><a:atemp>9</a:atemp></a:x></extensions>", "",
      ["heart rate", "temperature"]
    ),
  ])
  func knowsWhatFixesDoNotHold(point: String, waypoint: String, titles: [String]) async throws {
    let text = gpx(
      "<wpt lat='1' lon='2'>\(waypoint)</wpt><trk><name>n</name><trkseg>"
        + "<trkpt lat='1' lon='2'/><trkpt lat='1' lon='2'>\(point)</trkpt></trkseg></trk>")
    let fixes = GPXFixes(.bytes(Array(text.utf8)))
    for try await _ in fixes {}
    #expect(fixes.omissions.titles == titles)
  }

  private static let waypoints = "<wpt lat='1' lon='1'/><wpt lat='2' lon='1'/>"
  private static let route =
    "<rte><rtept lat='3' lon='1'/></rte><rte><rtept lat='4' lon='1'/></rte>"
  private static let track = "<trk><trkseg><trkpt lat='5' lon='1'/></trkseg></trk>"

  /// A delivery: its source, the latitudes, the error.
  private struct Result {
    var sources: [GPXPointKind] = []
    var latitudes: [Double] = []
    var segments: [Int] = []
    var fractions: [Double?] = []
    var issues = 0
    var summary = GPXFixes.Contents()
    var error: GPXError?

    init(_ text: String, _ source: GPXSource = .auto, isStrict: Bool = false) {
      do {
        let reader = GPXFixes(.bytes(Array(text.utf8)), source: source, isStrict: isStrict)
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
    #expect(Result(gpx(Self.waypoints)).segments == [-1, -1])
  }

  @Test(
    arguments: [
      (.number(1), .auto, [5]), (.number(2), .auto, [6, 7]), (.name("b"), .auto, [6, 7]),
      (.number(3), .auto, []), (.name("c"), .auto, []), (.name(""), .auto, []),
      (.number(2), .routes, [4]), (.name("d"), .routes, [4]), (.number(1), .waypoints, []),
    ] as [(GPXTrackChoice, GPXSource, [Double])])
  func deliversOneTrackOrRoute(choice: GPXTrackChoice, source: GPXSource, latitudes: [Double])
    async throws
  {
    let text = gpx(
      Self.waypoints + "<rte><rtept lat='3' lon='1'/></rte>"
        + "<rte><name>d</name><rtept lat='4' lon='1'/></rte>" + Self.track
        + "<trk><name>b</name><trkseg><trkpt lat='6' lon='1'/></trkseg>"
        + "<trkseg><trkpt lat='7' lon='1'/></trkseg></trk>")
    let reader = GPXFixes(.bytes(Array(text.utf8)), source: source, choice: choice)
    var delivered: [Double] = []
    for try await fix in reader { delivered.append(fix.coordinate.latitude) }
    #expect(delivered == latitudes)
    #expect(reader.contents.tracks == 2)
    #expect(reader.contents.names == [.trackPoint: [2: "b"], .routePoint: [2: "d"]])
  }

  @Test func deliversWhatWasHeldBackBeforeABreak() {
    let result = Result("<gpx>" + Self.waypoints + "<wpt")
    #expect(result.latitudes == [1, 2])
    #expect(result.error?.cause == .truncated)
    let strict = Result(gpx(Self.waypoints + "<wpt lat='x' lon='1'/>"), isStrict: true)
    #expect(strict.latitudes == [1, 2])
    #expect(strict.error != nil)
  }

  @Test func holdsWhatMayBeChosen() {
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
    #expect(empty == GPXFixes.Contents())
  }

  @Test func passesIssuesOn() {
    #expect(Result(gpx(Self.track + "<wpt/><trkpt/>")).issues == 2)
  }

  @Test func endsWhenTheHandlerThrows() {
    struct Mine: Error {}
    for content in [Self.track, Self.waypoints] {
      let reader = GPXFixes(.bytes(Array(gpx(content).utf8)))
      var count = 0
      #expect(throws: Mine.self) {
        try reader.read { _ in
          count += 1
          throw Mine()
        }
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
    let reader = GPXFixes(.bytes(Array(text.utf8)), source: source)
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

  @Test func theHandlerOfTheOutlineEndsTheReading() {
    struct Mine: Error {}
    var count = 0
    let reader = GPXFixes(.bytes(Array(gpx(Self.waypoints + Self.track).utf8)))
    #expect(throws: Mine.self) {
      try reader.read { _ in
        throw Mine()
      } _: { _ in
        count += 1
      }
    }
    #expect(count == 0)
  }
}

/// The asynchronous iteration.
@Suite struct GPXFixesIterationTests {
  private static let track = Array(
    (gpx(
      "<wpt/><trk><trkseg>" + String(repeating: "<trkpt lat='1' lon='2'/>", count: 3)
        + "</trkseg></trk>")).utf8)
  private static let broken = Array("<gpx><trkpt lat='1' lon='2'/><wpt/><trk".utf8)

  /// The reports of the first iteration.
  private final class Reports: Sendable {
    let texts = Locked<[String]>([])

    func add(_ event: GPXFixes.Event) {
      let text =
        switch event {
        case .source(let kind): "\(kind)"
        case .issue(let issue): "\(issue.kind)"
        case .fixes: "fixes"
        }
      texts.withLock { $0.append(text) }
    }
  }

  enum Way { case plain, repeated, measured, inPlace }

  @Test(arguments: [false, true])
  func shapingPointsAreOfTheRoute(isRecorded: Bool) async throws {
    let text = """
      <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="x"><rte>
      <rtept lat="1" lon="1"><ele>7</ele><extensions><gpxx:RoutePointExtension><gpxx:Subclass>0</gpxx:Subclass>
      <gpxx:rpt lat="2" lon="2"/><gpxx:rpt lat="3" lon="x"/><gpxx:rpt lat="4" lon="4"><gpxx:Subclass>0</gpxx:Subclass>
      </gpxx:rpt></gpxx:RoutePointExtension></extensions></rtept><rtept lat="5" lon="5"/></rte>
      <rte><rtept lat="6" lon="6"/></rte></gpx>
      """
    let input = GPXInput.bytes(Array(text.utf8))
    let reader = GPXFixes(
      input, recording: isRecorded ? GPXRecording(input, readsOutline: false) : nil)
    var fixes: [Fix] = []
    for try await fix in reader { fixes.append(fix) }
    #expect(fixes.map(\.coordinate.latitude) == [1, 2, 4, 5, 6])
    #expect(fixes.map(\.segment) == [0, 0, 0, 0, 1])
    #expect(fixes.first?.elevation == 7)
    #expect(reader.issues.total == 1)
    #expect(reader.contents.points == [.routePoint: 5])
  }

  @Test func segmentsComeInTheOrderOfTheirMiddleTimes() async throws {
    func segment(_ hours: [Int?], _ latitude: Int) -> String {
      "<trkseg>"
        + hours.map { hour in
          let time = hour.map { "<time>2026-05-01T\($0 < 10 ? "0" : "")\($0):00:00Z</time>" } ?? ""
          return "<trkpt lat=\"\(latitude)\" lon=\"1\">\(time)</trkpt>"
        }.joined() + "</trkseg>"
    }
    let text =
      "<gpx version=\"1.1\"><trk>" + segment([20, 9, 10], 1) + segment([nil], 2)
      + segment([5, 6], 3)
      + "</trk><trk>" + segment([nil], 4) + segment([8], 5) + "</trk></gpx>"
    let reader = GPXFixes(.bytes(Array(text.utf8)), repairs: .sortingByTime)
    var fixes: [Fix] = []
    for try await fix in reader { fixes.append(fix) }
    #expect(fixes.map(\.coordinate.latitude) == [3, 3, 4, 5, 1, 1, 1, 2])
    #expect(fixes.map(\.segment) == [0, 0, 1, 2, 3, 3, 3, 4])
  }

  private func fixes(_ input: GPXInput, _ way: Way, _ reports: Reports = Reports()) -> GPXFixes {
    GPXFixes(
      input, source: .auto, choice: nil, isRepeated: way == .repeated,
      isMeasured: way == .measured, readsInPlace: way == .inPlace,
      report: { reports.add($0) })
  }

  private func count(_ fixes: GPXFixes) async throws -> Int {
    var count = 0
    for try await _ in fixes { count += 1 }
    return count
  }

  @Test(arguments: [Way.plain, .inPlace, .measured, .repeated])
  func readsAnewInEachIterationAndReportsOnce(way: Way) async throws {
    let reports = Reports()
    let fixes = fixes(.bytes(Self.track), way, reports)
    #expect(fixes.contents == GPXFixes.Contents())
    for _ in 0..<3 { #expect(try await count(fixes) == 3) }
    #expect(reports.texts.withLock(\.self) == ["latitude is missing", "track point"])
    #expect(fixes.contents.points == [.trackPoint: 3] && fixes.contents.tracks == 1)
    #expect(fixes.contents.kind == .trackPoint)
    #expect(fixes.issues.skipped == 1)
    #expect((fixes.share(at: 0, laps: 1) == 1) == (way == .measured))
  }

  @Test(arguments: [Way.plain, .inPlace])
  func throwsAfterTheFixesBeforeTheBreak(way: Way) async throws {
    let reports = Reports()
    let fixes = fixes(.bytes(Self.broken, name: "walk.gpx"), way, reports)
    for _ in 0..<2 {
      var iterator = fixes.makeAsyncIterator()
      #expect(try await iterator.next() != nil)
      let error = await #expect(throws: GPXError.self) { try await iterator.next() }
      #expect(error?.cause == .truncated && error?.file == "walk.gpx")
      #expect(try await iterator.next() == nil)
    }
    #expect(reports.texts.withLock { $0.count } == 2)
    #expect(fixes.contents == GPXFixes.Contents())
  }

  @Test func readsASmallFileWithManyPointsOnAThread() async throws {
    let fixes = fixes(.bytes(Array(walk(40_000).utf8)), .inPlace)
    var batches: [Int] = []
    for try await batch in fixes.batches { batches.append(batch.count) }
    #expect(batches.reduce(0, +) == 40_000)
    #expect(batches.allSatisfy { $0 <= GPXReader.batchSize })
  }

  @Test(arguments: [Way.plain, .repeated])
  func holdsTheFixesOfAPipeOnRequest(way: Way) async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    _ = write(ends[1], Self.track, Self.track.count)
    close(ends[1])
    let fixes = fixes(.descriptor(ends[0], name: "-"), way)
    #expect(try await count(fixes) == 3)
    if way == .repeated {
      for _ in 0..<2 { #expect(try await count(fixes) == 3) }
    } else {
      await #expect(throws: GPXError.self) { try await count(fixes) }
    }
  }
}
