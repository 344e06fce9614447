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
}
