import Foundation
import GPX
import Geodesy
import Locations
import Testing

@testable import FaketrackFeatures

/// Tracks to the north, 111 m from fix to fix.
@Suite struct PrivateAreasTests {
  private func area(_ latitude: Double, _ longitude: Double = 13, _ radius: Double) throws
    -> PrivateAreas
  {
    PrivateAreas([
      CircularRegion(
        identifier: "home", center: try Coordinate(latitude: latitude, longitude: longitude),
        radius: radius)
    ])
  }

  private func fixes(_ latitudes: [Double], segment: Int = 0) throws -> [Fix] {
    try latitudes.map {
      Fix(try Coordinate(latitude: $0, longitude: 13), segment: segment)
    }
  }

  private func filter(_ areas: PrivateAreas) throws -> ([Fix]) -> [Fix] {
    let makeFilter = try #require(areas.makeFilter)
    return makeFilter()
  }

  private func segments(_ fixes: [Fix], without areas: PrivateAreas) throws -> [Int] {
    let filter = try filter(areas)
    return filter(fixes).map(\.segment)
  }

  @Test func withoutAreasNothingIsFiltered() {
    #expect(PrivateAreas().makeFilter == nil)
  }

  @Test func theFixesOfAnAreaAreLeftOutAndTheTrackHasAGapThere() throws {
    let track = try fixes([52, 52.001, 52.002, 52.003, 52.004])
    let filter = try filter(area(52.002, 13, 150))
    let kept = filter(track)
    #expect(kept.map(\.coordinate.latitude) == [52, 52.004])
    #expect(kept[0].segment < kept[1].segment)
  }

  @Test func aLineThroughAnAreaIsAGapEvenIfNoFixIsThere() throws {
    let track = try fixes([52, 52.01, 52.011])
    #expect(try segments(track, without: area(52.005, 13.001, 100)) == [0, 1, 1])
    // Beside the line, which is 68 m away.
    #expect(try segments(track, without: area(52.005, 13.001, 60)) == [0, 0, 0])
    #expect(try segments(track, without: area(52.02, 13, 100)) == [0, 0, 0])
  }

  @Test func segmentsStayApart() throws {
    let filter = try filter(area(52.001, 13, 50))
    let first = filter(try fixes([52, 52.001, 52.002]))
    let second = filter(try fixes([52.002, 52.003], segment: 1))
    #expect((first + second).map(\.segment) == [0, 1, 2, 2])
    #expect(
      try segments(fixes([52, 52.002], segment: -1), without: area(52.001, 13, 50)) == [-1, -2])
  }

  @Test func aShapeHasNeitherPointsNorWaypointsThere() throws {
    let points = (0...10).map { "<trkpt lat=\"\(52 + Double($0) / 1_000)\" lon=\"13\"/>" }.joined()
    let gpx =
      "<gpx><wpt lat=\"52.005\" lon=\"13\"><name>Home</name></wpt>"
      + "<wpt lat=\"52\" lon=\"13\"><name>Inn</name></wpt>"
      + "<trk><trkseg>\(points)</trkseg></trk></gpx>"
    let shape = try TrackShape(
      reading: Track(.bytes(Array(gpx.utf8)), without: area(52.005, 13, 250)))
    #expect(shape.waypoints.map(\.name) == ["Inn"])
    #expect(!shape.points.contains { (52.003...52.007).contains($0.coordinate.latitude) })
    #expect(shape.points.filter(\.isBreak).count == 2)
    #expect(abs(shape.length - 445) < 1)
  }
}
