import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct CityIndexBuilderTests {
  private func city(_ id: Int, _ name: String = "Name") throws -> City {
    City(id: id, name: name, coordinate: try Coordinate(latitude: 1, longitude: 2))
  }

  @Test func makesTheSameBytesInAnyOrder() throws {
    var generator = SplitMix64(seed: 1)
    var cities = try (0..<500).map { id in
      City(
        id: id, name: "N\(id % 50)", country: ["DE", "FR", nil][id % 3], region: "R\(id % 7)",
        coordinate: try Coordinate(latitude: Double(id % 90), longitude: Double(id % 13)),
        timezone: "Z\(id % 4)")
    }
    var files: Set<[UInt8]> = []
    for _ in 0..<4 {
      var builder = CityIndexBuilder()
      for city in cities { try builder.add(city) }
      files.insert(try builder.encoded())
      cities.shuffle(using: &generator)
    }
    #expect(files.count == 1)
  }

  @Test func keepsAllValuesOfACity() throws {
    let cities = [
      City(
        id: 1, name: "Ἀθῆναι", country: "GR", region: "Attica",
        coordinate: try Coordinate(latitude: 37.983_810_1, longitude: -179.999_999_9),
        population: 0, timezone: "Europe/Athens"),
      City(id: 2, name: "x", coordinate: try Coordinate(latitude: -90, longitude: 180)),
      City(
        id: 3, name: String(repeating: "long ", count: 13_000),
        coordinate: try Coordinate(latitude: 90, longitude: -180), population: 4_000_000_000),
    ]
    let index = try CityIndex.of(cities)
    for city in cities { #expect(index[id: city.id] == city) }
  }

  @Test func dropsInvalidValues() throws {
    var odd = try city(1)
    odd.country = "Germany"
    odd.population = -4
    let kept = try #require(try CityIndex.of([odd])[id: 1])
    #expect(kept.country == nil)
    #expect(kept.population == nil)
  }

  @Test func rejectsInvalidCities() throws {
    var builder = CityIndexBuilder()
    try builder.add(city(1))
    let once = try city(1), negative = try city(-1), huge = try city(1 << 32)
    let nameless = try city(2, ""), endless = try city(2, String(repeating: "x", count: 65_536))
    #expect(throws: CityIssue.repeatedIdentifier) { try builder.add(once) }
    #expect(throws: CityIssue.noIdentifier) { try builder.add(negative) }
    #expect(throws: CityIssue.noIdentifier) { try builder.add(huge) }
    #expect(throws: CityIssue.noName) { try builder.add(nameless) }
    #expect(throws: CityIssue.noName) { try builder.add(endless) }
    #expect(builder.count == 1)
  }

  @Test func writesNoEmptyIndex() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: CitiesError.noUsableRow(rows: 0)) {
      try CityIndexBuilder().write(to: directory.file("cities.bin"))
    }
    #expect(try directory.contents.isEmpty)
  }

  @Test func replacesAFileThatIsInUse() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("cities.bin")
    var first = CityIndexBuilder()
    try first.add(city(1, "Old"))
    try first.write(to: url)
    let old = try CityIndex(contentsOf: url)
    var second = CityIndexBuilder()
    try second.add(city(1, "New"))
    try second.write(to: url)
    #expect(try CityIndex(contentsOf: url)[id: 1]?.name == "New")
    #expect(old[id: 1]?.name == "Old")
    #expect(try directory.contents == ["cities.bin"])
  }

  @Test func reportsTheErrorOfWriting() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("none/cities.bin")
    var builder = CityIndexBuilder()
    try builder.add(city(1))
    #expect(throws: CitiesError.unwritable(path: url.path, reason: "No such file or directory")) {
      try builder.write(to: url)
    }
    // A directory in its place fails the rename; nothing is left behind.
    let taken = directory.file("taken")
    try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
    #expect(throws: CitiesError.self) { try builder.write(to: taken) }
    #expect(try directory.contents == ["taken"])
  }

  @Test func concurrentWritersLeaveOneCompleteFile() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("cities.bin")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        var builder = CityIndexBuilder()
        for id in 0..<100 { try builder.add(city(id, "Writer\(writer)")) }
        group.addTask { [builder] in
          for _ in 0..<5 { try builder.write(to: url) }
        }
      }
      try await group.waitForAll()
    }
    let cities = try CityIndex(contentsOf: url).search(CityQuery(limit: .max)).cities
    #expect(cities.count == 100)
    #expect(Set(cities.map(\.name)).count == 1)
    #expect(try directory.contents == ["cities.bin"])
  }

  /// One name and one zone more than 16 bits can number: the last have none, and nothing breaks.
  @Test func regionsBeyondTheSixteenthBitAreUnknown() throws {
    var builder = CityIndexBuilder()
    let place = try Coordinate(latitude: 1, longitude: 2)
    for id in 0..<65_540 {
      try builder.add(City(id: id, name: "N", region: "R\(id)", coordinate: place))
    }
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("c"))
    let index = try CityIndex(contentsOf: directory.file("c"))
    #expect(index[id: 65_534]?.region == "R65534")
    #expect(index[id: 65_535]?.region == nil)
    #expect(index[id: 65_539]?.region == nil)
  }

  @Test(
    arguments: [
      (0, 0), (1, 1), (4_294_967_294, 4_294_967_294), (4_294_967_295, 4_294_967_294),
      (.max, 4_294_967_294), (-1, nil), (.min, nil), (nil, nil),
    ] as [(Int?, Int?)])
  func populationsHave32Bits(given: Int?, stored: Int?) throws {
    var one = try city(1)
    one.population = given
    let index = try CityIndex.of([one])
    #expect(index[id: 1]?.population == stored)
    #expect(index.search(CityQuery(order: .population)).cities.count == 1)
  }

  @Test(
    arguments: [
      ("DE", "DE"), ("de", "DE"), ("", nil), ("D", nil), ("DEU", nil), ("D1", nil), ("é", nil),
    ] as [(String, String?)])
  func countriesAreTwoLetters(given: String, stored: String?) throws {
    var one = try city(1)
    one.country = given
    #expect(try CityIndex.of([one])[id: 1]?.country == stored)
  }
}
