import Cities
import Foundation
import Geodesy
import Testing

@Suite struct CityTests {
  let known: City
  let unknown: City

  init() throws {
    known = City(
      id: 7, name: "Ærøskøbing", country: "DK", region: "South Denmark",
      coordinate: try Coordinate(latitude: 54.88, longitude: 10.41), population: 900,
      timezone: "Europe/Copenhagen")
    unknown = City(id: 8, name: "X", coordinate: try Coordinate(latitude: -1, longitude: 0))
  }

  @Test func writesAllKeys() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(
      String(decoding: try encoder.encode(known), as: UTF8.self)
        == #"{"country":"DK","id":7,"latitude":54.88,"longitude":10.41,"name":"Ærøskøbing","#
        + #""population":900,"region":"South Denmark","timezone":"Europe/Copenhagen"}"#)
    #expect(
      String(decoding: try encoder.encode(unknown), as: UTF8.self)
        == #"{"country":null,"id":8,"latitude":-1,"longitude":0,"name":"X","#
        + #""population":null,"region":null,"timezone":null}"#)
  }

  @Test func readsWhatItWrites() throws {
    for city in [known, unknown] {
      #expect(try JSONDecoder().decode(City.self, from: JSONEncoder().encode(city)) == city)
    }
  }

  @Test func eachFactCanBeChangedByItself() {
    var city = known
    let copy = city
    city.country = "SE"
    #expect([city.country, city.region, city.timezone] == ["SE", copy.region, copy.timezone])
    city.region = nil
    #expect([city.country, city.region, city.timezone] == ["SE", nil, copy.timezone])
    city.timezone = "Europe/Stockholm"
    #expect([city.country, city.region, city.timezone] == ["SE", nil, "Europe/Stockholm"])
    #expect(copy == known)
    #expect(city != known)
    city.country = known.country
    city.region = known.region
    city.timezone = known.timezone
    #expect(city == known)
    #expect(city.hashValue == known.hashValue)
  }

  @Test func refusesAPositionOffTheGlobe() {
    let json = Data(#"{"id":1,"name":"X","latitude":91,"longitude":0}"#.utf8)
    #expect(throws: InvalidCoordinate.self) { try JSONDecoder().decode(City.self, from: json) }
  }
}
