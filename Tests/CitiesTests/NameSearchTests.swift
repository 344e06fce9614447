import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct NameSearchTests {
  @Test func agreesWithThePythonReference() throws {
    let cities = CityIndex.world
    let rows = try Fixture.rows("prefixes")
    #expect(rows.count >= 60)
    for row in rows {
      try #require(row.count == 4)
      let whole = cities.search(CityQuery(prefix: row[0], limit: .max))
      #expect(whole.total == Int(row[1]), "\(row[0])")
      #expect(Fixture.fingerprint(whole.cities.map(\.id)) == UInt64(row[2]), "\(row[0])")
      let page = cities.search(CityQuery(prefix: row[0], limit: 20))
      #expect(page.total == whole.total)
      #expect(page.cities.map(\.id) == row[3].split(separator: ",").map { Int($0) })
    }
  }

  @Test func findsNamesOfAllScripts() throws {
    let rows = try Fixture.rows("names")
    let place = try Coordinate(latitude: 0, longitude: 0)
    let index = try CityIndex.of(
      rows.enumerated().map { City(id: $0, name: $1[0], coordinate: place) })
    for row in rows {
      let prefix = String(String.UnicodeScalarView(row[0].unicodeScalars.prefix(3)))
      let folded = Array(row[2].utf8)
      // Each name by its own key, or else by the first of its further ones.
      let matches = rows.enumerated().compactMap { id, row -> (id: Int, key: [UInt8])? in
        let keys = row[3].split(separator: "|").map { Array($0.utf8) }
        return ([Array(row[1].utf8)] + keys).first { $0.starts(with: folded) }.map { (id, $0) }
      }
      let expected =
        matches
        .sorted { $0.key == $1.key ? $0.id < $1.id : $0.key.lexicographicallyPrecedes($1.key) }
        .map(\.id)
      let page = index.search(CityQuery(prefix: prefix, limit: .max))
      #expect(page.cities.map(\.id) == expected, "\(prefix)")
    }
  }

  /// Short names over three letters, so that many are prefixes of others or equal.
  @Test(arguments: [1, 2, 3, 50, 400]) func agreesWithAPlainSort(size: Int) throws {
    var generator = SplitMix64(seed: UInt64(size))
    let place = try Coordinate(latitude: 0, longitude: 0)
    let cities = (0..<size).map { id in
      let letters = (0...generator.index(below: 5)).map { _ in
        ["a", "B", "é"][generator.index(below: 3)]
      }
      return City(
        id: (id * 17) % 1_009, name: letters.joined(),
        country: [nil, "DE", "AT"][generator.index(below: 3)], coordinate: place)
    }
    let index = try CityIndex.of(cities)
    func key(_ name: String) -> String {
      name.replacing("B", with: "b").replacing("é", with: "e").replacing("É", with: "e")
        .lowercased()
    }
    let sorted = cities.sorted {
      (key($0.name), $0.country ?? "", $0.id) < (key($1.name), $1.country ?? "", $1.id)
    }
    for prefix in ["", "a", "A", "b", "e", "É", "ab", "ba", "aé", "eeee", "abea", "c", "aaaaaaaa"] {
      let expected = sorted.filter { key($0.name).hasPrefix(key(prefix)) }
      let page = index.search(CityQuery(prefix: prefix, limit: .max))
      #expect(page.cities == expected, "\(prefix)")
      #expect(page.total == expected.count, "\(prefix)")
    }
  }

  @Test func whiteSpaceBeforeIsDroppedAndAfterEndsAName() throws {
    let place = try Coordinate(latitude: 0, longitude: 0)
    let index = try CityIndex.of([
      City(id: 1, name: "San Juan", coordinate: place),
      City(id: 2, name: "Sanaa", coordinate: place), City(id: 3, name: "San", coordinate: place),
    ])
    for prefix in ["San ", " San\t", "san\u{A0} "] {
      #expect(index.search(CityQuery(prefix: prefix)).cities.map(\.id) == [3, 1])
    }
    for prefix in ["San", "  San"] {
      #expect(index.search(CityQuery(prefix: prefix)).cities.map(\.id) == [3, 1, 2])
    }
    #expect(index.search(CityQuery(prefix: "San-")).cities.map(\.id) == [1])
    #expect(index.search(CityQuery(prefix: "Sanaa ")).cities.map(\.id) == [2])
    #expect(index.search(CityQuery(prefix: " ")).total == 3)
    #expect(index.search(CityQuery(prefix: "\u{384} ")).total == 0)
  }

  /// The main names begin with the names that are the prefix, or go on after the space.
  @Test(arguments: CityQuery.Order.allCases)
  func aNameThatIsThePrefixWithoutItsSpaceIsFoundOnce(order: CityQuery.Order) throws {
    let place = try Coordinate(latitude: 0, longitude: 0)
    var builder = CityIndexBuilder()
    for (id, name, others) in [
      (1, "Rome", ["Rom", "Rom Vechi"]), (2, "Rom North", ["ROM", "Róm"]),
      (3, "Roma", ["Rom East"]),
      (4, "Bern", ["St Rom", "Rom A", "Rom B"]), (5, "Romford", []), (6, "Köln", ["Röm", "Rom X"]),
    ] {
      try builder.add(
        City(id: id, name: name, coordinate: place, population: id), alternateNames: others)
    }
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("cities"))
    let index = try CityIndex(contentsOf: directory.file("cities"))
    let page = index.search(CityQuery(prefix: "rom ", order: order))
    #expect(Set(page.cities.prefix(3).map(\.id)) == [1, 2, 6])
    #expect(Set(page.cities.dropFirst(3).map(\.id)) == [3, 4])
    #expect(page.total == 5)
    #expect(page.matches.first { $0.city.id == 1 }?.matched == "Rom")
    for offset in 0..<5 {
      let one = index.search(CityQuery(prefix: "rom ", order: order, offset: offset, limit: 1))
      #expect(one.cities == [page.cities[offset]] && one.total == 5)
    }
    let some = index.search(CityQuery(prefix: "rom ", minimumPopulation: 3, order: order))
    #expect(Set(some.cities.map(\.id)) == [3, 4, 6] && some.total == 3)
  }

  /// Prefixes of 64 bytes and less take another path than longer ones.
  @Test(arguments: [63, 64, 65, 200]) func longPrefixesMatch(length: Int) throws {
    let place = try Coordinate(latitude: 0, longitude: 0)
    let name = String(repeating: "Abc", count: 100)
    let index = try CityIndex.of([
      City(id: 1, name: name, coordinate: place), City(id: 2, name: "Abd", coordinate: place),
    ])
    let prefix = String(name.prefix(length))
    #expect(index.search(CityQuery(prefix: prefix.uppercased())).cities.map(\.id) == [1])
    #expect(index.search(CityQuery(prefix: prefix + "x")).total == 0)
  }

  @Test(arguments: ["zürich", "ZURICH", "Zürich"]) func findsWholeNames(name: String) throws {
    let cities = CityIndex.world.matches(named: name).map(\.city)
    #expect(cities.first?.id == 2_657_896)
    #expect(cities.allSatisfy { NameKey.key(of: $0.name) == Array("zurich".utf8) })
  }

  @Test func putsTheGreatestCityOfANameFirst() throws {
    let matches = CityIndex.world.matches(named: "san josé")
    #expect(matches.count > 50)
    for isOwn in [true, false] {
      let cities = matches.filter { ($0.matched == nil) == isOwn }.map(\.city)
      let populations = cities.map { $0.population ?? 0 }
      #expect(populations == populations.sorted(by: >))
    }
  }

  @Test(arguments: ["Nowhere at all", "", " "]) func findsNoCityOfNoName(name: String) {
    #expect(CityIndex.world.matches(named: name).isEmpty)
  }

  @Test func citiesOfOneNameAreSortedByPopulationThenCountryThenId() throws {
    let place = try Coordinate(latitude: 0, longitude: 0)
    func city(_ id: Int, _ country: String?, _ population: Int?) -> City {
      City(id: id, name: "Ort", country: country, coordinate: place, population: population)
    }
    let index = try CityIndex.of([
      city(7, "FR", 10), city(1, "FR", 10), city(2, "DE", 10), city(3, nil, nil),
      city(4, "ZZ", 99), City(id: 5, name: "Orte", coordinate: place, population: 1_000),
    ])
    #expect(index.matches(named: "ORT").map(\.city.id) == [4, 2, 1, 7, 3])
  }

  /// A letter is missing, is too much, or has changed places with the next.
  @Test(arguments: [("Potsdm", "Potsdam"), ("Hamburgg", "Hamburg"), ("Lodnon", "London")])
  func suggestsCitiesForMistypedNames(typed: String, meant: String) {
    let names = CityIndex.world.cities(similarTo: typed, limit: 40).map(\.name)
    #expect(names.contains(meant))
  }

  @Test func suggestionsAgreeWithBruteForce() throws {
    let place = try Coordinate(latitude: 0, longitude: 0)
    let names = [
      "Anton", "Antony", "Nato", "Antno", "Anto", "Antoine", "Canton", "Ant", "Änton", "Boston",
    ]
    let cities = names.enumerated().map {
      City(id: $0, name: $1, coordinate: place, population: ($0 * 37) % 11)
    }
    let index = try CityIndex.of(cities)
    for (typed, tolerance) in [("anton", 1), ("antons", 2), ("canto", 1), ("xyz", 1)] {
      let expected = cities.compactMap { city -> (Int, City)? in
        editDistance(NameKey.key(of: city.name), Array(typed.utf8), limit: tolerance)
          .map { ($0, city) }
      }
      let found = index.cities(similarTo: typed, limit: 99)
      #expect(Set(found.map(\.id)) == Set(expected.map(\.1.id)), "\(typed)")
      let ranks = found.map { city in
        (expected.first { $0.1.id == city.id }?.0 ?? 9, -(city.population ?? 0))
      }
      #expect(zip(ranks, ranks.dropFirst()).allSatisfy { $0 <= $1 }, "\(typed)")
      #expect(index.cities(similarTo: typed, limit: 1) == Array(found.prefix(1)))
    }
  }

  @Test(arguments: [("", 5), ("ab", 5), ("Berlin", 0), ("Berlin", -1)])
  func suggestsNoCitiesForShortNamesOrNoRoom(name: String, limit: Int) {
    #expect(CityIndex.world.cities(similarTo: name, limit: limit).isEmpty)
  }
}

