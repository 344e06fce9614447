import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct SearchTests {
  let cities = CityIndex.world

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

  /// Random queries against a filter, a sort and a slice of plain arrays.
  @Test(arguments: 0..<40) func agreesWithPlainArrays(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let place = try Coordinate(latitude: 0, longitude: 0)
    let all = (0..<60).map { id in
      City(
        id: id, name: ["ab", "abc", "b", "Bc", "c"][generator.index(below: 5)],
        country: [nil, "DE", "FR"][generator.index(below: 3)], coordinate: place,
        population: [nil, 0, 5, 900][generator.index(below: 4)])
    }
    let index = try CityIndex.of(all)
    for _ in 0..<25 {
      var query = CityQuery(prefix: ["", "a", "AB", "b", "x"][generator.index(below: 5)])
      query.country = [nil, "de", "FR", "XX"][generator.index(below: 4)]
      query.ids =
        [nil, Set(all.map(\.id).filter { $0 % 3 == 1 } + [-4, 999])][
          generator.index(below: 2)]
      query.order = CityQuery.Order.allCases[generator.index(below: 2)]
      query.offset = [0, 0, 3, 59, 100, -2][generator.index(below: 6)]
      query.limit = [0, 1, 7, 60, .max, -1][generator.index(below: 6)]
      var expected = all.filter { city in
        city.name.lowercased().hasPrefix(query.prefix.lowercased())
          && (query.country == nil || city.country == query.country?.uppercased())
          && query.ids?.contains(city.id) ?? true
      }
      expected.sort {
        ($0.name.lowercased(), $0.country ?? "", $0.id)
          < ($1.name.lowercased(), $1.country ?? "", $1.id)
      }
      if query.order == .population {
        func isLonger(_ city: City) -> Int {
          query.prefix.isEmpty || city.name.lowercased() == query.prefix.lowercased() ? 0 : 1
        }
        expected = expected.enumerated().sorted {
          let (a, b) = ($0.element, $1.element)
          return (isLonger(a), b.population ?? 0, $0.offset)
            < (isLonger(b), a.population ?? 0, $1.offset)
        }.map(\.element)
      }
      let page = expected.dropFirst(max(0, query.offset)).prefix(max(0, query.limit))
      let found = index.search(query)
      #expect(found.cities == Array(page), "\(query)")
      #expect(found.total == expected.count, "\(query)")
    }
  }

  @Test(arguments: ["DE", "de", "De"]) func keepsToACountry(country: String) {
    let all = cities.search(CityQuery(prefix: "neu", limit: .max))
    let page = cities.search(CityQuery(prefix: "neu", country: country, limit: .max))
    #expect(page.cities == all.cities.filter { $0.country == "DE" })
    #expect(page.total == page.cities.count)
    #expect(page.total > 100)
  }

  @Test(arguments: ["D", "DEU", "1!", "", "ÄÖ"]) func findsNothingInNoCountry(country: String) {
    let page = cities.search(CityQuery(country: country))
    #expect(page.cities.isEmpty)
    #expect(page.total == 0)
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
    #expect(Set(page.cities.map(\.id)) == Set(byName.map(\.id)))
    let named = Set(cities.matches(named: "pa").map(\.city.id))
    #expect(Set(page.cities.prefix(named.count).map(\.id)) == named, "those of the name come first")
    let longer = page.matches.dropFirst(named.count)
    let own = longer.prefix { $0.matched == nil }
    #expect(own.first?.city.name == "Paris")
    #expect(own.count > 1_000)
    for part in [own, longer.dropFirst(own.count)] {
      let populations = part.map { $0.city.population ?? 0 }
      #expect(zip(populations, populations.dropFirst()).allSatisfy { $0 >= $1 })
    }
  }

  @Test(arguments: [0, 50, 1_000, 20_000])
  func everyPageByPopulationIsThatOfTheWholeList(distanceFromEnd: Int) {
    let total = cities.count
    let whole = cities.search(CityQuery(order: .population, limit: .max)).cities
    let offset = total - distanceFromEnd
    let page = cities.search(CityQuery(order: .population, offset: offset, limit: 50))
    #expect(page.cities == Array(whole.dropFirst(offset).prefix(50)))
    #expect(page.total == total)
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

  @Test(arguments: [(-5, 3), (0, 0), (0, -1), (9_999_999, 5), (.max, .max), (.min, .min)])
  func acceptsAnyPage(offset: Int, limit: Int) {
    for order in CityQuery.Order.allCases {
      let page = cities.search(
        CityQuery(prefix: "san", order: order, offset: offset, limit: limit))
      #expect(page.total == 8_846)
      #expect(page.cities.count == (offset == -5 ? 3 : 0))
    }
  }
}

@Suite struct MostPopulousTests {
  @Test(arguments: [
    BoundingBox(
      minimumLatitude: 52, minimumLongitude: 12, maximumLatitude: 53, maximumLongitude: 14),
    BoundingBox(
      minimumLatitude: -90, minimumLongitude: -180, maximumLatitude: 90, maximumLongitude: 180),
    BoundingBox(
      minimumLatitude: -25, minimumLongitude: 170, maximumLatitude: -10, maximumLongitude: -170),
    BoundingBox(
      minimumLatitude: 0, minimumLongitude: -30, maximumLatitude: 1, maximumLongitude: -29),
  ])
  func findsTheMostPopulousCitiesOfABox(_ box: BoundingBox) throws {
    let index = CityIndex.world
    let all = index.search(CityQuery(order: .population, limit: .max)).cities
    for count in [-1, 0, 1, 7, 400] {
      let expected = all.lazy.filter { box.contains($0.coordinate) }.prefix(max(0, count))
      #expect(index.mostPopulous(count, in: box).map(\.id) == expected.map(\.id))
    }
  }

  @Test func takesAnyCount() throws {
    let place = try Coordinate(latitude: 1, longitude: 1)
    let index = try CityIndex.of([City(id: 1, name: "A", coordinate: place)])
    let box = BoundingBox(
      minimumLatitude: 0, minimumLongitude: 0, maximumLatitude: 2, maximumLongitude: 2)
    #expect(index.mostPopulous(.max, in: box).map(\.id) == [1])
    #expect(index.mostPopulous(.min, in: box).isEmpty)
  }

  @Test func aBoxWithoutNumbersIsSearchedToo() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "A", coordinate: try Coordinate(latitude: 1, longitude: 1))
    ])
    let box = BoundingBox(
      minimumLatitude: .nan, minimumLongitude: -.infinity, maximumLatitude: .infinity,
      maximumLongitude: .nan)
    #expect(index.mostPopulous(1, in: box).isEmpty)
  }

  @Test func edgesBelongToTheBox() throws {
    let corners = [(0, 0), (0, 2), (2, 0), (2, 2), (3, 1), (1, 3), (-1, 1)] as [(Double, Double)]
    let index = try CityIndex.of(
      try corners.enumerated().map {
        City(
          id: $0, name: "C", coordinate: try Coordinate(latitude: $1.0, longitude: $1.1),
          population: 10 - $0)
      })
    let box = BoundingBox(
      minimumLatitude: 0, minimumLongitude: 0, maximumLatitude: 2, maximumLongitude: 2)
    #expect(index.mostPopulous(9, in: box).map(\.id) == [0, 1, 2, 3])
  }
}
