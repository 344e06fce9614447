import GPX
import Geodesy
import Testing

@testable import FaketrackWeb

@Suite struct TrackShapeTests {
  private func shape(_ gpx: String) throws -> TrackShape {
    try TrackShape(reading: .bytes(Array(gpx.utf8)))
  }

  @Test(arguments: [0.1, 1, 50, 204, 206, 500, 900])
  func keepsToItsLimitAndToTheEnds(kilometers: Double) throws {
    let gpx = Walks.gpx(kilometers: kilometers)
    let fixes = try GPXDocument(reading: .bytes(Array(gpx.utf8))).fixes
    let shape = try shape(gpx)
    let length = TrackStatistics(fixes).length
    #expect(shape.count == fixes.count)
    #expect(abs(shape.length - length) < 0.001)
    #expect(shape.points.count <= TrackShape.limit)
    #expect(shape.points.first?.coordinate == fixes.first?.coordinate)
    #expect(shape.points.last?.coordinate == fixes.last?.coordinate)
    #expect(shape.points.last.map { abs($0.distance - length) < 0.001 } == true)
    let distances = shape.points.map(\.distance)
    #expect(distances == distances.sorted())
  }

  @Test func gapsAreKeptApart() throws {
    let shape = try shape(
      """
      <gpx><trk><trkseg><trkpt lat="52" lon="13"/><trkpt lat="52.001" lon="13"/></trkseg>
      <trkseg><trkpt lat="53" lon="13"/><trkpt lat="53.001" lon="13"/></trkseg></trk></gpx>
      """)
    #expect(shape.points.map(\.isBreak) == [true, false, true, false])
    #expect(shape.length > 222 && shape.length < 223)
  }

  @Test func manySegmentsOfOnePointStayWithinTheLimit() throws {
    let segments = (0..<20_000).map {
      "<trkseg><trkpt lat=\"\(Double($0) / 1_000)\" lon=\"13\"/></trkseg>"
    }
    let shape = try shape("<gpx><trk>\(segments.joined())</trk></gpx>")
    #expect(shape.points.count <= TrackShape.limit)
    #expect(!shape.points.contains { !$0.isBreak })
  }

  @Test(arguments: ["<gpx/>", "<gpx><trk><trkseg/></trk></gpx>"])
  func aFileWithoutPointsIsNothingToWalk(_ gpx: String) {
    #expect(throws: TrackShape.Nothing.self) { try shape(gpx) }
  }

  @Test func whatComesBeforeABreakIsShown() throws {
    let broken = String(Walks.gpx(kilometers: 1).dropLast(40))
    #expect(try shape(broken).count >= 19)
  }

  @Test func thePlaneLineGoesOnOverTheDateLine() throws {
    let shape = try shape(
      """
      <gpx><trk><trkseg><trkpt lat="0" lon="179.99"/><trkpt lat="0" lon="-179.99"/>
      <trkpt lat="0.01" lon="-179.98"/></trkseg></trk></gpx>
      """)
    let line = PlaneLine(shape, points: 100)
    #expect(line.path { _ in true } == "M0.0 333.3L666.7 333.3L1000.0 0.0")
  }
}
