import Testing

@testable import Cities

@Suite struct CityFormatTests {
  @Test(arguments: [
    ("[", CityFormat.json), ("  \n\t[{", .json), ("\u{FEFF}[1]", .json), ("[", .json),
    ("1\tName", .geoNames), ("# a comment", .geoNames), ("\u{FEFF}\n7", .geoNames),
    ("Paris", .geoNames), ("B", .geoNames), ("P", .geoNames), ("FTCITIE", .geoNames),
  ])
  func tellsFormatsApart(start: String, format: CityFormat) throws {
    #expect(try CityFormat(start: Array(start.utf8)) == format)
  }

  @Test(arguments: ["", " ", "\n\r\n\t ", "\u{FEFF}", "\u{FEFF} \n"])
  func whiteSpaceHasNoFormat(start: String) throws {
    #expect(try CityFormat(start: Array(start.utf8)) == nil)
  }

  @Test(
    arguments: [
      (Array("PK\u{3}\u{4}".utf8), "a zip archive, to be unpacked first"),
      ([0x1F, 0x8B, 8], "gzipped twice"), (Array("BZh9".utf8), "compressed by bzip2"),
      ([0xFD, 0x37, 0x7A, 0x58], "compressed by xz"),
      ([0x28, 0xB5, 0x2F, 0xFD, 0], "compressed by zstd"),
      (Array("SQLite format 3".utf8), "a database"),
      (Array("FTCITIES".utf8), "a city index already"),
      (Array(" \n<?xml".utf8), "a web page or XML"),
      (Array("\u{FEFF}{".utf8), "a JSON object, not an array"),
    ] as [([UInt8], String)])
  func reportsTheUnsupportedFormat(start: [UInt8], format: String) {
    #expect(throws: CitiesError.unsupportedInput(format: format)) { try CityFormat(start: start) }
  }
}

@Suite struct GeoNamesRowTests {
  private static let columns = [
    "2852458", "Potsdam", "Potsdam", "Potsdam,Podstupim", "52.39886", "13.06566", "P", "PPLA", "DE",
    "", "11", "00", "12054", "12054000", "145292", "", "39", "Europe/Berlin", "2023-05-11",
  ]

  private func parsed(_ changes: [Int: String] = [:], end: String = "") -> ImportRow? {
    var columns = Self.columns
    for (column, text) in changes { columns[column] = text }
    return Array((columns.joined(separator: "\t") + end).utf8).withUnsafeBytes {
      ImportRow(geoNamesLine: $0)
    }
  }

  @Test(arguments: ["", "\r"]) func readsAllItsColumns(end: String) throws {
    let row = try #require(parsed(end: end))
    #expect(row.id == 2_852_458)
    #expect(row.name == "Potsdam")
    #expect(row.latitude == 52.39886)
    #expect(row.longitude == 13.06566)
    #expect(row.country == "DE")
    #expect(row.regionCode == "DE.11")
    #expect(row.population == 145_292)
    #expect(row.timezone == "Europe/Berlin")
    #expect(row.isPopulatedPlace)
  }

  @Test(
    arguments: [
      ("52.5", 52.5), ("-0", 0), ("+1.25", 1.25), ("1e1", 10), ("1E-1", 0.1), (".5", 0.5),
      ("", nil), ("nan", nil), ("inf", nil), ("0x1p3", nil), ("1,5", nil), ("1 ", nil),
      ("--1", nil),
      ("1.2.3", nil), ("e", nil), ("52°", nil),
    ] as [(String, Double?)])
  func readsDecimalNumbersOnly(text: String, number: Double?) throws {
    let row = try #require(parsed([4: text, 5: text]))
    #expect(row.latitude == number)
    #expect(row.longitude == number)
  }

  @Test(
    arguments: [
      ("7", 7), ("-4", -4), ("", nil), ("x", nil), ("1.5", nil), (" 7", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil),
    ] as [(String, Int?)])
  func readsWholeNumbersOnly(text: String, number: Int?) throws {
    let row = try #require(parsed([0: text, 14: text]))
    #expect(row.id == number)
    #expect(row.population == number)
  }