@Suite struct NameKeyTests {
  /// Names in all scripts that GeoNames has; the expected keys come from Python.
  @Test func foldsNamesOfAllScripts() throws {
    for row in try Fixture.rows("names") {
      #expect(String(decoding: NameKey.key(of: row[0]), as: UTF8.self) == row[1], "\(row[0])")
    }
  }

  @Test(arguments: [
    ("Straße", "strasse"), ("ẞ", "ss"), ("ΑΘΉΝΑΣ", "αθηνασ"), ("ς", "σ"), ("İstanbul", "istanbul"),
    ("DIYARBAKIR", "diyarbakir"), ("Iğdır", "igdir"), ("Ærø", "aero"), ("Łódź", "lodz"),
    ("Þórshöfn", "thorshofn"), ("Ħamrun", "hamrun"), ("Đà Nẵng", "da nang"), ("Œuf", "oeuf"),
    ("ʻEwa", "'ewa"), ("L’Île", "l'ile"), ("Ⅳ", "IV".lowercased()), ("①", "1"), ("ﬃ", "ffi"),
    ("Йошкар", "иошкар"), ("한", "\u{1112}\u{1161}\u{11AB}"), ("Ꭰꭰ", "ᎠᎠ"), ("ᏸ", "Ᏸ"), ("", ""),
    ("ℌ", "H"), ("e\u{301}\u{327}", "e"),
    ("Saint-Étienne", "saint etienne"), ("Saint ", "saint "), ("St. Louis", "st. louis"),
    ("´Abc", " abc"), ("Ålesund", "alesund"), ("四日市", "四日市"),
    ("A - B‐C‑D–E －F", "a b c d e f"), ("- ", " "), ("a\u{A0} b", "a b"), ("תל־אביב", "תל אביב"),
    ("Ba\u{AD}den", "baden"), ("می\u{200C}بد", "میبد"), ("क\u{200D}ष", "कष"),
    ("علي", "علی"), ("على", "علی"), ("كة", "که"),
    ("バリ", "ハ\u{3099}リ"), ("ﾊﾟﾘ", "ハ\u{309A}リ"), ("ハリ", "ハリ"),
  ])
  func folds(name: String, key: String) {
    #expect(Array(key.utf8) == NameKey.key(of: name))
  }

