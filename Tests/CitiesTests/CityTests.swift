import Cities
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
}
