import FaketrackTestSupport
import Geodesy
import GPX
import Testing

@testable import FaketrackFeatures

@Suite struct TrackShapeTests {
  private func shape(_ gpx: String) throws -> TrackShape {
    try TrackShape(reading: .bytes(Array(gpx.utf8)))
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

  @Test func manySegmentsOfOnePointStayWithinTheLimit() throws {
    let segments = (0..<20_000).map {
      "<trkseg><trkpt lat=\"\(Double($0) / 1_000)\" lon=\"13\"/></trkseg>"
    }
    let shape = try shape("<gpx><trk>\(segments.joined())</trk></gpx>")
    #expect(shape.points.count <= TrackShape.limit)
    #expect(!shape.points.contains { !$0.isBreak })
    #expect(shape.count == 20_000)
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

  @Test(arguments: ["<gpx/>", "<gpx><trk><trkseg/></trk></gpx>"])
  func aFileWithoutPointsIsNothingToWalk(_ gpx: String) {
    let failure = #expect(throws: Failure.self) { try shape(gpx) }
    #expect(failure?.message == "there is nothing to walk in it")
    #expect(failure?.hint == "Give a file with points.")
    #expect(failure?.kind == .unusableInput)
  }

  @Test func aFileThatIsNotGPXIsAnError() {
    #expect(throws: GPXError.self) { try shape("<html></html>") }
    #expect(throws: GPXError.self) { try TrackShape(reading: .file("/no/such/walk.gpx")) }
  }

  @Test func whatComesBeforeABreakIsShown() throws {
    let broken = String(TestTrack.gpx(kilometers: 1).dropLast(40))
    #expect(try shape(broken).count >= 19)
  }

  @Test func theSourceDecidesWhichPointsAreShown() throws {
    let gpx = """
      <gpx><wpt lat="1" lon="1"/><rte><rtept lat="2" lon="2"/><rtept lat="3" lon="3"/></rte>
      <trk><trkseg><trkpt lat="4" lon="4"/></trkseg></trk></gpx>
      """
    let input = GPXInput.bytes(Array(gpx.utf8))
    let counts = try [GPXSource.auto, .tracks, .routes, .waypoints].map {
      try TrackShape(reading: input, source: $0).points.map(\.coordinate.latitude)
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
    let catalog = TrackCatalog([Self.short])
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

  @Test func anAdditionInUseStays() async throws {
    let catalog = TrackCatalog([])
    for number in 0..<6 {
      _ = try await catalog.add(
        TestTrack.file(TestTrack.gpx(kilometers: 0.1), name: "\(number).gpx"), protecting: 1)
    }
    #expect(catalog.entries.map(\.name) == ["0.gpx", "4.gpx", "5.gpx"])
    #expect(catalog.file(1) != nil && catalog.file(4) == nil)
  }
}
