import FaketrackTestSupport
import Foundation
import Geodesy
import GPX
import Testing

@testable import FaketrackFeatures

@Suite struct TrackShapeTests {
  private static let trackText = "<trk><trkseg><trkpt lat='5' lon='1'/></trkseg></trk>"

  private func shape(_ gpx: String) throws -> TrackShape {
    try TrackShape(reading: Track(.bytes(Array(gpx.utf8))))
  }

  @Test(arguments: [0.1, 1, 50, 204, 206, 500, 900])
  func keepsToItsLimitAndToTheEnds(kilometers: Double) throws {
    let gpx = TestTrack.gpx(kilometers: kilometers)
    let fixes = try GPXDocument(reading: .bytes(Array(gpx.utf8))).fixes
    let shape = try shape(gpx)
    let statistics = TrackStatistics(fixes)
    #expect(shape.count == fixes.count)
    #expect(abs(shape.length - statistics.length) < 0.001)
    #expect(shape.ascent == statistics.ascent)
    #expect(shape.duration == nil)
    #expect(shape.points.count <= TrackShape.limit)
    #expect(shape.points.first?.coordinate == fixes.first?.coordinate)
    #expect(shape.points.last?.coordinate == fixes.last?.coordinate)
    #expect(shape.points.last.map { abs($0.distance - statistics.length) < 0.001 } == true)
    let distances = shape.points.map(\.distance)
    #expect(distances == distances.sorted())
    #expect(shape.elevations == 30...36 || fixes.count < 7)
  }

  @Test func aShortTrackKeepsEveryPoint() throws {
    #expect(try shape(TestTrack.gpx(kilometers: 1)).points.count == 21)
  }

  @Test func gapsAreKeptApart() throws {
    let shape = try shape(
      """
      <gpx><trk><trkseg><trkpt lat="52" lon="13"/><trkpt lat="52.001" lon="13"/></trkseg>
      <trkseg><trkpt lat="53" lon="13"/><trkpt lat="53.001" lon="13"/></trkseg></trk></gpx>
      """)
    #expect(shape.points.map(\.isBreak) == [true, false, true, false])
    #expect(shape.length > 222 && shape.length < 223)
    #expect(shape.elevations == nil)
  }

  @Test func aGapTakesItsRecordedTimeAndTheWalkerWaitsBeforeIt() throws {
    let shape = try shape(
      """
      <gpx><trk><trkseg>
      <trkpt lat="52" lon="13"><time>2026-05-01T08:00:00Z</time></trkpt>
      <trkpt lat="52.001" lon="13"><time>2026-05-01T08:01:00Z</time></trkpt></trkseg><trkseg>
      <trkpt lat="53" lon="13"><time>2026-05-01T22:01:00Z</time></trkpt>
      <trkpt lat="53.001" lon="13"><time>2026-05-01T22:02:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """)
    #expect(shape.points.map(\.elapsed) == [0, 60, 50_460, 50_520])
    for elapsed in [60.0, 25_000, 50_459] {
      #expect(shape.place(atElapsed: elapsed)?.coordinate.latitude == 52.001)
    }
    #expect(shape.place(atElapsed: 50_460)?.coordinate.latitude == 53)
  }

