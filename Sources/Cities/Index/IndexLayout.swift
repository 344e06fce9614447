/// The header and the section offsets of a city index, format 3.
///
/// An index is one run of little-endian bytes that is used without conversion. Its header of 68
/// bytes holds the sizes that determine every offset, so no stored offset has to be trusted:
///
/// | bytes | content |
/// | --- | --- |
/// | 0 ..< 8 | `FTCITIES` |
/// | 8 ..< 12 | version of the format |
/// | 12 ..< 16 | 0 |
/// | 16 ..< 24 | ``Checksum`` of all bytes from 24 on |
/// | 24 ..< 32 | length of the index in bytes |
/// | 32 ..< 68 | the ``Sizes`` |
///
/// The sections follow in the order of ``Section``, each at a multiple of 64 bytes.
struct IndexLayout: Equatable {
  static let magic = Array("FTCITIES".utf8)
  static let version: UInt32 = 3
  static let headerCount = 68
  static let alignment = 64
  static let checksumOffset = 16
  static let checkedOffset = 24
  static let maximumCities = 1 << 28

  /// The sizes of the variable parts, as the header stores them.
  struct Sizes: Equatable, BitwiseCopyable {
    var cities: UInt32 = 0
    /// The bytes of the names that are too long for their records.
    var longNameBytes: UInt32 = 0
    /// The number of names of all cities, alternate names included.
    var names: UInt32 = 0
    var nameBytes: UInt32 = 0
    var regions: UInt32 = 0
    var regionCodeBytes: UInt32 = 0
    var regionNameBytes: UInt32 = 0
    var zones: UInt32 = 0
    var zoneBytes: UInt32 = 0
  }

  /// The sections in the order of the file; ``IndexSections`` describes their content.
  enum Section: Int, CaseIterable {
    case records, byID
    case leaves, nodes, treeRows, lowestInLeaves, lowestInNodes
    case longNames, nameRows, shortestPrefixes, nameBlockEnds, nameBlocks
    case regionCodeEnds, regionCodes, regionNameEnds, regionNames, zoneEnds, zones
  }

  let sizes: Sizes
  private let ranges: [Range<Int>]

  /// The length of the index in bytes.
  var count: Int { self[.zones].upperBound }

  subscript(section: Section) -> Range<Int> { ranges[section.rawValue] }

  init(_ sizes: Sizes) {
    self.sizes = sizes
    let (cities, names) = (Int(sizes.cities), Int(sizes.names))
    let shape = BoxTree.Shape(points: cities)
    let blocks = (names + NameList.blockSize - 1) / NameList.blockSize
    let byteCounts = [
      cities * MemoryLayout<CityRecord>.stride, cities * 4,
      shape.leaves * MemoryLayout<BoxTree.Leaf>.stride,
      shape.nodes * MemoryLayout<BoxTree.Node>.stride,
      cities * 4, shape.leaves * 4, shape.nodes * 4,
      Int(sizes.longNameBytes), names * 4, names, blocks * 4, Int(sizes.nameBytes),
      Int(sizes.regions) * 4, Int(sizes.regionCodeBytes),
      Int(sizes.regions) * 4, Int(sizes.regionNameBytes),
      Int(sizes.zones) * 4, Int(sizes.zoneBytes),
    ]
    var end = Self.headerCount
    ranges = byteCounts.map { count in
      let start = (end + Self.alignment - 1) / Self.alignment * Self.alignment
      end = start + count
      return start..<end
    }
  }

  /// Reads a header and checks it against the length of the index; constant time.
  ///
  /// - Throws: ``CitiesError`` that names `path`.
  init(header bytes: UnsafeRawBufferPointer, path: String) throws(CitiesError) {
    guard bytes.starts(with: Self.magic) else { throw .notAnIndex(path: path) }
    guard bytes.count >= Self.headerCount else { throw .damaged(path: path, .truncatedHeader) }
    func number<T: BitwiseCopyable>(_ offset: Int) -> T {
      bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    }
    let version: UInt32 = number(8)
    guard version == Self.version else {
      throw .unsupportedVersion(path: path, found: Int(version), supported: Int(Self.version))
    }
    let length: UInt64 = number(24)
    guard length == UInt64(bytes.count) else {
      throw .wrongLength(path: path, found: bytes.count, expected: length)
    }
    let reserved: UInt32 = number(12)
    let sizes: Sizes = number(32)
    guard reserved == 0, 1...Self.maximumCities ~= Int(sizes.cities) else {
      throw .damaged(path: path, .contradictoryHeader)
    }
    self.init(sizes)
    guard count == bytes.count else { throw .damaged(path: path, .contradictoryHeader) }
  }

  /// The checksum that a header holds.
  static func checksum(in bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt64.self)
  }

  /// Writes the header, whose checksum covers the sections that are already in place.
  func writeHeader(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.copyBytes(from: Self.magic)
    bytes.storeBytes(of: Self.version, toByteOffset: 8, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
    bytes.storeBytes(of: UInt64(count), toByteOffset: 24, as: UInt64.self)
    bytes.storeBytes(of: sizes, toByteOffset: 32, as: Sizes.self)
    let checked = UnsafeRawBufferPointer(rebasing: bytes[Self.checkedOffset...])
    bytes.storeBytes(of: Checksum.of(checked), toByteOffset: Self.checksumOffset, as: UInt64.self)
  }
}
