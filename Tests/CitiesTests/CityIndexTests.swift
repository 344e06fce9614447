import FaketrackSupport
import Foundation
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct CityIndexTests {
  private func city(_ id: Int, _ name: String = "Name") throws -> City {
    City(id: id, name: name, coordinate: try Coordinate(latitude: 1, longitude: 1))
  }

  @Test(arguments: [0, -1, 3, .max, .min, 1 << 32, 1 << 33]) func knowsNoOtherId(id: Int) throws {
    #expect(try CityIndex.of([city(1), city(2), city(4)])[id: id] == nil)
  }

  @Test func findsEveryId() throws {
    let ids = [5, 0, 4_294_967_295, 17, 4_294_967_294, 1]
    let index = try CityIndex.of(try ids.map { try city($0, "N\($0)") })
    for id in ids { #expect(index[id: id]?.name == "N\(id)") }
    #expect(index[id: 2] == nil)
    #expect(index.count == ids.count)
  }

  @Test func sharesTheTextsOfCitiesAcrossTasks() async throws {
    let cities = try (0..<200).map { id in
      City(
        id: id, name: "N\(id)", country: "DE", region: "Region \(id % 7)",
        coordinate: try Coordinate(latitude: 1, longitude: 1), timezone: "Zone \(id % 3)")
    }
    let index = try CityIndex.of(cities)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask { cities.allSatisfy { index[id: $0.id] == $0 } }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  /// Cities of a region share their texts as long as those are the same.
  @Test func citiesOfARegionMayDiffer() throws {
    let place = try Coordinate(latitude: 1, longitude: 1)
    let countries = ["DE", "US", nil], regions = ["Here", nil], zones = ["A", "B", nil]
    let cities = (0..<54).map { id in
      City(
        id: id, name: "N\(id)", country: countries[id % 3], region: regions[id / 3 % 2],
        coordinate: place, timezone: zones[id / 6 % 3])
    }
    let index = try CityIndex.of(cities)
    for city in cities + cities.reversed() { #expect(index[id: city.id] == city) }
  }

  @Test func outlivesItsFile() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("cities.bin")
    var builder = CityIndexBuilder()
    try builder.add(city(1, "Kept"))
    try builder.write(to: file)
    let index = try CityIndex(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    #expect(index[id: 1]?.name == "Kept")
  }

  @Test func opensFromStaticBytes() throws {
    var builder = CityIndexBuilder()
    for id in 0..<20 { try builder.add(city(id, "N\(id)")) }
    let bytes = try builder.encoded()
    // As the executable would hold them: aligned, and never freed before the index.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    let index = try CityIndex(staticBytes: UnsafeRawBufferPointer(memory), name: "mine")
    #expect(index.count == 20)
    #expect(index[id: 7]?.name == "N7")
  }

  @Test func listsRegionsThatHaveACode() throws {
    var builder = CityIndexBuilder()
    var one = try city(1)
    one.region = "Brandenburg"
    try builder.add(one, regionCode: "DE.11")
    var two = try city(2)
    two.region = "Somewhere"
    try builder.add(two)
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("c"))
    let index = try CityIndex(contentsOf: directory.file("c"))
    #expect(index.regionNames == ["DE.11": "Brandenburg"])
    #expect(index[id: 2]?.region == "Somewhere")
  }

  @Test func anIndexWithoutRegionsNamesNone() throws {
    #expect(try CityIndex.of([city(1)]).regionNames.isEmpty)
  }
}

@Suite struct WorldCitiesTests {
  @Test func holdsEveryCity() throws {
    #expect(CityIndex.world.count == 234_908)
    let potsdam = try #require(CityIndex.world[id: 2_852_458])
    #expect(
      potsdam
        == City(
          id: 2_852_458, name: "Potsdam", country: "DE", region: "Brandenburg",
          coordinate: try Coordinate(latitude: 52.39886, longitude: 13.06566),
          population: potsdam.population, timezone: "Europe/Berlin"))
    #expect(potsdam.population.map { $0 > 100_000 } == true)
  }

  private func bytes() throws -> UnsafeRawBufferPointer {
    let records = CityIndex.world.sections.records
    // The header takes two of the 64 bytes that sections are aligned to.
    let start = try #require(UnsafeRawPointer(records.baseAddress)) - 2 * IndexHeader.alignment
    let count = start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    return UnsafeRawBufferPointer(start: start, count: Int(count))
  }

  /// The checks that opening a file makes and opening the built-in index skips.
  @Test func isSound() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("copy")
    try Data(bytes()).write(to: url)
    #expect(try CityIndex(contentsOf: url).count == CityIndex.world.count)
  }

  @Test func isSortedByPopulation() throws {
    let populations = CityIndex.world.sections.records.map(\.knownPopulation)
    #expect(zip(populations, populations.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func itsNamesAreSortedByKeyThenCountryThenId() throws {
    let sections = CityIndex.world.sections
    var last: (key: [UInt8], country: UInt16, id: UInt32) = ([], 0, 0)
    var names = 0
    sections.names.forEachKey { name, key in
      let record = sections.records[Int(sections.names.row(name))]
      let ascends =
        last.key == key
        ? (last.country, last.id) <= (record.country, record.id)
        : last.key.lexicographicallyPrecedes(key)
      if !ascends, name > 0 { Issue.record("name \(name) is out of order") }
      last = (key, record.country, record.id)
      names += 1
    }
    #expect(names == sections.names.count)
    #expect(sections.names.rows.indices.count { sections.names.form($0) == .main } == 234_908)
  }

  /// Points computed today must equal the points in the data: a search compares computed points with
  /// stored points.
  @Test func itsTreeHoldsThePointsThatAreComputedToday() {
    let sections = CityIndex.world.sections
    var different = 0
    for (position, row) in sections.tree.rows.enumerated() {
      let leaf = sections.tree.leaves[position / 8]
      let lane = position % 8
      let origin = SIMD3(Double(leaf.originX), Double(leaf.originY), Double(leaf.originZ))
      let steps = SIMD3(Double(leaf.x[lane]), Double(leaf.y[lane]), Double(leaf.z[lane]))
      let difference =
        EarthVector.at(sections.records[Int(row)].coordinate) - origin - steps * Double(leaf.scale)
      for axis in 0..<3 where abs(difference[axis]) > Double(leaf.scale) * 0.500_01 {
        different += 1
      }
    }
    #expect(different == 0)
    #expect(Set(sections.tree.rows).count == sections.records.count)
  }

  /// A part of the cities, made into an index today, has the records and the names that it has here,
  /// in the same order.
  @Test func itsCitiesMakeTheSameIndexAgain() throws {
    let world = CityIndex.world.sections
    let rows = stride(from: 0, to: CityIndex.world.count, by: 29)
    var others: [UInt32: [String]] = [:]
    var names: [Name] = []
    world.names.forEachKey { name, key in
      let row = world.names.row(name)
      guard row.isMultiple(of: 29) else { return }
      names.append(Name(key: key, id: world.records[Int(row)].id))
      guard !world.names.isMain(name) else { return }
      let spellings = world.names.spellings(of: name)
      names[names.count - 1].text = spellings.first
      others[row, default: []] += spellings
    }
    var builder = CityIndexBuilder()
    for row in rows.reversed() {
      let region = world.records[row].region
      let code = region == CityRecord.noEntry ? nil : world.regionCodes.string(Int(region))
      try builder.add(
        CityIndex.world.city(row), alternateNames: others[UInt32(row), default: []].shuffled(),
        regionCode: code ?? "")
    }
    let directory = try TemporaryDirectory()
    try builder.write(to: directory.file("part"))
    let part = try CityIndex(contentsOf: directory.file("part"))
    #expect(part.sections.records.map(\.id) == rows.map { world.records[$0].id })
    var again: [Name] = []
    part.sections.names.forEachKey { name, key in
      let row = Int(part.sections.names.row(name))
      again.append(
        Name(
          key: key, id: part.sections.records[row].id,
          text: part.sections.names.isMain(name)
            ? nil : part.sections.names.spellings(of: name).first))
    }
    let isSame = again == names
    #expect(isSame, "\(again.count) and \(names.count) names")
  }

  private struct Name: Equatable {
    let key: [UInt8]
    let id: UInt32
    var text: String?
  }

  @Test func namesRegionsByCode() throws {
    let names = CityIndex.world.regionNames
    #expect(names["DE.11"] == "Brandenburg")
    #expect(names["FR.84"] == "Auvergne-Rhône-Alpes")
    #expect(names.count > 3_000)
  }

  @Test func namesItsSourceAndLicense() {
    #expect(
      CityAttribution.notice
        == "City data from GeoNames (https://www.geonames.org), licensed under CC BY 4.0")
    #expect(CityAttribution.notice.contains(CityAttribution.source))
    #expect(CityAttribution.notice.contains(CityAttribution.license))
    #expect(CityAttribution.licenseURL == "https://creativecommons.org/licenses/by/4.0/")
  }
}