  /// Points 100 m apart, a minute each.
  private func timed(_ times: [String?]) throws -> TrackShape {
    let points = times.enumerated().map { number, time in
      "<trkpt lat=\"\(52 + Double(number) * 9e-4)\" lon=\"13\">"
        + (time.map { "<time>\($0):00Z</time>" } ?? "") + "</trkpt>"
    }
    return try shape("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
  }

  @Test func theClockGoesOnThroughTimesOutOfLine() throws {
    let times = (10..<20).map { "2026-05-01T08:\($0)" as String? }
    let (wrong, expected) = (["1980-01-06T00:00"] as [String?], try timed(times).points)
    let inside = try timed(times[..<4] + wrong + times[5...])
    for (point, other) in zip(inside.points, expected) {
      #expect(abs(point.elapsed - other.elapsed) < 0.001)
      let (time, expectedTime) = (try #require(point.time), try #require(other.time))
      #expect(abs(time.timeIntervalSince(expectedTime)) < 0.001)
    }
    let atStart = try timed(wrong + times[1...]).points.compactMap(\.time)
    #expect(atStart.count == 10 && atStart == atStart.sorted())
    #expect(try timed(times[..<4] + [nil] + times[5...]).points[4].time == nil)
  }

  @Test func noTimesArePassedThroughBetweenTwoLinesOfTimes() throws {
    let times = (10..<20).map { "2026-05-01T08:\($0)" } + (10..<20).map { "2026-05-01T07:\($0)" }
    let shape = try timed(times)
    let last = try #require(shape.points[9].time)
    let place = try #require(shape.place(atElapsed: shape.points[9].elapsed + 30))
    #expect(place.time == last && place.distance > 920)
  }

  @Test func manySegmentsOfOnePointStayWithinTheLimit() throws {
    let segments = (0..<20_000).map {
      "<trkseg><trkpt lat=\"\(Double($0) / 1_000)\" lon=\"13\"/></trkseg>"
    }
    let shape = try shape("<gpx><trk>\(segments.joined())</trk></gpx>")
    #expect(shape.points.count <= TrackShape.limit)
    #expect(!shape.points.contains { !$0.isBreak })
    #expect(shape.count == 20_000)
  }

  @Test(arguments: [
    "<wpt lat='1' lon='2'><name> A\nmill </name></wpt><wpt lat='3' lon='4'/>" + trackText,
    trackText + "<wpt lat='1' lon='2'><name>A\nmill</name></wpt><wpt lat='3' lon='4'/>",
    "<wpt lat='1' lon='2'><name>A\nmill</name></wpt><wpt lat='3' lon='4'/>",
  ])
  func keepsTheWaypointsWhetherTheyAreWalkedOrNot(content: String) throws {
    let waypoints = try shape("<gpx>\(content)</gpx>").waypoints
    #expect(waypoints.map(\.name) == ["A mill", nil])
    #expect(waypoints.map(\.coordinate.longitude) == [2, 4])
  }

  @Test func waypointsAndTheirNamesAreBounded() throws {
    let name = String(repeating: "é", count: 200)
    let content = (0..<2_000).map {
      "<wpt lat='\(Double($0) / 100)' lon='2'><name>\(name)</name></wpt>"
    }
    let waypoints = try shape("<gpx>\(content.joined())\(Self.trackText)</gpx>").waypoints
    #expect(waypoints.count == TrackShape.waypointLimit)
    #expect(waypoints.last?.coordinate.latitude == 4.99)
    #expect(waypoints.allSatisfy { $0.name?.count == TrackShape.nameLimit })
  }

  @Test func tellsHowLongItTook() throws {
    let shape = try shape(
      """
      <gpx><trk><trkseg><trkpt lat="52" lon="13"><time>2026-05-01T08:00:00Z</time></trkpt>
      <trkpt lat="52.001" lon="13"><ele>40</ele><time>2026-05-01T08:02:30Z</time></trkpt>
      </trkseg></trk></gpx>
      """)
    #expect(shape.duration == 150)
    #expect(shape.elevations == 40...40)
    #expect(shape.points.map(\.elevation) == [nil, 40])
  }

  /// North at 1 m/s, a stop of 10 minutes, a gap of 1 km and 5 minutes, and on at 2 m/s.
  private static let walk: String = {
    func point(_ meters: Double, _ seconds: Double, elevation: Double) -> String {
      let time = Date(timeIntervalSince1970: 1_777_622_400 + seconds).formatted(.iso8601)
      let latitude = 52 + meters / 111_267.3
      return "<trkpt lat=\"\(latitude)\" lon=\"13\"><ele>\(elevation)</ele>"
        + "<time>\(time)</time></trkpt>"
    }
    let first = stride(from: 0.0, through: 1_000, by: 10).map {
      point($0, $0, elevation: 30 + $0 / 10)
    }
    let rest = (1...60).map { point(1_000, 1_000 + Double($0) * 10, elevation: 130) }
    let second = stride(from: 0.0, through: 1_000, by: 10).map {
      point(2_000 + $0, 1_900 + $0 / 2, elevation: 130)
    }
    return "<gpx><trk><trkseg>\((first + rest).joined())</trkseg>"
      + "<trkseg>\(second.joined())</trkseg></trk></gpx>"
  }()

  @Test(
    arguments: [
      // seconds, meters, course, speed
      (0, 0, 0, 1), (500, 500, 0, 1), (505, 505, 0, 1), (1_000, 1_000, nil, 1),
      (1_030, 1_000, nil, 0.5),
      (1_300, 1_000, nil, 0), (1_600, 1_000, nil, 0), (1_890, 1_000, nil, 0),
      (1_900, 1_000, 0, 0), (1_930, 1_060, 0, 1), (2_000, 1_200, 0, 2), (2_400, 2_000, nil, 2),
      (9_999, 2_000, nil, 0), (-1, 0, nil, 1),
    ] as [(Double, Double, Double?, Double)])
  func tellsWhereAWalkerIs(
    seconds: Double, meters: Double, course: Double?, speed: Double
  ) throws {
    let place = try #require(try shape(Self.walk).place(atElapsed: seconds))
    #expect(abs(place.distance - meters) < 0.1)
    #expect(place.course.map { $0.rounded() } == course)
    #expect(abs(place.speed - speed) < 0.06)
    let way = seconds < 1_900 ? place.distance : 1_000 + place.distance
    #expect(abs(place.coordinate.latitude - (52 + way / 111_267.3)) < 2e-6)
    #expect(place.elevation.map { abs($0 - min(130, 30 + place.distance / 10)) < 0.1 } == true)
  }

  @Test func standingStillIsNotMoving() throws {
    let totals = try shape(Self.walk).totals(of: [0...2_000])
    #expect(abs(totals.elapsed - 2_400) < 1)
    #expect(abs(totals.moving - 1_500) < 5)
  }

  @Test func theAscentGrowsToThatOfTheTrack() throws {
    let shape = try shape(Self.walk)
    let ascents = stride(from: 0.0, through: 2_000, by: 50).map {
      shape.totals(of: [0...$0]).ascent
    }
    #expect(ascents == ascents.sorted())
    #expect(ascents.first == 0 && ascents.last == shape.ascent)
    #expect(shape.ascent > 95)
    #expect(shape.totals(of: [0...500]).ascent > 30)
    #expect(shape.end?.distance == shape.length)
  }

  @Test(
    arguments: [
      ("", nil), ("<metadata><name>File</name></metadata>", "File"),
      ("<trk><name> Up the \n hill </name>POINTS</trk>", "Up the hill"),
      ("<metadata><name>File</name></metadata><trk><name>Way</name>POINTS</trk>", "Way"),
      ("<trk><name> </name>POINTS</trk><trk><name>Second</name></trk>", "Second"),
      ("<rte><name>Route</name></rte>", "Route"),
      ("<wpt lat='1' lon='1'><name>Mill</name></wpt>", nil),
    ] as [(String, String?)])
  func aTrackHasItsOwnName(content: String, name: String?) throws {
    let points = "<trkseg><trkpt lat='52' lon='13'/><trkpt lat='52.1' lon='13'/></trkseg>"
    let gpx =
      content.contains("POINTS")
      ? content.replacing("POINTS", with: points) : content + "<trk>\(points)</trk>"
    #expect(try shape("<gpx>\(gpx)</gpx>").name == name)
  }

  @Test func aLongNameIsCut() throws {
    let name = String(repeating: "long ", count: 1_000)
    let gpx =
      "<gpx><trk><name>\(name)</name><trkseg><trkpt lat='52' lon='13'/></trkseg></trk></gpx>"
    #expect(try shape(gpx).name?.count == TrackShape.nameLimit)
  }

  @Test(arguments: [0, 300, 999.5, 1_001, 1_400, 2_000, 3_000, -5])
  func tellsWhatIsAtADistance(meters: Double) throws {
    let shape = try shape(Self.walk)
    let place = try #require(shape.place(atDistance: meters))
    let distance = min(max(0, meters), 2_000)
    #expect(abs(place.distance - distance) < 0.01)
    let seconds = distance < 1_000 ? distance : 1_900 + (distance - 1_000) / 2
    let time = try #require(place.time).timeIntervalSince1970 - 1_777_622_400
    #expect(abs(time - seconds) < 0.6)
  }

  @Test func partsAddUp() throws {
    let shape = try shape(Self.walk)
    let totals = shape.totals(of: [100...300, 1_100...1_600])
    #expect(abs(totals.elapsed - 450) < 1)
    #expect(abs(totals.ascent - 20) < 10.5)
    #expect(shape.totals(of: []) == .init())
  }

  @Test func aLongTrackKeepsItsPace() throws {
    // 400 km with a stop of a minute after every kilometer, and a point every 5 meters and seconds.
    var (gpx, seconds) = ("<gpx><trk><trkseg>", 0.0)
    var times: [(meters: Double, seconds: Double)] = []
    let start = Date(timeIntervalSince1970: 1_777_622_400)
    for number in 0...80_000 {
      let meters = Double(number) * 5
      seconds += number > 0 && number.isMultiple(of: 200) ? 60 : 5
      times.append((meters, seconds))
      gpx +=
        "<trkpt lat=\"0\" lon=\"\(meters / 111_319.49)\"><time>"
        + start.addingTimeInterval(seconds).formatted(.iso8601) + "</time></trkpt>"
    }
    let shape = try shape(gpx + "</trkseg></trk></gpx>")
    #expect(shape.points.count <= TrackShape.limit)
    let first = times[0].seconds
    let distances = times.map { abs((shape.place(atElapsed: $1 - first)?.distance ?? 0) - $0) }
    #expect(try #require(distances.max()) < 10)
  }

  @Test(arguments: ["<gpx/>", "<gpx><trk><trkseg/></trk></gpx>"])
  func aFileWithoutPointsIsNothingToWalk(_ gpx: String) {
    let failure = #expect(throws: Failure.self) { try shape(gpx) }
    #expect(failure?.message == "there is nothing to walk in it")
    #expect(failure?.hint == "Give a file with points.")
    #expect(failure?.kind == .unusableInput)
  }

  @Test func aFileThatIsNotGPXIsAnError() {
    #expect(throws: GPXError.self) { try shape("<html></html>") }
    #expect(throws: GPXError.self) { try TrackShape(reading: Track(.file("/no/such/walk.gpx"))) }
  }

  @Test func whatComesBeforeABreakIsShown() throws {
    let broken = String(TestTrack.gpx(kilometers: 1).dropLast(40))
    let shape = try shape(broken)
    #expect(shape.count >= 19)
    #expect(shape.damage?.message.hasSuffix("the file ends in the middle") == true)
    #expect(try self.shape(TestTrack.gpx(kilometers: 1)).damage == nil)
  }

  @Test func theSourceDecidesWhichPointsAreShown() throws {
    let gpx = """
      <gpx><wpt lat="1" lon="1"/><rte><rtept lat="2" lon="2"/><rtept lat="3" lon="3"/></rte>
      <trk><trkseg><trkpt lat="4" lon="4"/></trkseg></trk></gpx>
      """
    let input = GPXInput.bytes(Array(gpx.utf8))
    let counts = try [GPXSource.auto, .tracks, .routes, .waypoints].map {
      try TrackShape(reading: Track(input, source: $0)).points.map(\.coordinate.latitude)
    }
    #expect(counts == [[4], [4], [2, 3], [1]])
  }
}

@Suite struct TrackCatalogTests {
  private static let short = TestTrack.file(TestTrack.gpx(kilometers: 0.1), name: "short.gpx")
  private static let empty = TestTrack.file("<gpx/>", name: "empty.gpx")

  @Test func readsEveryTrackOnce() async {
    let catalog = TrackCatalog([Self.short, Self.empty])
    #expect(catalog.entries.map(\.id) == [1, 2])
    #expect(catalog.entries.map(\.name) == ["short.gpx", "empty.gpx"])
    let entries = await catalog.store.first { entries in
      !entries.contains { $0.shape == .loading }
    }
    #expect(entries[0].shape.value?.count == 3)
    #expect(entries[1].shape.failure?.message == "there is nothing to walk in it")
    #expect(await catalog.shape(of: 1)?.count == 3)
    #expect(await catalog.shape(of: 2) == nil)
    #expect(await catalog.shape(of: 3) == nil)
  }

  @Test func aStalledTrackDelaysNoOther() async throws {
    let pipes = (0..<5).map { _ in Pipe() }
    let stalled = pipes.map { pipe in
      Track(.descriptor(pipe.fileHandleForReading.fileDescriptor, name: "stalled.gpx"))
    }
    let catalog = TrackCatalog(stalled + [Self.short])
    #expect(await catalog.shape(of: 6)?.count == 3)
    _ = try await catalog.add(TestTrack.file(TestTrack.gpx(kilometers: 1), name: "added.gpx"))
    #expect(catalog.entries.prefix(5).allSatisfy { $0.shape == .loading })
    for pipe in pipes { try pipe.fileHandleForWriting.close() }
    _ = await catalog.shape(of: 5)
  }

  @Test(
    arguments: [
      ("wpt", 9, 60, nil), ("rtept", 9, 60, nil), ("trkpt", 9, 60, nil),
      ("wpt", 8, 60, "more than 8 points"), ("rtept", 8, 60, "more than 8 points"),
      ("trkpt", 8, 60, "more than 8 points"), ("trkpt", 9, 0, "too long to read"),
    ] as [(String, Int, Int, String?)])
  func aFileBeyondItsLimitIsRefused(
    point: String, points: Int, seconds: Int, reason: String?
  ) async throws {
    let places = (0..<9).map { "<\(point) lat=\"1\" lon=\"1.00\($0)\"/>" }.joined()
    let gpx =
      switch point {
      case "rtept": "<gpx><rte>\(places)</rte></gpx>"
      case "trkpt": "<gpx><trk><trkseg>\(places)</trkseg></trk></gpx>"
      default: "<gpx>\(places)</gpx>"
      }
    var file = TestTrack.file(gpx)
    file.limit = Track.Limit(points: points, time: .seconds(seconds), hint: "Be brief.")
    let outcome = await Loading { [file] in try await TrackCatalog([]).add(file) }
    #expect((outcome.failure == nil) == (reason == nil))
    #expect(outcome.failure?.message.contains(reason ?? "") ?? true)
    #expect(outcome.failure?.hint == reason.map { _ in "Be brief." })
  }

  @Test func readsNothingAheadWhereThatIsNotWanted() async {
    let catalog = TrackCatalog([Self.short], readsShapes: false)
    #expect(catalog.entries.map(\.shape) == [.idle])
    #expect(await catalog.shape(of: 1) == nil)
    #expect(catalog.file(1)?.name == "short.gpx")
  }

  @Test func aTrackThatCanBeWalkedIsAdded() async throws {
    let catalog = TrackCatalog([Self.short])
    let id = try await catalog.add(
      TestTrack.file(TestTrack.gpx(kilometers: 1), name: "added.gpx"))
    #expect(id == 2)
    #expect(catalog.entries.map(\.name) == ["short.gpx", "added.gpx"])
    #expect(catalog.entries.last?.shape.value?.count == 21)
    #expect(catalog.file(id)?.name == "added.gpx")
  }

  @Test func aTrackThatCannotBeWalkedIsRefusedWithTheReason() async {
    let catalog = TrackCatalog([Self.short])
    for (file, message) in [
      (Self.empty, "there is nothing to walk in it"),
      (TestTrack.file("<html></html>", name: "page.gpx"), "page.gpx"),
    ] {
      let failure = await #expect(throws: Failure.self) { _ = try await catalog.add(file) }
      #expect(failure?.message.hasPrefix(message) == true)
      #expect(failure?.kind == .unusableInput)
    }
    #expect(catalog.entries.count == 1)
  }

  @Test func theOldestAdditionGivesWay() async throws {
    let catalog = TrackCatalog([Self.short], additionLimit: 3)
    for number in 0..<6 {
      let id = try await catalog.add(
        TestTrack.file(TestTrack.gpx(kilometers: 0.1), name: "\(number).gpx"))
      #expect(id == number + 2, "an id is never used again")
    }
    #expect(catalog.entries.map(\.name) == ["short.gpx", "3.gpx", "4.gpx", "5.gpx"])
    #expect(catalog.file(4) == nil)
    #expect(catalog.file(5) != nil)
    #expect(catalog.file(1) != nil, "those of the command line stay")
    #expect(await catalog.shape(of: 2) == nil)
  }

  @Test func largeAdditionsGiveWayToo() async throws {
    let gpx = TestTrack.gpx(kilometers: 0.1)
    let catalog = TrackCatalog([], memoryLimit: gpx.utf8.count * 5 / 2)
    for number in 0..<4 {
      _ = try await catalog.add(TestTrack.file(gpx, name: "\(number).gpx"))
    }
    #expect(catalog.entries.map(\.name) == ["2.gpx", "3.gpx"])
  }

  @Test func anAdditionInUseStays() async throws {
    let catalog = TrackCatalog([], additionLimit: 3)
    for number in 0..<6 {
      _ = try await catalog.add(
        TestTrack.file(TestTrack.gpx(kilometers: 0.1), name: "\(number).gpx"), protecting: 1)
    }
    #expect(catalog.entries.map(\.name) == ["0.gpx", "4.gpx", "5.gpx"])
    #expect(catalog.file(1) != nil && catalog.file(4) == nil)
  }
}
