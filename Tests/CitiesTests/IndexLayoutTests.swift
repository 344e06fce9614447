import FaketrackSupport
import Testing

@testable import Cities

@Suite struct IndexLayoutTests {
  private func sizes(cities: UInt32) -> IndexLayout.Sizes {
    IndexLayout.Sizes(
      cities: cities, longNameBytes: cities, names: cities * 5, nameBytes: cities * 30, regions: 3,
      regionCodeBytes: 15, regionNameBytes: 31, zones: 2, zoneBytes: 27)
  }

  @Test(arguments: [1, 7, 8, 9, 64, 65, 1_000, 234_908] as [UInt32])
  func sectionsFollowEachOtherAtMultiplesOf64(cities: UInt32) {
    let layout = IndexLayout(sizes(cities: cities))
    var end = IndexLayout.headerCount
    for section in IndexLayout.Section.allCases.map({ layout[$0] }) {
      #expect(section.lowerBound.isMultiple(of: 64))
      #expect(section.lowerBound >= end)
      #expect(section.lowerBound - end < 64)
      end = section.upperBound
    }
    #expect(layout.count == end)
    #expect(layout[.records].count == Int(cities) * 40)
    #expect(layout[.leaves].count >= Int(cities) * 8)
    #expect(layout[.treeRows].count == Int(cities) * 4)
    #expect(layout[.nameRows].count == Int(cities) * 20)
    #expect(layout[.nameBlockEnds].count == (Int(cities) * 5 + 15) / 16 * 4)
  }

  @Test(arguments: [1, 8, 9, 513] as [UInt32]) func readsTheHeaderThatItWrites(cities: UInt32)
    throws
  {
    let layout = IndexLayout(sizes(cities: cities))
    var bytes = [UInt8](repeating: 0xAB, count: layout.count)
    bytes.withUnsafeMutableBytes { layout.writeHeader(to: $0) }
    let read = try bytes.withUnsafeBytes { try IndexLayout(header: $0, path: "p") }
    #expect(read == layout)
    let checksum = bytes.withUnsafeBytes { IndexLayout.checksum(in: $0) }
    #expect(checksum == bytes[24...].withUnsafeBytes { Checksum.of($0) })
    #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "FTCITIES")
    #expect(Array(bytes[8..<16]) == [3, 0, 0, 0, 0, 0, 0, 0])
    #expect(bytes.dropFirst(68).allSatisfy { $0 == 0xAB })
  }

  /// The largest header must be refused for its size, not computed into an overflow.
  @Test func sizesThatNoFileHasAreRefused() {
    var bytes = [UInt8](repeating: 0xFF, count: 68)
    bytes.replaceSubrange(0..<8, with: IndexLayout.magic)
    bytes.replaceSubrange(8..<12, with: [3, 0, 0, 0])
    bytes.replaceSubrange(24..<32, with: [68, 0, 0, 0, 0, 0, 0, 0])
    #expect(throws: CitiesError.damaged(path: "p", .contradictoryHeader)) {
      try bytes.withUnsafeBytes { try IndexLayout(header: $0, path: "p") }
    }
    // The greatest number of cities that is allowed.
    bytes.replaceSubrange(12..<16, with: [0, 0, 0, 0])
    bytes.replaceSubrange(32..<36, with: [0, 0, 0, 0x10])
    #expect(throws: CitiesError.damaged(path: "p", .contradictoryHeader)) {
      try bytes.withUnsafeBytes { try IndexLayout(header: $0, path: "p") }
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