  @Test(arguments: [("P", true), ("", true), ("T", false), ("PP", false), ("p", false)])
  func recognizesPopulatedPlaces(kind: String, isPopulated: Bool) throws {
    #expect(try #require(parsed([6: kind])).isPopulatedPlace == isPopulated)
  }

  @Test func aMissingTimeZoneIsUnknown() throws {
    #expect(try #require(parsed([17: ""])).timezone == nil)
  }

  @Test(arguments: [0, 1, 18, 20, 40]) func needsNineteenColumns(count: Int) {
    let line = [String](repeating: "1", count: count).joined(separator: "\t")
    #expect(Array(line.utf8).withUnsafeBytes { ImportRow(geoNamesLine: $0) } == nil)
  }

  @Test(arguments: [1, 8, 10, 17]) func textThatIsNotUTF8IsRefused(column: Int) {
    var columns = Self.columns.map { Array($0.utf8) }
    columns[column] = [0x41, 0xFF]
    let line = Array(columns.joined(separator: [0x09]))
    #expect(line.withUnsafeBytes { ImportRow(geoNamesLine: $0) } == nil)
  }

  /// Columns that are not read may hold anything.
  @Test(arguments: [2, 3, 7, 9, 12]) func otherColumnsMayHoldAnything(column: Int) {
    var columns = Self.columns.map { Array($0.utf8) }
    columns[column] = [0xFF, 0xFE, 0x00]
    let line = Array(columns.joined(separator: [0x09]))
    #expect(line.withUnsafeBytes { ImportRow(geoNamesLine: $0) }?.name == "Potsdam")
  }

  @Test func everyCutOfALineIsIncomplete() {
    let line = Array(Self.columns.joined(separator: "\t").utf8)
    #expect(ImportRow.isComplete(line))
    for count in 0..<line.count { #expect(!ImportRow.isComplete(Array(line[..<count]))) }
  }
}

@Suite struct JSONCityRowTests {
  private func only(_ element: String) throws -> ImportRow {
    try #require(try ImportRow.array(Array("[\(element)]".utf8)).first ?? nil)
  }

  @Test func readsTheFieldsOfAnElement() throws {
    let row = try only(
      #"{"_id":5,"name":"Ö","country":"UA","coord":{"lat":1.5,"lon":-2},"extra":[1,{"x":null}]}"#)
    #expect(row.id == 5)
    #expect(row.name == "Ö")
    #expect(row.country == "UA")
    #expect(row.latitude == 1.5)
    #expect(row.longitude == -2)
  }

  @Test(
    arguments: [
      (#"{"_id":1,"id":2}"#, 1), (#"{"id":2}"#, 2), (#"{"_id":null,"id":2}"#, 2),
      (#"{"_id":"1","id":2}"#, 2), (#"{}"#, nil), (#"{"_id":1.5}"#, nil), (#"{"_id":1e30}"#, nil),
      (#"{"_id":true}"#, nil),
    ] as [(String, Int?)])
  func takesEitherKeyForTheId(element: String, id: Int?) throws {
    #expect(try only(element).id == id)
  }

  @Test(arguments: ["7", "[]", #""x""#, "true"]) func otherElementsAreNoObjects(element: String)
    throws
  {
    #expect(try ImportRow.array(Array("[\(element)]".utf8)).map { $0 == nil } == [true])
  }

  @Test func oneBadElementDoesNotSpoilTheOthers() throws {
    let rows = try ImportRow.array(Array(#"[null,{"_id":1},7,{"_id":"x"},{"_id":2}]"#.utf8))
    #expect(rows.map { $0?.id } == [nil, 1, nil, nil, 2])
    #expect(rows.map { $0 != nil } == [false, true, false, true, true])
  }

  @Test(arguments: ["", "[", "[1,2", #"["]"#, "[{}", "]["]) func refusesACutArray(text: String) {
    #expect(throws: CitiesError.self) { try ImportRow.array(Array(text.utf8)) }
  }

  @Test func whiteSpaceAfterTheArrayIsFine() throws {
    #expect(try ImportRow.array(Array("[]\r\n\t \n".utf8)).isEmpty)
  }
}
