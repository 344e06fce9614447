import Testing

@testable import Geodesy

@Suite struct DistanceTests {
  /// Positions where formulas break: poles, date line, equator, and next to each.
  static let corners: [Coordinate] = {
    let latitudes = [-90, -90 + 1e-13, -89.999, -45, -1e-300, 0, 1e-9, 0.3, 45, 89.9, 90]
    let longitudes = [-180, -180 + 1e-13, -90, -0.0, 1e-300, 0.2, 90, 179.5, 179.9999999, 180]
    return latitudes.flatMap { latitude in
      longitudes.map { Coordinate(validLatitude: latitude, longitude: $0) }
    }
  }()

  @Test(arguments: corners)
  func isAFiniteSymmetricNumberForEveryPair(here: Coordinate) {
    for there in Self.corners {
      let distance = here.distance(to: there)
      #expect(distance >= 0 && distance < 20_003_931.4586255, "\(there)")
      #expect(abs(distance - there.distance(to: here)) < 1e-7, "\(there)")
      #expect((0..<360).contains(here.bearing(to: there)), "\(there)")
      let half = here.interpolated(to: there, fraction: 0.5)
      #expect(abs(half.distance(to: there) - distance / 2) < 1e-7, "\(there)")
    }
  }

  @Test(arguments: corners)
  func isZeroToTheSamePlaceUnderAnyName(here: Coordinate) throws {
    #expect(here.distance(to: here) == 0)
    #expect(here.bearing(to: here) == 0)
    if abs(here.longitude) == 180 {
      let other = try Coordinate(latitude: here.latitude, longitude: -here.longitude)
      #expect(here.distance(to: other) == 0)
    }
    if abs(here.latitude) == 90 {
      for longitude in stride(from: -180.0, through: 180, by: 0.5) {
        let other = try Coordinate(latitude: here.latitude, longitude: longitude)
        #expect(here.distance(to: other) == 0)
        #expect(here.bearing(to: other) == 0)
      }
    }
  }

  @Test(arguments: [
    (51.126_994_2, 16.851_781, 52.232_855, 20.921_111_4, 307_123.687),
    (40.733_458, -73.845_023, 33.879_322, -118.080_59, 3_951_949.797),
  ])
  func agreesWithPublishedDistances(
    latitude: Double, longitude: Double, toLatitude: Double, toLongitude: Double, meters: Double
  ) throws {
    let start = try Coordinate(latitude: latitude, longitude: longitude)
    let end = try Coordinate(latitude: toLatitude, longitude: toLongitude)
    #expect(abs(start.distance(to: end) - meters) < 0.001)
  }

  /// The closed formula and the search are two derivations; each is the other's oracle.
  @Test(arguments: [-90, -89.9, -75, -45, -10, 0, 0.1, 30, 45.1, 52.4, 67, 85, 89.6, 89.999])
  func isContinuousWhereTheShortFormulaEnds(latitude: Double) {
    let reach = ShortDistance.reach
    for step in 0...20 {
      let part = reach * Double(step) / 20
      for (north, east) in [(reach, part), (part, reach), (0.002, part), (0.001_99, 0.000_1)] {
        guard latitude + north <= 90 else { continue }
        let here = Coordinate(validLatitude: latitude, longitude: 7)
        let there = Coordinate(validLatitude: latitude + north, longitude: 7 + east)
        let short = ShortDistance.meters(
          middleLatitude: latitude + north / 2, latitudes: north, longitudes: east)
        #expect(abs(short - Geodesic(from: here, to: there).length) < 5e-8)
      }
    }
  }

  @Test func neverShrinksAsADestinationMovesAway() {
    // Over both seams: from two to four terms at some 220 m, and to the search at some 27.8 km.
    for (start, bearing) in [(52.4, 3.0), (-30, 80), (0, 45), (89, 10), (-66, 200)] {
      let here = Coordinate(validLatitude: start, longitude: 179.99)
      for seam in [220.0, 27_800] {
        var last = 0.0
        for millimeters in 0..<4_000 {
          let meters = seam - 2 + Double(millimeters) / 1_000
          let distance = here.distance(
            to: here.destination(distance: meters, bearing: bearing))
          #expect(distance > last)
          #expect(abs(distance - meters) < 6e-8)
          last = distance
        }
      }
    }
  }

  @Test func measuresAcrossTheNorthPole() throws {
    let here = try Coordinate(latitude: 89.999_9, longitude: 25)
    let there = try Coordinate(latitude: 89.999_9, longitude: -155)
    // Two polar radii of curvature, a² / b, times the angle from the pole.
    let radius = 6_378_137 * 298.257_223_563 / 297.257_223_563
    let expected = 2 * radius * 0.000_1 * .pi / 180
    #expect(abs(here.distance(to: there) - expected) < 1e-6)
  }

  @Test func growsWithTheCurvatureTowardThePoles() throws {
    // A second of latitude is 30.7151 m long at the equator and 31.0261 m at the pole.
    let second = 1.0 / 3_600
    let equatorial = try Coordinate(latitude: 0, longitude: 0)
      .distance(to: Coordinate(latitude: second, longitude: 0))
    let polar = try Coordinate(latitude: 90 - second, longitude: 0)
      .distance(to: Coordinate(latitude: 90, longitude: 0))
    #expect(abs(equatorial - 30.715_1) < 1e-4)
    #expect(abs(polar - 31.026_1) < 1e-4)
  }
}
