import FaketrackSupport
import Testing

@testable import Cities

@Suite struct IndexHeaderTests {
  private func header(cities: UInt32) -> IndexHeader {
    IndexHeader(
      cities: cities, longNameBytes: cities, names: cities * 5, nameBytes: cities * 30, regions: 3,
      regionCodeBytes: 15, regionNameBytes: 31, zones: 2, zoneBytes: 27)
  }

  @Test(arguments: [1, 7, 8, 9, 64, 65, 1_000, 234_908] as [UInt32])
  func sectionsFollowEachOtherAtMultiplesOf64(cities: UInt32) throws {
    let header = header(cities: cities)
    let count = Int(cities)
    let shape = BoxTree.Shape(points: count)
    let counts = [
      count * 40, count * 4, shape.leaves * 64, shape.nodes * 64, count * 4, shape.leaves * 4,
      shape.nodes * 4, count, count * 20, count * 5, (count * 5 + 15) / 16 * 4, count * 30,
      12, 15, 12, 31, 8, 27,
    ]
    let length = counts.reduce(IndexHeader.count) { ($0 + 63) / 64 * 64 + $1 }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: length + 1, alignment: 64)
    defer { bytes.deallocate() }
    let places = try SectionPlaces(UnsafeRawBufferPointer(rebasing: bytes[..<length]), header).all
    #expect(places.map(\.count) == counts)
    var end = IndexHeader.count
    for place in places {
      #expect(place.lowerBound.isMultiple(of: 64))
      #expect(place.lowerBound >= end)
      #expect(place.lowerBound - end < 64)
      end = place.upperBound
    }
    #expect(end == length)
    for wrong in [length - 1, length + 1] {
      let sections = IndexSections(UnsafeRawBufferPointer(rebasing: bytes[..<wrong]), header)
      #expect(sections == nil)
    }
  }

  @Test(arguments: [1, 8, 9, 513] as [UInt32]) func readsTheHeaderThatItWrites(cities: UInt32)
    throws
  {
    let header = header(cities: cities)
    var bytes = [UInt8](repeating: 0xAB, count: 1_000 + Int(cities))
    bytes.withUnsafeMutableBytes { header.write(to: $0) }
    let read = try bytes.withUnsafeBytes { try IndexHeader($0, path: "p") }
    #expect(read == header)
    let checksum = bytes.withUnsafeBytes { IndexHeader.checksum(in: $0) }
    #expect(checksum == bytes[24...].withUnsafeBytes { Checksum.of($0) })
    #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "FTCITIES")
    #expect(Array(bytes[8..<16]) == [5, 0, 0, 0, 0, 0, 0, 0])
    #expect(bytes.dropFirst(68).allSatisfy { $0 == 0xAB })
  }

  /// The largest header must be refused for its size, not computed into an overflow.
  @Test func sizesThatNoFileHasAreRefused() {
    var bytes = [UInt8](repeating: 0xFF, count: 68)
    bytes.replaceSubrange(0..<8, with: IndexHeader.magic)
    bytes.replaceSubrange(8..<12, with: [5, 0, 0, 0])
    bytes.replaceSubrange(24..<32, with: [68, 0, 0, 0, 0, 0, 0, 0])
    let contradiction = CitiesError.damaged(path: "p", reason: "its header contradicts itself")
    #expect(throws: contradiction) {
      try bytes.withUnsafeBytes { try CityIndex(staticBytes: $0, name: "p") }
    }
    // The greatest number of cities that is allowed.
    bytes.replaceSubrange(12..<16, with: [0, 0, 0, 0])
    bytes.replaceSubrange(32..<36, with: [0, 0, 0, 0x10])
    #expect(throws: contradiction) {
      try bytes.withUnsafeBytes { try CityIndex(staticBytes: $0, name: "p") }
    }
  }
}

@Suite struct ChecksumTests {
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("The quick brown fox jumps over the lazy dog", 0x0B24_2D36_1FDA_71BC),
    ] as [(String, UInt64)])
  func agreesWithTheSpecification(text: String, expected: UInt64) {
    #expect(Array(text.utf8).withUnsafeBytes { Checksum.of($0) } == expected)
  }

  /// Every bit of every byte counts, for lengths on each side of the algorithm's steps.
  @Test(arguments: [1, 3, 4, 5, 8, 11, 12, 31, 32, 33, 40, 63, 64, 65, 100])
  func everyBitCounts(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let sum = bytes.withUnsafeBytes { Checksum.of($0) }
    for position in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[position] ^= 1 << UInt8(bit)
        #expect(changed.withUnsafeBytes { Checksum.of($0) } != sum)
      }
    }
    #expect((bytes + [0]).withUnsafeBytes { Checksum.of($0) } != sum)
  }

  @Test func doesNotDependOnTheAddress() {
    let bytes = (0..<200).map { UInt8($0) }
    let sum = bytes.withUnsafeBytes { Checksum.of($0) }
    for shift in 1..<16 {
      let shifted = [UInt8](repeating: 0, count: shift) + bytes
      let moved = shifted.withUnsafeBytes {
        Checksum.of(UnsafeRawBufferPointer(rebasing: $0[shift...]))
      }
      #expect(moved == sum)
    }
  }
}
