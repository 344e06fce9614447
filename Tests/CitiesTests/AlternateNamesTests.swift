import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct AlternateNamesTests {
  private static let place = Coordinate(validLatitude: 1, longitude: 2)

  private func index(_ cities: [(City, [String])]) throws -> CityIndex {
    let directory = try TemporaryDirectory()
    var builder = CityIndexBuilder()
    for (city, names) in cities { try builder.add(city, alternateNames: names) }
    try builder.write(to: directory.file("cities"))
    return try CityIndex(contentsOf: directory.file("cities"))
  }

  private func city(_ id: Int, _ name: String, _ population: Int = 0) -> City {
    City(id: id, name: name, coordinate: Self.place, population: population)
  }

  private func found(_ prefix: String, in index: CityIndex) -> [String] {
    index.search(CityQuery(prefix: prefix)).matches.map { match in
      match.matched.map { "\(match.city.name) (\($0))" } ?? match.city.name
    }
  }

  @Test(arguments: [
    ("München", ["Munich (München)"]), ("munchen", ["Munich (Munchen)"]),
    ("MÜNCHEN", ["Munich (München)"]), ("Мюнх", ["Munich (Мюнхен)"]), ("慕", ["Munich (慕尼黑)"]),
    // Of several that match, the first; none beside its own.
    ("Mon", ["Munich (Monachium)"]), ("Monaco", ["Munich (Monaco di Baviera)"]),
    ("mu", ["Munich"]), ("m", ["Munich"]), ("뮌", ["Munich (뮌헨)"]),
    ("mnichov", ["Munich (Mnichov)"]),
    ("", ["Munich"]), ("x", []),
  ])
  func findACityOnceWithTheNameThatMatched(prefix: String, expected: [String]) throws {
    let index = try index([
      (
        city(1, "Munich"),
        [
          "Munchen", "München", "Мюнхен", "慕尼黑", "뮌헨", "Monachium", "Monaco di Baviera", "mnichov",
          "Mnichov", "Munich", "MUNICH", " ", "",
        ]
      )
    ])
    #expect(found(prefix, in: index) == expected)
    #expect(index.search(CityQuery(prefix: prefix)).total == expected.count)
    let byPopulation = index.search(CityQuery(prefix: prefix, order: .population))
    #expect(byPopulation.total == expected.count)
    #expect(byPopulation.matches == index.search(CityQuery(prefix: prefix)).matches)
  }

  @Test func namesakesThatMatchByTheSameTransliterationCanBeOneMatch() throws {
    let index = try index([
      (city(1, "Portsmouth", 96), ["potsumasu"]), (city(2, "Portsmouth", 208), ["potsumasu"]),
      (city(3, "Portsmouth", 21), ["potsumasu"]), (city(4, "Potsdam", 184), []),
      (city(5, "Potsdam", 9), []), (city(6, "Puducherry", 300), ["potsumasu"]),
      (city(7, "Lyon", 500), ["Potsu"]), (city(8, "Lyon", 400), ["Potsu"]),
    ])
    var query = CityQuery(prefix: "pots", order: .population)
    #expect(index.search(query).total == 8)
    query.mergesNamesakes = true
    let page = index.search(query)
    #expect(page.cities.map(\.id) == [4, 5, 7, 8, 6, 2] && page.total == 6)
    #expect(page.matches.last?.matched == "potsumasu")
    (query.offset, query.limit) = (4, 1)
    #expect(index.search(query).cities.map(\.id) == [6] && index.search(query).total == 6)
    query = CityQuery(prefix: "pots", ids: [1, 3], order: .population)
    query.mergesNamesakes = true
    #expect(index.search(query).cities.map(\.id) == [1] && index.search(query).total == 1)
    query = CityQuery(prefix: "potsumasu", order: .population)
    query.mergesNamesakes = true
    #expect(index.search(query).total == 4, "the name itself is meant")
  }

  @Test func exactNamesComeBeforeLargerCities() throws {
    let index = try index([
      (city(1, "New York City", 900), ["New York", "NYC"]), (city(2, "New Yorkshire", 5_000), []),
      (city(3, "New York", 7), []), (city(4, "Nyçe", 80), []),
    ])
    func ids(_ prefix: String) -> [Int] {
      index.search(CityQuery(prefix: prefix, order: .population)).cities.map(\.id)
    }
    #expect(ids("new york") == [1, 3, 2])
    #expect(ids("nyc") == [1, 4])
    #expect(ids("new yor") == [2, 1, 3])
    let matches = index.search(CityQuery(prefix: "new york", order: .population)).matches
    #expect(matches.map(\.matched) == [nil, nil, nil], "a city's own name starts so too")
    let offset = index.search(
      CityQuery(prefix: "new york", order: .population, offset: 1, limit: 1))
    #expect(offset.cities.map(\.id) == [3])
    #expect(index.matches(named: "NEW YORK").map(\.city.id) == [1, 3])
    #expect(index.matches(named: "Nyc").map(\.city.id) == [1])
  }

  @Test(arguments: [
    (["Berlin"], 4_999, [1, 2]), (["Berlin"], 5_000, [2, 1]), (["berlin"], 5_000, [1, 2]),
    (["berlin", "BERLIN"], 5_000, [2, 1]), (["berlin"], 50_000, [2, 1]),
    // An abbreviation of an own name is one too.
    (["Ber.lin"], 5_000, [1, 2]),
  ])
  func anOwnNameComesBeforeAnotherCitysAlternateName(
    names: [String], population: Int, expected: [Int]
  ) throws {
    let index = try index([
      (city(1, "Berlin", 100), []), (city(2, "Bern", population), names),
      (city(3, "Berlingen", 9_000), []),
    ])
    let page = index.search(CityQuery(prefix: "berlin", order: .population))
    #expect(page.cities.map(\.id) == (names == ["Ber.lin"] ? [1, 3] : expected + [3]))
    #expect(index.matches(named: "berlin").map(\.city.id).starts(with: [expected[0]]))
  }

  @Test func matchesByAlternateNamesAreFilteredAndCounted() throws {
    let index = try index([
      (city(1, "Aa", 10), ["Bb", "Bbb"]), (city(2, "Bc", 20), ["Bd"]), (city(3, "Ca", 5), ["Ba"]),
    ])
    #expect(index.search(CityQuery(prefix: "b")).cities.map(\.id) == [2, 3, 1])
    #expect(index.search(CityQuery(prefix: "b", minimumPopulation: 10)).cities.map(\.id) == [2, 1])
    #expect(index.search(CityQuery(prefix: "b", ids: [3])).cities.map(\.id) == [3])
    #expect(index.search(CityQuery(prefix: "b", offset: 1, limit: 1)).cities.map(\.id) == [3])
    let byPopulation = index.search(CityQuery(prefix: "b", order: .population))
    #expect(byPopulation.cities.map(\.id) == [2, 1, 3])
    #expect(index.search(CityQuery(prefix: "b", offset: 1, limit: 1)).total == 3)
    #expect(index.search(CityQuery(minimumPopulation: 11)).total == 1)
  }

  /// Names over three letters, so that many share their starts, against plain arrays.
  @Test(arguments: 0..<30) func agreeWithPlainArrays(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    func name() -> String {
      (0...generator.index(below: 4)).map { _ in ["a", "B", "é"][generator.index(below: 3)] }
        .joined()
    }
    let cities = (0..<generator.index(below: 60) + 1).map { id in
      (
        City(
          id: id, name: name(), country: ["DE", "FR"][generator.index(below: 2)],
          coordinate: Self.place, population: generator.index(below: 9)),
        (0..<generator.index(below: 5)).map { _ in name() }
      )
    }
    let index = try index(cities)
    func key(_ name: String) -> [UInt8] { NameKey.key(of: name) }
    for prefix in ["", "a", "é", "ab", "eb", "aab", "b", "bb", "bba", "aaaaa", "c"] {
      let matches = cities.compactMap { city, others -> Match? in
        let keys = others.map(key).filter { $0.starts(with: key(prefix)) }
        if key(city.name).starts(with: key(prefix)) {
          return Match(
            group: key(city.name) == key(prefix) ? 0 : 1, key: key(city.name), city: city)
        }
        return keys.min { $0.lexicographicallyPrecedes($1) }
          .map { Match(group: $0 == key(prefix) ? 0 : 2, key: $0, city: city) }
      }.sorted { a, b in
        if a.group != b.group { return a.group < b.group }
        return a.key == b.key
          ? (a.city.country ?? "", a.city.id) < (b.city.country ?? "", b.city.id)
          : a.key.lexicographicallyPrecedes(b.key)
      }
      let page = index.search(CityQuery(prefix: prefix, limit: .max))
      #expect(page.cities.map(\.id) == matches.map(\.city.id), "\(prefix)")
      #expect(page.total == matches.count)
      #expect(
        page.matches.map { key($0.matched ?? $0.city.name) } == matches.map(\.key), "\(prefix)")
      let named = index.matches(named: prefix).map(\.city.id)
      let expected = cities.filter { city, others in
        !prefix.isEmpty && ([city.name] + others).contains { key($0) == key(prefix) }
      }
      #expect(Set(named) == Set(expected.map(\.0.id)))
      let byPopulation = index.search(CityQuery(prefix: prefix, order: .population, limit: .max))
      #expect(byPopulation.cities.prefix(named.count).map(\.id) == named)
      #expect(Set(byPopulation.cities.map(\.id)) == Set(matches.map(\.city.id)))
      let rest = byPopulation.cities.dropFirst(named.count)
      let own = rest.prefix { key($0.name).starts(with: key(prefix)) }
      let others = rest.dropFirst(own.count)
      #expect(others.allSatisfy { !key($0.name).starts(with: key(prefix)) })
      for part in [own, others] {
        let populations = part.map { $0.population ?? 0 }
        #expect(zip(populations, populations.dropFirst()).allSatisfy { $0 >= $1 })
      }
    }
  }

  private struct Match {
    /// Names that are the prefix, longer own names, longer other names.
    let group: Int
    let key: [UInt8]
    let city: City
  }

  /// Keys with a length of more than one byte, and longer than the longest prefix.
  @Test(arguments: [14, 15, 16, 125, 126, 127, 128, 142, 143, 300])
  func longNamesAreFoundToo(length: Int) throws {
    let long = String(repeating: "x", count: length)
    let index = try index([
      (city(1, "A"), [long + "a", long + "b", long + "C"]), (city(2, long), ["A b"]),
      (city(3, "B"), [long + "b"]),
    ])
    #expect(index.search(CityQuery(prefix: long)).total == 3)
    #expect(
      index.search(CityQuery(prefix: long + "b")).cities.map(\.id)
        == [1, 3].filter { id in
          // Of two names that are equal for 127 bytes, only the first is found by a longer prefix.
          id == 3 || length < 127
        })
    #expect(found(String(long.prefix(9)), in: index).first == long)
  }

  /// A name of accents only has an empty key, which only the empty prefix finds.
  @Test func aNameMayHaveAnEmptyKey() throws {
    let index = try index([(city(1, "\u{301}"), ["\u{302}"]), (city(2, "A"), [])])
    #expect(index.search(CityQuery()).cities.map(\.id) == [1, 2])
    #expect(index.search(CityQuery(prefix: "a")).cities.map(\.id) == [2])
    #expect(index.search(CityQuery(prefix: "a", order: .population)).cities.map(\.id) == [2])
  }

  @Test(arguments: [
    ("Springfield", [1, 2, 3]), ("springfield, us", [1, 2]), ("Springfield, Illinois", [1]),
    ("Springfield, IL", [1]), ("Springfield,il , USA", [1]), ("Springfield, Ill", [1]),
    ("Springfield, United States", [1, 2]), ("Springfield, Great Britain", [3]),
    ("Springfield, uk", [3]), ("Springfield,", [1, 2, 3]), ("Springfield, ,", [1, 2, 3]),
    ("Springfield, Mars", []), ("Springfield, IL, GB", []), ("Spring, Missouri", [2]),
    ("Springfield, Great B", [3]), ("Oran, Santa", [8]), ("Oran, Sta. F", [8]), ("Oran, San", [8]),
    // A name with a comma in it is meant before a place.
    ("Washington, D", [4]), ("Washington, D.C.", [4]), ("Washington, US", [5]),
    ("Washington, U.S.A.", [5]), ("Perth, WA", [6]), ("Vancouver, BC", [7]), (", US", [1, 2, 5]),
  ])
  func aPlaceAfterACommaNarrowsTheSearch(prefix: String, ids: [Int]) throws {
    var builder = CityIndexBuilder()
    for (id, name, code, region) in [
      (1, "Springfield", "US.IL", "Illinois"), (2, "Springfield", "US.MO", "Missouri"),
      (3, "Springfield", "GB.SCT", "Scotland"), (4, "Washington, D.C.", "", ""),
      (5, "Washington", "US.WA", "Washington"), (6, "Perth", "AU.08", "Western Australia"),
      (7, "Vancouver", "CA.02", "British Columbia"), (8, "Oran", "AR.21", "Santa Fe"),
    ] {
      try builder.add(
        City(
          id: id, name: name, country: code.isEmpty ? nil : String(code.prefix(2)),
          region: region.isEmpty ? nil : region, coordinate: Self.place, population: 100 - id),
        regionCode: code)
    }
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("cities"))
    let index = try CityIndex(contentsOf: directory.file("cities"))
    #expect(index.search(CityQuery(prefix: prefix)).cities.map(\.id).sorted() == ids)
    #expect(
      index.search(CityQuery(prefix: prefix, order: .population)).cities.map(\.id).sorted() == ids)
  }

  @Test(arguments: [
    ("Sydney, AU", 2_147_714), ("Portland, Oregon", 5_746_545), ("Paris, Texas, US", 4_717_560),
    ("münchen", 2_867_714), ("London, ON", 6_058_560),
  ])
  func aNameWithAPlaceIsOneCity(name: String, id: Int) {
    #expect(CityIndex.world.matches(named: name).map(\.city.id) == [id])
  }

  @Test func everyCountryHasItsNameAndItsCodes() {
    for code in ["DE", "deu", "Germany", "GERMANY", "germ"] {
      let cities = CityIndex.world.search(CityQuery(prefix: "Potsdam, \(code)")).cities
      #expect(cities.map(\.id) == [2_852_458], "\(code)")
    }
    #expect(CountryNames.keys.count > 240)
    #expect(CountryNames.name(of: "GB") == "United Kingdom")
    #expect(CountryNames.name(of: "XX") == nil)
  }
}

