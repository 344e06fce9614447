import CCities
import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct EarthVectorTests {
  private func chord(_ a: Coordinate, _ b: Coordinate) -> Double {
    let difference = EarthVector.at(a) - EarthVector.at(b)
    return (difference * difference).sum().squareRoot()
  }

  /// A chord within the reach of another is all that a search may rely on.
  @Test(arguments: [10, 1e3, 1e5, 1e6, 4e6, 4.4e6, 4.6e6, 8e6, 1.2e7, 1.6e7, 1.95e7])
  func reachesAllChordsOfAsLongGeodesics(length: Double) throws {
    for latitude in [0, 5, 30, 45, 60, 85, 90, -45.0] {
      let from = try Coordinate(latitude: latitude, longitude: 20)
      let chords = stride(from: 0.0, to: 360, by: 7.5).compactMap { bearing -> Double? in
        let to = from.destination(distance: length, bearing: bearing)
        // Past half the Earth, another way is the shortest.
        return abs(from.distance(to: to) - length) < 1e-3 ? chord(from, to) : nil
      }
      let least = try #require(chords.min())
      let greatest = try #require(chords.max())
      #expect(greatest <= box_tree_reach(least))
    }
  }

  @Test func agreesWithTheMathematicsLibrary() throws {
    for latitude in stride(from: -90.0, through: 90, by: 3.75) {
      for longitude in stride(from: -180.0, through: 180, by: 3.75) {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        let radius = 6_378_137 / (1 - 0.006_694_379_990_14 * sin(phi) * sin(phi)).squareRoot()
        let expected = SIMD3(
          radius * cos(phi) * cos(lambda), radius * cos(phi) * sin(lambda),
          radius * (1 - 0.006_694_379_990_14) * sin(phi))
        let point = EarthVector.at(try Coordinate(latitude: latitude, longitude: longitude))
        let difference = point - expected
        #expect((difference * difference).sum().squareRoot() < 0.02)
      }
    }
  }

  @Test func keepsToTheEllipsoid() throws {
    let equator = EarthVector.at(try Coordinate(latitude: 0, longitude: 0))
    let east = EarthVector.at(try Coordinate(latitude: 0, longitude: 90))
    let pole = EarthVector.at(try Coordinate(latitude: -90, longitude: 33))
    #expect(equator.x == 6_378_137)
    #expect(east.y == 6_378_137)
    #expect(abs(pole.z + 6_356_752.314_2) < 0.001)
  }
}
