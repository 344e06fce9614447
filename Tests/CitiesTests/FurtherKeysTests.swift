import Foundation
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct FurtherKeysTests {
  @Test(arguments: [
    ("Potsdam", []), ("Steyr", []), ("Fortaleza", []), ("Stsaint", []), ("", []), ("'", []),
    ("Sankt Wendel", ["st wendel"]), ("Saint-Étienne", ["st etienne"]),
    ("St. Louis", ["st louis"]), ("Ste-Foy", ["st foy"]), ("Port Sainte Lucie", ["port st lucie"]),
    ("Mount Vernon", ["mt vernon"]), ("Ft. Worth", ["ft worth"]), ("Fort", ["ft"]),
    ("Santa Fe", ["sta fe"]), ("Sto. Tomas", ["sto tomas"]),
    // A prefix may end within the second word.
    ("Fort St. John", ["ft st. john", "ft st john"]),
    ("O'Fallon", ["ofallon"]), ("Xi’an", ["xian"]), ("Nuku‘alofa", ["nukualofa"]),
    ("Saint-Jean-d'Ax", ["st jean d'ax", "saint jean dax", "st jean dax"]),
    ("Ålesund", ["aalesund"]), ("A\u{30A}s", ["aas"]), ("Växjö", []), ("Ústí", []),
    (
      String(repeating: "St. ", count: 5) + "O",
      [1, 2, 3, 4].map {
        String(repeating: "st ", count: $0) + String(repeating: "st. ", count: 5 - $0) + "o"
      }
    ),
    ("四日市市", ["四日市"]), ("四日市", ["四日"]), ("市", []), ("市川", []),
  ])
  func aNameHasFurtherKeys(name: String, keys: [String]) {
    let further = NameKey.furtherKeys(of: name, key: NameKey.key(of: name))
    #expect(further.map { String(decoding: $0, as: UTF8.self) } == keys)
  }

  @Test(arguments: [
    ("Saint", "saint"), ("Saint ", "st "), ("saint-p", "st p"), ("Ste-F", "st f"), ("St.", "st."),
    ("Fort Sai", "ft sai"), ("Fort Saint J", "ft st j"), ("Fort Saint", "ft saint"),
    ("Forty ", "forty "), ("Bad Sankt L", "bad st l"), ("O'F", "o'f"), ("", ""), ("-", " "),
  ])
  func aPrefixHasAbbreviations(prefix: String, key: String) {
    #expect(String(decoding: NameKey.key(ofPrefix: prefix), as: UTF8.self) == key)
  }

  /// Every start of a name, abbreviated, is the start of one of its keys.
  @Test func namesAreFoundAtEveryCharacter() throws {
    for name in [
      "Fort St. John", "Port Sainte-Lucie", "Santa Fort-Mount O'Saint", "Ste Sto. Ålund",
    ] {
      let own = NameKey.key(of: name)
      let keys = [own] + NameKey.furtherKeys(of: name, key: own)
      for end in name.indices {
        let prefix = NameKey.key(ofPrefix: String(name[...end]))
        #expect(keys.contains { $0.starts(with: prefix) }, "\(name[...end])")
      }
    }
  }

  /// Large cities whose names begin as words that have abbreviations, and others.
  @Test func namesTypedLetterByLetterStayInTheList() throws {
    let large = CityIndex.world.search(
      CityQuery(minimumPopulation: 100_000, order: .population, limit: .max)
    ).cities
    let starts = ["sa", "st", "mo", "fo"].map { Array($0.utf8) }
    let alike = large.filter { city in
      starts.contains { NameKey.key(of: city.name).starts(with: $0) }
    }.prefix(150)
    let named = [
      "Saint Petersburg", "Fort Worth", "Fortaleza", "Santander", "Mountain View", "Steyr",
    ]
    let cities =
      named.compactMap { CityIndex.world.matches(named: $0).first?.city } + alike
      + large.prefix(60)
    #expect(cities.count > 200)
    for city in cities {
      for end in city.name.indices.dropFirst(2) {
        let prefix = String(city.name[...end])
        let page = CityIndex.world.search(CityQuery(prefix: prefix, ids: [city.id]))
        #expect(page.total == 1, "\(prefix) for \(city.name)")
      }
    }
  }

  @Test func theMeantCityIsFirstForNamesAsPeopleTypeThem() throws {
    let rows = try Fixture.rows("typed")
    #expect(rows.count >= 120)
    for row in rows {
      let query = CityQuery(prefix: row[0], order: .population, limit: 1)
      let first = CityIndex.world.search(query).cities.first
      #expect(first.map { "\($0.id)" } == row[1], "\(row[0]) finds \(first?.name ?? "nothing")")
    }
  }

  @Test func aMainNameIsTheMatchOfItsFurtherKeys() {
    let index = CityIndex.world
    for prefix in ["St. Wendel", "st w", "Sankt W"] {
      let match = index.search(CityQuery(prefix: prefix, ids: [2_841_463])).matches.first
      #expect(match?.city.name == "Sankt Wendel" && match?.matched == nil, "\(prefix)")
    }
    let match = index.search(CityQuery(prefix: "St Peterburg", ids: [498_817])).matches.first
    #expect(match?.matched == "Sankt Peterburg")
  }

  @Test(arguments: ["四日市", "四日市市"]) func twoCitiesStayTwo(name: String) {
    let cities = CityIndex.world.matches(named: name).map(\.city)
    #expect(Set(cities.map(\.name)) == ["Yokkaichi"])
    #expect(cities.count == (name == "四日市" ? 2 : 1))
  }

  @Test func anIndexInTheFormatBeforeIsWrittenAnew() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("cities.index")
    let city = City(
      id: 1, name: "Sankt Wendel", country: "DE", region: "Saarland",
      coordinate: Coordinate(validLatitude: 49.5, longitude: 7.2), population: nil,
      timezone: "Europe/Berlin")
    var builder = CityIndexBuilder()
    try builder.add(city, alternateNames: ["St-Wend", "sanktu bendel"], regionCode: "DE.09")
    try builder.write(to: url)
    let expected = try Data(contentsOf: url)
    #expect(try CityIndex.upgraded(url)[id: 1] == city)
    #expect(try Data(contentsOf: url) == expected)

    try Data(sealed(Array(expected), version: 4)).write(to: url)
    #expect(throws: CitiesError.self) { try CityIndex(contentsOf: url) }
    #expect(try CityIndex.upgraded(url).matches(named: "St-Wendel").map(\.city) == [city])
    #expect(try Data(contentsOf: url) == expected)

    for bytes in [Array("no index".utf8), sealed(Array(expected), version: 3)] {
      try Data(bytes).write(to: url)
      #expect(throws: CitiesError.self) { try CityIndex.upgraded(url) }
      #expect(try Data(contentsOf: url) == Data(bytes))
    }
    var damaged = sealed(Array(expected), version: 4)
    damaged[300] ^= 1
    try Data(damaged).write(to: url)
    #expect(throws: CitiesError.damaged(path: url.path, reason: "its checksum does not match")) {
      try CityIndex.upgraded(url)
    }
    #expect(try Data(contentsOf: url) == Data(damaged))
  }
}