@Suite struct MeantCityTests {
  /// Of cities with the same name, the largest one.
  @Test func ownNamesOfLargeCitiesAreFirst() {
    let large = CityIndex.world.search(
      CityQuery(minimumPopulation: 100_000, order: .population, limit: .max)
    ).cities
    var seen: Set<[UInt8]> = []
    let others = large.filter { city in
      guard seen.insert(NameKey.key(of: city.name)).inserted else { return false }
      let query = CityQuery(prefix: city.name, order: .population, limit: 1)
      return CityIndex.world.search(query).cities.first != city
    }
    #expect(large.count > 6_000)
    #expect(others.count * 1_000 <= large.count * 2, "\(others.map(\.name))")
  }

  @Test(arguments: [
    ("Porto", 2_735_943), ("Islamabad", 1_176_615), ("Cancún", 3_531_673), ("Niš", 787_657),
    ("Zaragoza", 3_104_324), ("Salem", 1_257_629), ("Dili", 1_645_457), ("Broken Hill", 2_173_911),
    ("Roma", 3_169_070), ("St. Petersburg", 498_817), ("Smyrna", 311_046),
  ])
  func aNameMeansOneCity(name: String, id: Int) {
    let page = CityIndex.world.search(CityQuery(prefix: name, order: .population, limit: 1))
    #expect(page.cities.first?.id == id)
    #expect(CityIndex.world.matches(named: name).first?.city.id == id)
  }

  /// Common names of cities in the languages of their first column.
  @Test func spellingsOfManyLanguagesAreFound() throws {
    let rows = try Fixture.rows("spellings")
    #expect(Set(rows.map { $0[0] }).count >= 20)
    for row in rows {
      let found = CityIndex.world.search(
        CityQuery(prefix: row[1], order: .population, limit: 3)
      ).cities
      #expect(found.contains { $0.id == Int(row[2]) }, "\(row[1]) finds \(found.map(\.name))")
      #expect(CityIndex.world.matches(named: row[1]).contains { $0.city.id == Int(row[2]) })
    }
  }

  /// Names in twelve scripts, exonyms, former names and abbreviations.
  @Test func theBestKnownCityIsFirst() throws {
    let rows = try Fixture.rows("meant")
    #expect(rows.count >= 300)
    #expect(Set(rows.map { $0[2] }).count == 13)
    for row in rows {
      let query = CityQuery(prefix: row[0], order: .population, limit: 1)
      let first = CityIndex.world.search(query).cities.first
      #expect(first.map { "\($0.id)" } == row[1], "\(row[0]) finds \(first?.name ?? "nothing")")
    }
  }
}
