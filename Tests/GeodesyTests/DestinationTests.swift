import Geodesy
import Testing

@Suite struct DestinationTests {
  static let home = Coordinate(validLatitude: 52.4, longitude: 13.06)

  @Test(arguments: [(90.0, 180.0, -179.0), (270, -180, 179), (-90, -180, 179)])
  func normalizesTheLongitude(bearing: Double, start: Double, sign: Double) throws {
    let here = try Coordinate(latitude: 10, longitude: start)
    let there = here.destination(distance: 50_000, bearing: bearing)
    #expect(abs(there.longitude) <= 180)
    #expect(there.longitude.sign == sign.sign)
    #expect(abs(here.distance(to: there) - 50_000) < 1e-7)
  }

  @Test func goesOverThePole() throws {
    let here = try Coordinate(latitude: 89.9, longitude: 30)
    let there = here.destination(distance: 22_338.7, bearing: 0)
    #expect(abs(there.longitude + 150) < 1e-9)
    #expect(abs(there.latitude - 89.9) < 1e-5)
  }

  @Test(arguments: [0.0, 90, 123, 359.9, -17, 720])
  func leavesThePoleAlongTheMeridianOfTheBearing(bearing: Double) throws {
    let pole = try Coordinate(latitude: -90, longitude: 20)
    let there = pole.destination(distance: 1_000, bearing: bearing)
    let meridian = (20 + bearing).remainder(dividingBy: 360)
    #expect(abs((there.longitude - meridian).remainder(dividingBy: 360)) < 1e-9)
    #expect(abs(pole.distance(to: there) - 1_000) < 1e-7)
    let back = (pole.bearing(to: there) - bearing).remainder(dividingBy: 360)
    #expect(abs(back) < 1e-9)
  }

  @Test func takesABearingModuloAFullTurn() {
    let expected = Self.home.destination(distance: 500, bearing: 10)
    #expect(Self.home.destination(distance: 500, bearing: 370) == expected)
    #expect(Self.home.destination(distance: 500, bearing: -350) == expected)
    #expect(Self.home.destination(distance: 500, bearing: 360_010).distance(to: expected) < 1e-7)
  }

  @Test func goesBackwardsByANegativeDistance() {
    let back = Self.home.destination(distance: -700, bearing: 33)
    let opposite = Self.home.destination(distance: 700, bearing: 213)
    #expect(back.distance(to: opposite) < 1e-8)
  }

  @Test func comesHomeAroundTheEarth() throws {
    let here = try Coordinate(latitude: 0, longitude: 12)
    let around = here.destination(distance: 2 * .pi * 6_378_137, bearing: 90)
    #expect(here.distance(to: around) < 1e-6)
  }

  @Test(arguments: [
    (Double.nan, 0.0), (.infinity, 0), (100, .nan), (100, -.infinity), (0, 77),
  ])
  func staysWhereNothingLeads(distance: Double, bearing: Double) {
    #expect(Self.home.destination(distance: distance, bearing: bearing) == Self.home)
  }

  @Test(arguments: [1e12, 1e300, Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude])
  func endsOnTheEarthHoweverFarItGoes(distance: Double) {
    let there = Self.home.destination(distance: distance, bearing: 50)
    #expect(abs(there.latitude) <= 90 && abs(there.longitude) <= 180)
  }

  @Test func keepsAnInterpolationWithinItsEnds() throws {
    let there = try Coordinate(latitude: 52.5, longitude: 13.2)
    for fraction: Double in [0, -1, -.infinity, .nan] {
      #expect(Self.home.interpolated(to: there, fraction: fraction) == Self.home)
    }
    for fraction: Double in [1, 1.5, .infinity] {
      #expect(Self.home.interpolated(to: there, fraction: fraction) == there)
    }
    #expect(Self.home.interpolated(to: Self.home, fraction: 0.4) == Self.home)
  }

  @Test func interpolatesAcrossTheDateLine() throws {
    let west = try Coordinate(latitude: -17, longitude: 179.8)
    let east = try Coordinate(latitude: -17, longitude: -179.8)
    let middle = west.interpolated(to: east, fraction: 0.5)
    #expect(abs(abs(middle.longitude) - 180) < 1e-9)
    #expect(middle.latitude < -17)
  }

  @Test func interpolatesOverThePole() throws {
    let here = try Coordinate(latitude: 80, longitude: 40)
    let there = try Coordinate(latitude: 80, longitude: -140)
    #expect(abs(here.interpolated(to: there, fraction: 0.5).latitude - 90) < 1e-9)
  }

  @Test(arguments: [
    (53.0, 13.06, 0.0), (52, 13.06, 180), (52.4, 13.061, 90), (52.4, 13.059, 270),
  ])
  func countsBearingsClockwiseFromNorth(latitude: Double, longitude: Double, bearing: Double) throws
  {
    let there = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(abs(Self.home.bearing(to: there) - bearing) < 0.001)
  }

  @Test(arguments: [180.0, -180, 179.7, -179.7, 179.5])
  func goesNorthAroundTheEquator(longitude: Double) throws {
    let here = try Coordinate(latitude: 0, longitude: 0)
    let there = try Coordinate(latitude: 0, longitude: longitude)
    let bearing = here.bearing(to: there)
    #expect(bearing < 90 || bearing > 270)
    #expect(here.interpolated(to: there, fraction: 0.5).latitude > 10)
  }
}
