import Foundation
import Geodesy
import Testing

@Suite struct CoordinateTests {
  @Test(arguments: [(90.1, 0), (-91, 0), (0, 180.5), (0, -180.096), (.nan, 0), (0, .infinity)])
  func refusesAnInvalidPosition(latitude: Double, longitude: Double) {
    #expect(throws: InvalidCoordinate.self) {
      try Coordinate(latitude: latitude, longitude: longitude)
    }
  }

  @Test(arguments: [(90.0, 180.0), (-90, -180), (0, 0), (52.4, 13.06)])
  func keepsAValidPosition(latitude: Double, longitude: Double) throws {
    let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(coordinate.latitude == latitude)
    #expect(coordinate.longitude == longitude)
  }

  @Test func isCodedByLatitudeAndLongitude() throws {
    let coordinate = try Coordinate(latitude: -12.25, longitude: 180)
    let json = try JSONEncoder().encode(coordinate)
    let object = try JSONDecoder().decode([String: Double].self, from: json)
    #expect(object == ["latitude": -12.25, "longitude": 180])
    #expect(try JSONDecoder().decode(Coordinate.self, from: json) == coordinate)
  }

  @Test func refusesToDecodeAnInvalidPosition() throws {
    let json = Data(#"{"latitude":0,"longitude":-180.096}"#.utf8)
    do {
      _ = try JSONDecoder().decode(Coordinate.self, from: json)
      Issue.record("decoded a position that is none")
    } catch DecodingError.dataCorrupted(let context) {
      let cause = context.underlyingError as? InvalidCoordinate
      #expect(cause == InvalidCoordinate(latitude: 0, longitude: -180.096))
    }
  }

  @Test(arguments: [#"{"latitude":0}"#, #"{"latitude":"1","longitude":2}"#, "[1,2]"])
  func refusesToDecodeWhatIsMissing(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Coordinate.self, from: Data(json.utf8))
    }
  }

  @Test(arguments: [
    (90.000_000_1, 0.0, 90.0, 0.0), (-90.000_000_1, 0, -90, 0), (0, 180.000_000_1, 0, 180),
    (0, -180.000_000_1, 0, -180), (52.4, 13.06, 52.4, 13.06), (1e300, -1e300, 90, -180),
  ])
  func isClampedIntoItsRange(
    latitude: Double, longitude: Double, expectedLatitude: Double, expectedLongitude: Double
  ) throws {
    let expected = try Coordinate(latitude: expectedLatitude, longitude: expectedLongitude)
    #expect(Coordinate.clamped(latitude: latitude, longitude: longitude) == expected)
  }

  @Test func theErrorNamesBothValues() {
    let error = InvalidCoordinate(latitude: 91, longitude: -7.5)
    #expect(error.description == "latitude 91.0, longitude -7.5 is not a position on Earth")
    #expect(
      error.recoverySuggestion == "Latitudes are −90 to 90 degrees, longitudes −180 to 180.")
    #expect(error != InvalidCoordinate(latitude: 91, longitude: 7.5))
  }

  @Test(arguments: [
    (90.0.nextUp, 0.0), ((-90.0).nextDown, 0), (0, 180.0.nextUp), (0, (-180.0).nextDown), (0, .nan),
    (.infinity, 0), (-.infinity, 0),
  ])
  func theRangesAreExact(latitude: Double, longitude: Double) {
    #expect(throws: InvalidCoordinate.self) {
      try Coordinate(latitude: latitude, longitude: longitude)
    }
  }
}
