import Geodesy
import Testing

@testable import Cities

@Suite struct PrefixTests {
  @Test func agreesWithThePythonReference() throws {
    let cities = try CityIndex.builtIn()
    let rows = try Fixture.rows("prefixes")
    #expect(rows.count >= 60)
    for row in rows {
      try #require(row.count == 4)
      let found = cities.rows(withPrefix: row[0])
      #expect(found.count == Int(row[1]), "\(row[0])")
      let ids = found.map { cities.id(of: $0) }
      #expect(Fixture.fingerprint(ids) == UInt64(row[2]), "\(row[0])")
      let page = cities.search(CityQuery(prefix: row[0], limit: 20))
      #expect(page.total == found.count)
      #expect(page.cities.map(\.id) == row[3].split(separator: ",").map { Int($0) })
    }
  }

  /// Names in all scripts that GeoNames has, with keys made in Python.
  @Test func foldsNamesOfAllScripts() throws {
    for row in try Fixture.rows("names") {
      #expect(String(decoding: NameKey.key(of: row[0]), as: UTF8.self) == row[1], "\(row[0])")
    }
  }

  @Test func findsNamesOfAllScripts() throws {
    let rows = try Fixture.rows("names")
    let place = try Coordinate(latitude: 0, longitude: 0)
    let index = try CityIndex.of(
      rows.enumerated().map { City(id: $0, name: $1[0], coordinate: place) })
    let order = rows.enumerated()
      .map { (id: $0, key: Array($1[1].utf8)) }
      .sorted { $0.key == $1.key ? $0.id < $1.id : $0.key.lexicographicallyPrecedes($1.key) }
    for row in rows {
      let prefix = String(String.UnicodeScalarView(row[0].unicodeScalars.prefix(3)))
      let folded = Array(row[2].utf8)
      let expected = order.filter { $0.key.starts(with: folded) }.map(\.id)
      #expect(index.rows(withPrefix: prefix).map { index.id(of: $0) } == expected, "\(prefix)")
    }
  }

  @Test(arguments: [
    ("Straße", "strasse"), ("ẞ", "ss"), ("ΑΘΉΝΑΣ", "αθηνασ"), ("ς", "σ"), ("İstanbul", "istanbul"),
    ("DIYARBAKIR", "diyarbakir"), ("Iğdır", "igdir"), ("Ærø", "aero"), ("Łódź", "lodz"),
    ("Þórshöfn", "thorshofn"), ("Ħamrun", "hamrun"), ("Đà Nẵng", "da nang"), ("Œuf", "oeuf"),
    ("ʻEwa", "'ewa"), ("L’Île", "l'ile"), ("Ⅳ", "IV".lowercased()), ("①", "1"), ("ﬃ", "ffi"),
    ("Йошкар", "иошкар"), ("한", "\u{1112}\u{1161}\u{11AB}"), ("Ꭰꭰ", "ᎠᎠ"), ("ᏸ", "Ᏸ"), ("", ""),
    ("ℌ", "H"), ("e\u{301}\u{327}", "e"),
  ])
  func folds(name: String, key: String) {
    #expect(Array(key.utf8) == NameKey.key(of: name))
  }

  @Test func replacesBytesThatAreNotText() {
    var key: [UInt8] = []
    var folding = NameKey()
    folding.append([0x41, 0xFF, 0x42], to: &key)
    #expect(String(decoding: key, as: UTF8.self) == "a\u{FFFD}b")
  }

  @Test func knowsItsOrder() throws {
    let cities = try CityIndex.builtIn()
    let sections = cities.sections
    var last: (key: [UInt8], country: UInt16, id: UInt32) = ([], 0, 0)
    for row in 0..<cities.count {
      let key = Array(sections.keys[row])
      let record = sections.records[row]
      let ascends =
        last.key == key
        ? (last.country, last.id) < (record.country, record.id)
        : last.key.lexicographicallyPrecedes(key)
      if !ascends, row > 0 { Issue.record("row \(row) is out of order") }
      last = (key, record.country, record.id)
    }
  }
}
