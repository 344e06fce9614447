import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct DamagedIndexTests {
  let directory: TemporaryDirectory
  let url: URL
  let whole: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    url = directory.file("cities.bin")
    var generator = SplitMix64(seed: 11)
    var builder = CityIndexBuilder()
    for id in 0..<90 {
      let latitude = Double.random(in: -90...90, using: &generator).rounded()
      try builder.add(
        City(
          id: id, name: "Name \(id % 40)", country: id.isMultiple(of: 3) ? nil : "FR",
          region: "Region \(id % 5)", coordinate: try Coordinate(latitude: latitude, longitude: 8),
          population: id, timezone: "Europe/Paris"),
        alternateNames: ["Nom \(id % 40)", "Ном \(id)"])
    }
    try builder.add(
      City(
        id: 90, name: "The last and the longest name",
        coordinate: try Coordinate(latitude: 0, longitude: 8)))
    whole = try builder.encoded()
  }

  private func open(_ bytes: [UInt8]) throws -> CityIndex {
    try Data(bytes).write(to: url)
    return try CityIndex(contentsOf: url)
  }

  @Test func opensUndamaged() throws {
    #expect(try open(whole).count == 91)
    #expect(try open(sealed(whole)).count == 91)
  }

  @Test func noticesEveryChangedByte() throws {
    for position in whole.indices.filter({ $0 < 128 || $0.isMultiple(of: 29) }) {
      var bytes = whole
      bytes[position] ^= 1 << UInt8(position % 8)
      #expect(throws: CitiesError.self, "byte \(position)") { try open(bytes) }
    }
  }

  @Test func noticesEveryLength() throws {
    for count in [0, 1, 7, 8, 9, 63, 64, 65, 1_000, whole.count - 1] {
      #expect(throws: CitiesError.self, "\(count) bytes") { try open(Array(whole.prefix(count))) }
    }
    #expect(throws: CitiesError.self) { try open(whole + [0]) }
  }

  /// Reading stays within the bytes, whatever they contain.
  @Test func survivesForgedBytes() throws {
    var generator = SplitMix64(seed: 3)
    var opened = 0
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let position = Int.random(in: 24..<bytes.count, using: &generator)
        bytes[position] =
          [0, 0xFF, 0x7F, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      guard let index = try? open(sealed(bytes)) else { continue }
      opened += 1
      let from = try Coordinate(latitude: 10, longitude: 20)
      #expect(index.nearest(5, to: from).count == 5)
      #expect(index.search(CityQuery(prefix: "name 1", order: .population)).total <= 91)
      #expect(index.search(CityQuery(limit: 200)).total == 91)
      #expect(index.regionNames.count <= 5)
      #expect(index.search(CityQuery(prefix: "nom", limit: 9)).matches.count <= 9)
      #expect(index.matches(named: "ном 7").count <= 91)
      #expect(index.cities(similarTo: "nom 77", limit: 9).count <= 9)
      #expect(index.nearest(2, to: from, minimumPopulation: 50).count <= 2)
      var cursor = NearestCityCursor(index, minimumPopulation: 50)
      _ = cursor.nearest(to: from)
      if let city = index[id: 77] { #expect(city.id == 77) }
    }
    #expect(opened > 50)
  }

  /// Values that would lead a search out of the tree.
  @Test func refusesATreeWithInvalidReferences() throws {
    let places = try whole.withUnsafeBytes { try SectionPlaces($0) }
    let leaf = places.leaves.lowerBound
    let node = places.nodes.upperBound - 64
    for (place, bytes) in [
      // A coordinate of an origin that is infinite, NaN, or far from Earth.
      (leaf, [0, 0, 0x80, 0x7F]), (leaf + 4, [0, 0, 0xC0, 0x7F]), (leaf + 8, [0, 0, 0, 0x7F]),
      (node, [0, 0, 0xC0, 0xFF]), (node + 4, [0, 0, 0x80, 0xFF]), (node + 8, [0, 0, 0, 0xFF]),
      // A scale that is 0, negative, infinite or NaN.
      (leaf + 12, [0, 0, 0, 0]), (leaf + 12, [0, 0, 0x80, 0xBF]), (node + 12, [0, 0, 0x80, 0x7F]),
      (node + 12, [0, 0, 0xC0, 0x7F]),
      // A row behind the last.
      (places.lowestInLeaves.lowerBound, [90, 0, 0, 0]),
      (places.lowestInNodes.upperBound - 4, [1, 0, 0, 0]),
      (places.treeRows.lowerBound, [91, 0, 0, 0]),
      (places.treeRows.upperBound - 4, [0, 0, 0, 1]),
    ] as [(Int, [UInt8])] {
      var forged = whole
      forged.replaceSubrange(place..<place + 4, with: bytes)
      #expect(throws: CitiesError.damaged(path: url.path, reason: "its tree is broken")) {
        try open(sealed(forged))
      }
    }
  }

  @Test func reportsTheDamage() throws {
    let path = url.path
    #expect(throws: CitiesError.notAnIndex(path: path)) { try open(Array("hello, world".utf8)) }
    #expect(throws: CitiesError.notAnIndex(path: path)) { try open([]) }
    var newer = whole
    newer[8] = 9
    #expect(throws: CitiesError.unsupportedVersion(path: path, found: 9, supported: 5)) {
      try open(newer)
    }
    var older = whole
    older[8] = 4
    #expect(throws: CitiesError.unsupportedVersion(path: path, found: 4, supported: 5)) {
      try open(older)
    }
    var changed = whole
    changed[5_000] ^= 1
    #expect(throws: CitiesError.damaged(path: path, reason: "its checksum does not match")) {
      try open(changed)
    }
    let missing = directory.file("missing")
    #expect(
      throws: CitiesError.unreadable(path: missing.path, reason: "No such file or directory")
    ) { try CityIndex(contentsOf: missing) }
    #expect(throws: CitiesError.notAnIndex(path: directory.url.path)) {
      try CityIndex(contentsOf: directory.url)
    }
  }

  /// One byte pattern for each check that opening an index makes.
  @Test func refusesEveryReferenceThatLeadsOutOfItsSection() throws {
    let places = try whole.withUnsafeBytes { try SectionPlaces($0) }
    let record = places.records.lowerBound
    // The only name that is not in its record is the last one.
    let longest = places.records.upperBound - 40
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0x7F]
    for (place, bytes, damage) in [
      (record + 4, huge, "a city is off the globe"),
      (record + 8, [0, 0, 0, 0x80], "a city is off the globe"),
      (record + 16, [0xFF, 0xFF], "a city refers to text that is not there"),
      (record + 18, [5, 0], "a city refers to text that is not there"),
      (record + 20, [1, 0], "a city refers to text that is not there"),
      (record + 22, [0x41, 0x00], "a country is not two letters"),
      (longest + 24, huge, "a city refers to text that is not there"),
      (places.byID.lowerBound, [91, 0, 0, 0], "its list of numbers is out of order"),
      (
        places.byID.lowerBound,
        Array(whole[places.byID.lowerBound + 4..<places.byID.lowerBound + 8]),
        "its list of numbers is out of order"
      ),
      (places.nameRows.lowerBound, [91, 0, 0, 0], "its list of names is broken"),
      (places.nameBlockEnds.lowerBound, huge, "its list of names is broken"),
      (places.nameBlockEnds.upperBound - 4, [0, 0, 0, 0], "its list of names is broken"),
      (places.regionNameEnds.lowerBound, huge, "its texts overlap"),
      (places.regionCodeEnds.lowerBound, huge, "its texts overlap"),
      (places.zoneEnds.lowerBound, [0, 0, 0, 0], "its texts overlap"),
    ] as [(Int, [UInt8], String)] {
      var forged = whole
      forged.replaceSubrange(place..<place + bytes.count, with: bytes)
      #expect(
        throws: CitiesError.damaged(path: url.path, reason: damage), "\(damage) at \(place)"
      ) { try open(sealed(forged)) }
    }
  }

  @Test(
    arguments: [
      (12, [1, 0, 0, 0]), (32, [0, 0, 0, 0]), (32, [97, 0, 0, 0]), (32, [0xFF, 0xFF, 0xFF, 0xFF]),
      (36, [0, 0, 0, 0]), (40, [0xFF, 0xFF, 0xFF, 0xFF]), (44, [0, 0, 1, 0]), (48, [0, 0, 1, 0]),
      (64, [0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func refusesAHeaderThatContradictsItself(offset: Int, bytes: [UInt8]) throws {
    var forged = whole
    forged.replaceSubrange(offset..<offset + 4, with: bytes)
    #expect(
      throws: CitiesError.damaged(path: url.path, reason: "its header contradicts itself")
    ) { try open(sealed(forged)) }
  }

  @Test func reportsTheExpectedLength() throws {
    let count = whole.count
    #expect(
      throws: CitiesError.damaged(
        path: url.path, reason: "it is \(count - 1) bytes long, not \(count)")
    ) { try open(Array(whole.dropLast())) }
    #expect(throws: CitiesError.damaged(path: url.path, reason: "it ends within its header")) {
      try open(Array(whole.prefix(20)))
    }
  }

  @Test func refusesSpecialFiles() throws {
    let fifo = directory.file("fifo")
    #expect(mkfifo(fifo.path, 0o600) == 0)
    #expect(throws: CitiesError.notAnIndex(path: fifo.path)) { try CityIndex(contentsOf: fifo) }
  }

  @Test func staticBytesNeedASoundHeader() throws {
    for count in [0, 8, 63, whole.count - 1] {
      #expect(throws: CitiesError.self, "\(count) bytes") {
        try whole.withUnsafeBytes {
          try CityIndex(staticBytes: UnsafeRawBufferPointer(rebasing: $0[..<count]), name: "mine")
        }
      }
    }
    #expect(throws: CitiesError.notAnIndex(path: "mine")) {
      try CityIndex(staticBytes: UnsafeRawBufferPointer(start: nil, count: 0), name: "mine")
    }
  }
}
