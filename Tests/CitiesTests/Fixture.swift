import Foundation
import Testing

@testable import Cities

/// Files of expected answers. `Fixtures/make-fixtures` makes them, except for `spellings.tsv`.
enum Fixture {
  /// The columns of each line.
  static func rows(_ name: String) throws -> [[String]] {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "tsv", subdirectory: "Fixtures"))
    return try Data(contentsOf: url).split(separator: 0x0A).map { line in
      line.split(separator: 0x09, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// A number that changes with each of the numbers and with their order.
  static func fingerprint(_ numbers: some Sequence<Int>) -> UInt64 {
    numbers.reduce(0) {
      $0 &* 6_364_136_223_846_793_005 &+ UInt64($1) &+ 1_442_695_040_888_963_407
    }
  }
}

/// A directory that is deleted after the test.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

extension CityIndex {
  /// An index of these cities, written to a file and opened.
  static func of(_ cities: [City]) throws -> CityIndex {
    let directory = try TemporaryDirectory()
    var builder = CityIndexBuilder()
    for city in cities { try builder.add(city) }
    let url = directory.file("cities.bin")
    try builder.write(to: url)
    return try CityIndex(contentsOf: url)
  }
}

/// The bytes of an index with the checksum that fits them.
///
/// - Parameter version: the version of the format in its header; `nil` leaves the version as it is.
func sealed(_ bytes: [UInt8], version: UInt8? = nil) -> [UInt8] {
  var bytes = bytes
  if let version { bytes[8] = version }
  let sum = bytes[24...].withUnsafeBytes { Checksum.of($0) }
  withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange(16..<24, with: $0) }
  return bytes
}

/// The places of the sections within the bytes of an index.
struct SectionPlaces {
  let records, byID, leaves, nodes, treeRows, lowestInLeaves, lowestInNodes, longNames: Range<Int>
  let nameRows, shortestPrefixes, nameBlockEnds, nameBlocks: Range<Int>
  let regionCodeEnds, regionCodes, regionNameEnds, regionNames, zoneEnds, zones: Range<Int>

  /// The places in the order of the file.
  var all: [Range<Int>] {
    [
      records, byID, leaves, nodes, treeRows, lowestInLeaves, lowestInNodes, longNames, nameRows,
      shortestPrefixes, nameBlockEnds, nameBlocks, regionCodeEnds, regionCodes, regionNameEnds,
      regionNames, zoneEnds, zones,
    ]
  }

  init(_ bytes: UnsafeRawBufferPointer) throws {
    try self.init(bytes, IndexHeader(bytes, path: ""))
  }

  init(_ bytes: UnsafeRawBufferPointer, _ header: IndexHeader) throws {
    let sections = try #require(IndexSections(bytes, header))
    let start = try #require(bytes.baseAddress)
    func place<T>(_ section: UnsafeBufferPointer<T>) throws -> Range<Int> {
      let offset = UnsafeRawPointer(try #require(section.baseAddress)) - start
      return offset..<offset + section.count * MemoryLayout<T>.stride
    }
    records = try place(sections.records)
    byID = try place(sections.byID)
    leaves = try place(sections.tree.leaves)
    nodes = try place(sections.tree.nodes)
    treeRows = try place(sections.tree.rows)
    lowestInLeaves = try place(sections.tree.lowestInLeaves)
    lowestInNodes = try place(sections.tree.lowestInNodes)
    longNames = try place(sections.longNames)
    nameRows = try place(sections.names.rows)
    shortestPrefixes = try place(sections.names.shortestPrefixes)
    nameBlockEnds = try place(sections.names.blocks.ends)
    nameBlocks = try place(sections.names.blocks.text)
    regionCodeEnds = try place(sections.regionCodes.ends)
    regionCodes = try place(sections.regionCodes.text)
    regionNameEnds = try place(sections.regionNames.ends)
    regionNames = try place(sections.regionNames.text)
    zoneEnds = try place(sections.zones.ends)
    zones = try place(sections.zones.text)
  }
}
