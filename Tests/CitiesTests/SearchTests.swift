import Cities
import Geodesy
import Testing

@Suite struct SearchTests {
  let cities: CityIndex

  init() throws {
    cities = try CityIndex.builtIn()
  }

  @Test(arguments: ["", "san", "zyw", "Zür"], CityQuery.Order.allCases)
  func joinsPagesWithoutGapOrRepeat(prefix: String, order: CityQuery.Order) {
    let whole = cities.search(CityQuery(prefix: prefix, order: order, limit: 1_000))
    var joined: [City] = []
    for offset in stride(from: 0, to: 1_000, by: 300) {
      let limit = min(300, 1_000 - offset)
      let page = cities.search(
        CityQuery(prefix: prefix, order: order, offset: offset, limit: limit))
      #expect(page.total == whole.total)
      joined += page.cities
    }
    #expect(joined == whole.cities)
    #expect(Set(joined.map(\.id)).count == joined.count)
  }

  @Test(arguments: ["DE", "de", "De"]) func keepsToACountry(country: String) {
    let all = cities.search(CityQuery(prefix: "neu", limit: .max))
    let page = cities.search(CityQuery(prefix: "neu", country: country, limit: .max))
    #expect(page.cities == all.cities.filter { $0.country == "DE" })
    #expect(page.total == page.cities.count)
    #expect(page.total > 100)
  }

  @Test(arguments: ["D", "DEU", "1!", "", "ÄÖ"]) func findsNothingInNoCountry(country: String) {
    #expect(cities.search(CityQuery(country: country)) == CityPage(cities: [], total: 0))
  }

  @Test func keepsToIds() {
    let ids: Set = [2_852_458, 2_950_159, 3_143_244, 1]
    let page = cities.search(CityQuery(ids: ids, limit: 2))
    #expect(page.total == 3)
    #expect(page.cities.map(\.name) == ["Berlin", "Oslo"])
    let one = cities.search(CityQuery(prefix: "POT", country: "de", ids: ids))
    #expect(one.cities.map(\.id) == [2_852_458])
    #expect(cities.search(CityQuery(ids: [])).total == 0)
  }

  @Test func putsTheGreatestFirst() {
    let byName = cities.search(CityQuery(prefix: "pa", limit: .max)).cities
    let page = cities.search(CityQuery(prefix: "pa", order: .population, limit: .max))
    let expected = byName.enumerated().sorted {
      ($1.element.population ?? 0, $0.offset) < ($0.element.population ?? 0, $1.offset)
    }.map(\.element)
    #expect(page.cities == expected)
    #expect(page.cities.first?.name == "Paris")
  }

  @Test func countsUnknownPopulationAsNone() throws {
    let place = try Coordinate(latitude: 1, longitude: 1)
    let index = try CityIndex.of([
      City(id: 1, name: "A", coordinate: place),
      City(id: 2, name: "B", coordinate: place, population: 5),
      City(id: 3, name: "C", coordinate: place, population: 0),
    ])
    let page = index.search(CityQuery(order: .population))
    #expect(page.cities.map(\.id) == [2, 1, 3])
    #expect(page.cities.map(\.population) == [5, nil, 0])
  }

  @Test(arguments: [(-5, 3), (0, 0), (0, -1), (9_999_999, 5), (.max, .max)])
  func acceptsAnyPage(offset: Int, limit: Int) {
    let page = cities.search(CityQuery(prefix: "san", offset: offset, limit: limit))
    #expect(page.total == 7_463)
    #expect(page.cities.count == (offset == -5 ? 3 : 0))
  }
}
