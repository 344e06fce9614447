import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct CityIndexTests {
  @Test func carriesEveryCity() throws {
    let cities = try CityIndex.builtIn()
    #expect(cities.count == 234_908)
    let potsdam = try #require(cities[id: 2_852_458])
    #expect(
      potsdam
        == City(
          id: 2_852_458, name: "Potsdam", country: "DE", region: "Brandenburg",
          coordinate: try Coordinate(latitude: 52.39886, longitude: 13.06566),
          population: potsdam.population, timezone: "Europe/Berlin"))
    #expect(potsdam.population.map { $0 > 100_000 } == true)
  }

  /// What opening a file checks and opening the built-in index does not.
  @Test func carriesASoundIndex() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("copy")
    let builtIn = try CityIndex.builtIn()
    let start = try #require(UnsafeRawPointer(builtIn.sections.records.baseAddress)) - 64
    let layoutCount = start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    try Data(bytes: start, count: Int(layoutCount)).write(to: url)
    #expect(try CityIndex(contentsOf: url).count == builtIn.count)
  }

  @Test(arguments: [0, -1, 3, .max, .min, 1 << 33]) func knowsNoOtherId(id: Int) throws {
    #expect(try CityIndex.builtIn()[id: id] == nil)
  }

  @Test func findsEveryIdOfASmallIndex() throws {
    let place = try Coordinate(latitude: 1, longitude: 1)
    let ids = [5, 0, 4_294_967_295, 17, 4_294_967_294, 1]
    let index = try CityIndex.of(ids.map { City(id: $0, name: "N\($0)", coordinate: place) })
    for id in ids { #expect(index[id: id]?.name == "N\(id)") }
    #expect(index[id: 2] == nil)
  }

  @Test(arguments: ["zürich", "ZURICH", "Zürich"]) func findsWholeNames(name: String) throws {
    let cities = try CityIndex.builtIn().cities(named: name)
    #expect(cities.first?.id == 2_657_896)
    #expect(cities.allSatisfy { NameKey.key(of: $0.name) == Array("zurich".utf8) })
  }

  @Test func putsTheGreatestOfANameFirst() throws {
    let cities = try CityIndex.builtIn().cities(named: "san josé")
    #expect(cities.count > 50)
    let populations = cities.map { $0.population ?? 0 }
    #expect(populations == populations.sorted(by: >))
    #expect(try CityIndex.builtIn().cities(named: "Nowhere at all").isEmpty)
    #expect(try CityIndex.builtIn().cities(named: "").isEmpty)
  }

  @Test func namesRegionsByCode() throws {
    let names = try CityIndex.builtIn().regionNames
    #expect(names["DE.11"] == "Brandenburg")
    #expect(names["FR.84"] == "Auvergne-Rhône-Alpes")
    #expect(names.count > 3_000)
  }

  @Test func namesWhoItIsOwedTo() {
    #expect(CityAttribution.notice.contains("GeoNames"))
    #expect(CityAttribution.notice.contains(CityAttribution.license))
  }

  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("The quick brown fox jumps over the lazy dog", 0x0B24_2D36_1FDA_71BC),
    ] as [(String, UInt64)])
  func checksumsAsTheSpecificationSays(text: String, expected: UInt64) {
    #expect(Array(text.utf8).withUnsafeBytes { Checksum.of($0) } == expected)
  }
}
