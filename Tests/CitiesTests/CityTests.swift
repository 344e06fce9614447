import Cities
import Foundation
import Geodesy
import Testing

@Suite struct CityTests {
  let known: City

  init() throws {
    known = City(
      id: 7, name: "Ærøskøbing", country: "DK", region: "South Denmark",
      coordinate: try Coordinate(latitude: 54.88, longitude: 10.41), population: 900,
      timezone: "Europe/Copenhagen")
  }

  @Test func eachValueCanBeChangedSeparately() {
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

  @Test func comesBackFromJSON() throws {
    let near = NearbyCity(city: known, distance: 12.5)
    let data = try JSONEncoder().encode(near)
    #expect(try JSONDecoder().decode(NearbyCity.self, from: data) == near)
    #expect(
      try #require(JSONSerialization.jsonObject(with: data) as? [String: Any]).keys.sorted()
        == ["city", "distance"])
  }

  @Test func comesBackFromJSONWithWhatIsKnown() throws {
    let city = City(id: 1, name: "Nowhere", coordinate: known.coordinate)
    let data = try JSONEncoder().encode(city)
    #expect(try JSONDecoder().decode(City.self, from: data) == city)
  }
}
