import FaketrackCompression
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct CityImportTests {
  /// Imports text in pieces of a size.
  private func imported(
    _ bytes: [UInt8], pieces: Int = .max, regions: [String: String] = [:]
  ) throws -> (CityIndexBuilder, CityImportReport) {
    var cities = CityImport(regions: regions)
    var rest = bytes[...]
    while !rest.isEmpty {
      try rest.prefix(pieces).withUnsafeBytes { try cities.consume($0) }
      rest = rest.dropFirst(pieces)
    }
    return try cities.finish()
  }

  private func line(
    id: String = "1", name: String = "Name", latitude: String = "1.5", longitude: String = "-2",
    feature: String = "P", country: String = "DE", population: String = "7"
  ) -> String {
    [
      id, name, name, "a,b", latitude, longitude, feature, "PPL", country, "", "11", "", "", "",
      population, "", "35", "Europe/Berlin", "2024-01-02",
    ].joined(separator: "\t")
  }

  private func json(_ elements: String...) -> [UInt8] {
    Array("[\(elements.joined(separator: ",\n"))]".utf8)
  }

  @Test func aRowWithoutAnEndIsNotHeldInMemory() {
    let bytes = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 21)
    let reason = "a row is longer than 1048576 bytes"
    #expect(throws: CitiesError.malformedInput(reason: reason)) {
      try imported(bytes, pieces: 1 << 18)
    }
  }

  @Test func endlessWhiteSpaceIsNotHeldInMemory() {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 17)
    #expect(throws: CitiesError.unsupportedInput(format: "only white space")) {
      try imported(bytes, pieces: 1 << 15)
    }
  }

  @Test(arguments: [1, 7, 64, .max], [false, true])
  func readsAGeoNamesDump(pieces: Int, gzipped: Bool) throws {
    let text = Array((line(id: "2", name: " Zoë \r") + "\r\n\n" + line() + "\n").utf8)
    let bytes = gzipped ? Gzip.compressed(text) : text
    let (builder, report) = try imported(bytes, pieces: pieces, regions: ["DE.11": "Brandenburg"])
    #expect(report.rows == 2)
    #expect(report.cities == 2)
    #expect(report.issues.isEmpty)
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("c"))
    let index = try CityIndex(contentsOf: directory.file("c"))
    #expect(
      index[id: 2]
        == City(
          id: 2, name: "Zoë", country: "DE", region: "Brandenburg",
          coordinate: try Coordinate(latitude: 1.5, longitude: -2), population: 7,
          timezone: "Europe/Berlin"))
    #expect(index.regionNames == ["DE.11": "Brandenburg"])
  }

  @Test(arguments: [
    (["id": ""], CityIssue.noIdentifier), (["id": "x"], .noIdentifier),
    (["id": "-4"], .noIdentifier),
    (["id": "99999999999"], .noIdentifier), (["name": ""], .noName),
    (["name": " \u{A0} "], .noName),
    (["latitude": ""], .noPosition), (["latitude": "nan"], .noPosition),
    (["latitude": "1,5"], .noPosition), (["longitude": "0x10"], .noPosition),
    (["longitude": "inf"], .noPosition), (["longitude": "1e999"], .offTheGlobe),
    (["latitude": "90.1"], .offTheGlobe), (["longitude": "-180.5"], .offTheGlobe),
    (["id": "5"], .repeatedIdentifier), (["name": "a\tb"], .malformed),
  ])
  func countsABadLine(change: [String: String], issue: CityIssue) throws {
    let bad = line(
      id: change["id"] ?? "1", name: change["name"] ?? "N", latitude: change["latitude"] ?? "1",
      longitude: change["longitude"] ?? "1")
    let text = [line(id: "5"), bad, line(id: "6")].map { $0 + "\n" }.joined()
    let (builder, report) = try imported(Array(text.utf8))
    #expect(builder.count == 2)
    #expect(report.cities == 2)
    #expect(report.rows == 3)
    #expect(report.unusableRows == 1)
    #expect(report.issues == [issue: .init(count: 1, first: [2])])
  }

  @Test(arguments: [
    (#"{"_id":5,"name":"N","coord":{"lat":1,"lon":1}}"#, CityIssue.repeatedIdentifier),
    (#"{"name":"N","coord":{"lat":1,"lon":1}}"#, .noIdentifier),
    (#"{"_id":"1","name":"N","coord":{"lat":1,"lon":1}}"#, .noIdentifier),
    (#"{"_id":1.5,"name":"N","coord":{"lat":1,"lon":1}}"#, .noIdentifier),
    (#"{"_id":1,"name":null,"coord":{"lat":1,"lon":1}}"#, .noName),
    (#"{"_id":1,"name":" ","coord":{"lat":1,"lon":1}}"#, .noName),
    (#"{"_id":1,"coord":{"lat":1,"lon":1}}"#, .noName),
    (#"{"_id":1,"name":"N"}"#, .noPosition), (#"{"_id":1,"name":"N","coord":[1,1]}"#, .noPosition),
    (#"{"_id":1,"name":"N","coord":{"lat":1}}"#, .noPosition),
    (#"{"_id":1,"name":"N","coord":{"lat":"1","lon":1}}"#, .noPosition),
    (#"{"_id":1,"name":"N","coord":{"lat":91,"lon":1}}"#, .offTheGlobe),
    (#"{"_id":1,"name":"N","coord":{"lat":1,"lon":181}}"#, .offTheGlobe),
    ("null", .malformed), ("7", .malformed), ("[]", .malformed), (#""x""#, .malformed),
  ])
  func countsABadElement(element: String, issue: CityIssue) throws {
    let good = #"{"_id":5,"name":"A","country":"UA","coord":{"lat":1,"lon":2}}"#
    let (builder, report) = try imported(json(good, element))
    #expect(builder.count == 1)
    #expect(report.issues == [issue: .init(count: 1, first: [2])])
  }

  @Test(arguments: [1, 9, .max], [false, true])
  func readsAJSONArray(pieces: Int, gzipped: Bool) throws {
    let text =
      Array(" \n".utf8)
      + json(
        #"{"country":"UA","name":"Hurzuf","_id":707860,"coord":{"lon":34.283333,"lat":44.549999}}"#,
        #"{"coord":{"lon":0,"lat":-1},"id":8,"name":"Caf\u00e9 \"B\"","country":"","stat":{"x":[1]}}"#
      )
    let bytes = gzipped ? Gzip.compressed(text) : text
    let (builder, report) = try imported(bytes, pieces: pieces)
    #expect(report.cities == 2)
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("c"))
    let index = try CityIndex(contentsOf: directory.file("c"))
    #expect(
      index[id: 707_860]
        == City(
          id: 707_860, name: "Hurzuf", country: "UA",
          coordinate: try Coordinate(latitude: 44.549999, longitude: 34.283333)))
    #expect(index[id: 8]?.name == "Café \"B\"")
    #expect(index[id: 8]?.country == nil)
  }

  @Test func keepsTheFirstTenRowsOfAnIssue() throws {
    let text = (1...30).map { line(id: "\($0)", name: $0 > 5 ? "" : "N") + "\n" }.joined()
    let (_, report) = try imported(Array(text.utf8))
    #expect(report.issues == [.noName: .init(count: 25, first: Array(6...15))])
  }

  @Test func skipsOtherFeatures() throws {
    let text =
      line(id: "1", feature: "T") + "\n" + line(id: "2", feature: "") + "\n" + line(id: "3")
    let (_, report) = try imported(Array((text + "\n").utf8))
    #expect(report.otherFeatures == 1)
    #expect(report.cities == 2)
    #expect(report.unusableRows == 0)
  }

  @Test func readsALastLineWithoutEnd() throws {
    #expect(try imported(Array(line().utf8)).1.cities == 1)
  }

  @Test func skipsAByteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try imported(mark + Array((line() + "\n").utf8), pieces: 2).1.cities == 1)
  }

  @Test func readsGzipMembersInARow() throws {
    let bytes =
      Gzip.compressed(Array((line(id: "1") + "\n").utf8))
      + Gzip.compressed(Array((line(id: "2") + "\n").utf8))
    for pieces in [1, 50, bytes.count] {
      #expect(try imported(bytes, pieces: pieces).1.cities == 2)
    }
  }

  @Test func noticesEveryCut() throws {
    let table = Array((line(id: "1") + "\n" + line(id: "2") + "\n").utf8)
    let first = line(id: "1").utf8.count + 1
    for count in first + 1..<table.count - 1 {
      #expect(throws: CitiesError.truncatedInput(rows: 1)) { try imported(Array(table[..<count])) }
    }
    let array = json(#"{"_id":5,"name":"A]","coord":{"lat":1,"lon":2}}"#)
    for count in 1..<array.count {
      #expect(throws: CitiesError.self) { try imported(Array(array[..<count])) }
    }
    for gzipped in [Gzip.compressed(table), Gzip.compressed(array)] {
      for count in 1..<gzipped.count {
        #expect(throws: CitiesError.self) { try imported(Array(gzipped[..<count])) }
      }
    }
  }

  @Test func noticesDamagedGzip() throws {
    let whole = Gzip.compressed(Array((1...40).map { line(id: "\($0)") + "\n" }.joined().utf8))
    for position in stride(from: 12, to: whole.count, by: 3) {
      var bytes = whole
      bytes[position] ^= 0x10
      #expect(throws: CitiesError.self) { try imported(bytes) }
    }
  }

  @Test(arguments: [
    "PK\u{3}\u{4}rest", "<!DOCTYPE html>", "  <html>", "BZh91AY", #"{"cities":[]}"#,
    "SQLite format 3", "FTCITIES....",
  ])
  func reportsAnUnsupportedFormat(start: String) throws {
    let error = #expect(throws: CitiesError.self) {
      try imported(Array((start + String(repeating: "x", count: 99)).utf8), pieces: 3)
    }
    guard case .unsupportedInput = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["", "\n\n", "[]", "hello\nworld\n", "[null]"])
  func refusesInputWithoutACity(text: String) throws {
    let rows = text.contains("hello") ? 2 : text == "[null]" ? 1 : 0
    #expect(throws: CitiesError.noUsableRow(rows: rows)) { try imported(Array(text.utf8)) }
  }

  @Test func refusesBrokenJSON() throws {
    let error = #expect(throws: CitiesError.self) {
      try imported(Array(#"[{"_id":1,"name":"N" "coord":{}}]"#.utf8))
    }
    guard case .malformedInput = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Any two cuts of the input make the same index, plain or gzipped.
  @Test(arguments: [false, true]) func piecesOfTheInputDoNotMatter(gzipped: Bool) throws {
    let text = (1...60).map {
      line(id: "\($0)", name: "Näme \($0)") + ($0 % 9 == 0 ? "\r\n" : "\n")
    }
    .joined()
    let bytes = gzipped ? Gzip.compressed(Array(text.utf8)) : Array(text.utf8)
    let whole = try imported(bytes)
    let expected = try whole.0.encoded()
    for size in [1, 2, 3, 5, 8, 13, 21, 100, 1_000] {
      let cut = try imported(bytes, pieces: size)
      #expect(cut.1 == whole.1)
      #expect(try cut.0.encoded() == expected)
    }
  }

  /// More than one buffer of output for one piece of input.
  @Test func readsGzipThatGrowsAThousandfold() throws {
    let padding = String(repeating: " ", count: 400_000)
    let text = "[\(padding){\"_id\":1,\"name\":\"N\",\"coord\":{\"lat\":1,\"lon\":2}}\(padding)]"
    let bytes = Gzip.compressed(Array(text.utf8))
    #expect(bytes.count < 5_000)
    #expect(try imported(bytes).1.cities == 1)
  }

  @Test func countsCompressedBytesAsProgress() throws {
    let bytes = Gzip.compressed(Array((1...50).map { line(id: "\($0)") + "\n" }.joined().utf8))
    var cities = CityImport()
    try bytes.withUnsafeBytes { try cities.consume($0) }
    #expect(cities.progress.bytes == bytes.count)
    #expect(cities.progress.rows == 50)
    #expect(cities.progress.totalBytes == nil)
  }

  @Test func anEmptyPieceChangesNothing() throws {
    var cities = CityImport()
    try cities.consume(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(cities.progress == CityImportProgress())
    try Array((line() + "\n").utf8).withUnsafeBytes { try cities.consume($0) }
    try cities.consume(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(try cities.finish().1.cities == 1)
  }

  @Test func reportsDamagedGzip() throws {
    var bytes = Gzip.compressed(Array((1...40).map { line(id: "\($0)") + "\n" }.joined().utf8))
    bytes[bytes.count - 6] ^= 1
    #expect(throws: CitiesError.malformedInput(reason: "the gzip data is damaged")) {
      try imported(bytes)
    }
  }

  @Test func trailingBytesAreDamage() throws {
    let bytes = Gzip.compressed(Array((line() + "\n").utf8)) + Array("rubbish".utf8)
    #expect(throws: CitiesError.self) { try imported(bytes) }
  }

  /// All issues of the mobile-challenge file.
  @Test func countsEveryIssueOfADirtyFile() throws {
    let (_, report) = try imported(
      json(
        #"{"country":"","name":"Earth","_id":6295630,"coord":{"lon":0,"lat":0}}"#,
        #"{"country":"UA","name":"Hurzuf","_id":707860,"coord":{"lon":34.28,"lat":44.55}}"#,
        #"{"country":"UA","name":"Hurzuf","_id":707861,"coord":{"lon":34,"lat":44}}"#,
        #"{"country":"UA","name":"Hurzuf","_id":707860,"coord":{"lon":34.28,"lat":44.55}}"#,
        #"{"country":"ES","name":"'t Zand, (Noord)","_id":9,"coord":{"lon":4,"lat":52}}"#,
        #"{"country":"ES","name":"","_id":10,"coord":{"lon":4,"lat":52}}"#,
        #"{"country":"ES","name":"X","_id":11,"coord":{"lon":181,"lat":52}}"#, "null", "[]",
        #"{"country":"ES","name":"X","_id":12}"#, #"{"name":"X","coord":{"lon":1,"lat":2}}"#))
    #expect(report.rows == 11)
    #expect(report.cities == 4)
    #expect(report.unusableRows == 7)
    #expect(
      report.issues == [
        .repeatedIdentifier: .init(count: 1, first: [4]), .noName: .init(count: 1, first: [6]),
        .offTheGlobe: .init(count: 1, first: [7]), .malformed: .init(count: 2, first: [8, 9]),
        .noPosition: .init(count: 1, first: [10]), .noIdentifier: .init(count: 1, first: [11]),
      ])
  }

  @Test func rejectsLongNames() throws {
    let text = [line(id: "1", name: String(repeating: "x", count: 65_536)), line(id: "2")]
      .map { $0 + "\n" }.joined()
    let (_, report) = try imported(Array(text.utf8))
    #expect(report.issues == [.noName: .init(count: 1, first: [1])])
    #expect(report.cities == 1)
  }
}