  @Test func foldingTwiceChangesNothing() throws {
    for row in try Fixture.rows("names") {
      let key = NameKey.key(of: row[0])
      let again = NameKey.key(of: String(decoding: key, as: UTF8.self))
      // Compatibility decomposition can yield capitals, which only a second pass folds.
      #expect(NameKey.key(of: String(decoding: again, as: UTF8.self)) == again, "\(row[0])")
    }
  }

  @Test(
    arguments: [
      ([0x41, 0xFF, 0x42], "a\u{FFFD}b"), ([0xC3], "\u{FFFD}"), ([0xC3, 0x28], "\u{FFFD}("),
      ([0xF0, 0x9F], "\u{FFFD}"), ([], ""),
    ] as [([UInt8], String)])
  func replacesBytesThatAreNotUTF8(bytes: [UInt8], expected: String) {
    var key: [UInt8] = []
    var folding = NameKey()
    folding.append(bytes, to: &key)
    #expect(String(decoding: key, as: UTF8.self) == expected)
  }

  @Test func appendsToAKey() {
    var key = Array("x".utf8)
    var folding = NameKey()
    folding.append("É".utf8, to: &key)
    folding.append("é".utf8, to: &key)
    #expect(String(decoding: key, as: UTF8.self) == "xee")
  }
}
