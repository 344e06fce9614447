import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct CityImportTests {
  typealias Fault = CityImportReport.Fault

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

  @Test(arguments: [1, 7, 64, .max], [false, true])
  func readsAGeoNamesDump(pieces: Int, gzipped: Bool) throws {
    let text = Array((line(id: "2", name: " Zoë \r") + "\r\n\n" + line() + "\n").utf8)
    let bytes = gzipped ? Gzip.compressed(text) : text
    let (builder, report) = try imported(bytes, pieces: pieces, regions: ["DE.11": "Brandenburg"])
    #expect(report.rows == 2)
    #expect(report.cities == 2)
    #expect(report.faults.isEmpty)
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
    (["id": ""], Fault.noIdentifier), (["id": "x"], .noIdentifier), (["id": "-4"], .noIdentifier),
    (["id": "99999999999"], .noIdentifier), (["name": ""], .noName),
    (["name": " \u{A0} "], .noName),
    (["latitude": ""], .noPosition), (["latitude": "nan"], .noPosition),
    (["latitude": "1,5"], .noPosition), (["longitude": "0x10"], .noPosition),
    (["longitude": "inf"], .noPosition), (["longitude": "1e999"], .offTheGlobe),
    (["latitude": "90.1"], .offTheGlobe), (["longitude": "-180.5"], .offTheGlobe),
    (["id": "5"], .repeatedIdentifier), (["name": "a\tb"], .malformed),
  ])
  func countsABadLine(change: [String: String], fault: Fault) throws {
    let bad = line(
      id: change["id"] ?? "1", name: change["name"] ?? "N", latitude: change["latitude"] ?? "1",
      longitude: change["longitude"] ?? "1")
    let text = [line(id: "5"), bad, line(id: "6")].map { $0 + "\n" }.joined()
    let (builder, report) = try imported(Array(text.utf8))
    #expect(builder.count == 2)
    #expect(report.cities == 2)
    #expect(report.rows == 3)
    #expect(report.faultyRows == 1)
    #expect(report.faults == [fault: .init(count: 1, first: [2])])
  }

  @Test(arguments: [
    (#"{"_id":5,"name":"N","coord":{"lat":1,"lon":1}}"#, Fault.repeatedIdentifier),
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
  func countsABadElement(element: String, fault: Fault) throws {
    let good = #"{"_id":5,"name":"A","country":"UA","coord":{"lat":1,"lon":2}}"#
    let (builder, report) = try imported(json(good, element))
    #expect(builder.count == 1)
    #expect(report.faults == [fault: .init(count: 1, first: [2])])
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

  @Test func remembersTheFirstTenOfAFault() throws {
    let text = (1...30).map { line(id: "\($0)", name: $0 > 5 ? "" : "N") + "\n" }.joined()
    let (_, report) = try imported(Array(text.utf8))
    #expect(report.faults == [.noName: .init(count: 25, first: Array(6...15))])
  }

  @Test func leavesOutWhereNoOneLives() throws {
    let text =
      line(id: "1", feature: "T") + "\n" + line(id: "2", feature: "") + "\n" + line(id: "3")
    let (_, report) = try imported(Array((text + "\n").utf8))
    #expect(report.otherFeatures == 1)
    #expect(report.cities == 2)
    #expect(report.faultyRows == 0)
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
  func saysWhatItCannotRead(start: String) throws {
    let error = #expect(throws: CitiesError.self) {
      try imported(Array((start + String(repeating: "x", count: 99)).utf8), pieces: 3)
    }
    guard case .unsupportedInput = error else {
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
    guard case .malformedInput = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
