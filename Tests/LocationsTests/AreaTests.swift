import FaketrackSupport
import Foundation
import Geodesy
import Locations
import Testing

@Suite struct AreaTests {
  /// A square of a tenth of a degree with a hole in it.
  private static let rings = [
    [(13.0, 52.0), (13.1, 52.0), (13.1, 52.1), (13.0, 52.1), (13.0, 52.0)],
    [(13.04, 52.04), (13.06, 52.04), (13.06, 52.06), (13.04, 52.06), (13.04, 52.04)],
  ]

  private func square() throws -> Area {
    Area(
      identifier: "",
      polygons: [
        try Self.rings.map { try $0.map { try Coordinate(latitude: $0.1, longitude: $0.0) } }
      ])
  }

  @Test func polygonsMayOverlap() throws {
    let rings = try Self.rings.map {
      try $0.map { try Coordinate(latitude: $0.1, longitude: $0.0) }
    }
    let area = Area(identifier: "", polygons: [[rings[0]], [rings[0]], [rings[1]]])
    #expect(area.contains(try Coordinate(latitude: 52.05, longitude: 13.05)))
    #expect(area.contains(try Coordinate(latitude: 52.02, longitude: 13.02)))
  }

  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Area {
    Area(
      identifier: "",
      BoundingBox(
        minimumLatitude: south, minimumLongitude: west, maximumLatitude: north,
        maximumLongitude: east))
  }

  @Test(arguments: [
    (52.02, 13.02, true), (52.05, 13.05, false), (52.0, 13.05, true), (52.04, 13.05, true),
    (52.1, 13.1, true), (51.99, 13.05, false), (52.05, 13.11, false), (52.05, 373.02 - 360, true),
  ])
  func aRingInARingIsAHole(latitude: Double, longitude: Double, isInside: Bool) throws {
    let place = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(try square().contains(place) == isInside)
    #expect(try (square().distance(to: place) == 0) == isInside)
  }

  @Test func theDistanceIsTheOneToTheNearestEdge() throws {
    let area = try square()
    let south = try Coordinate(latitude: 51.99, longitude: 13.05)
    let foot = try Coordinate(latitude: 52, longitude: 13.05)
    #expect(abs(area.distance(to: south) - south.distance(to: foot)) < 0.1)
    let hole = try Coordinate(latitude: 52.05, longitude: 13.055)
    let edge = try Coordinate(latitude: 52.05, longitude: 13.06)
    #expect(abs(area.distance(to: hole) - hole.distance(to: edge)) < 0.1)
  }

  @Test func aBoxMayCrossTheDateLine() throws {
    let area = box(179, -1, -179, 1)
    for (longitude, isInside) in [
      (179.5, true), (-179.5, true), (180, true), (178, false), (0, false),
    ] {
      #expect(area.contains(try Coordinate(latitude: 0, longitude: longitude)) == isInside)
    }
    let beside = try Coordinate(latitude: 0, longitude: -178.5)
    let edge = try Coordinate(latitude: 0, longitude: -179)
    #expect(abs(area.distance(to: beside) - beside.distance(to: edge)) < 1)
  }

  @Test(arguments: [13.0, 179.95])
  func aLegMeetsTheEdges(longitude: Double) async throws {
    let start = try Coordinate(latitude: 52, longitude: longitude)
    let track = [0.0, 4_000].map {
      Fix(start.destination(distance: $0, bearing: 90), time: SampleTracks.start + $0)
    }
    let (west, east) = (
      start.destination(distance: 1_000, bearing: 90),
      start.destination(distance: 2_500, bearing: 90)
    )
    let area = box(west.longitude, 51.9, east.longitude, 52.1)
    let outcomes = try await ReplayLocationProvider(track, speed: .max).outcomes(
      of: [.enters(area), .leaves(area), .stays(in: area, for: .seconds(1_499))], inOrder: true)
    #expect(outcomes.map(\.difference) == [nil, nil, nil])
    let places = try outcomes.prefix(2).map { try #require($0.location?.distance) }
    #expect(abs(places[0] - 1_000) < 1 && abs(places[1] - 2_500) < 1)
  }
}
