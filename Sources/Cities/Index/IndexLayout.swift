/// Where the sections of a city index lie.
///
/// An index is one run of little-endian bytes that is used without conversion. Its header of 68
/// bytes holds the sizes, from which every offset follows, so that no stored offset has to be
/// trusted:
///
/// | bytes | content |
/// | --- | --- |
/// | 0 ..< 8 | `FTCITIES` |
/// | 8 ..< 12 | version of the format |
/// | 12 ..< 16 | 0 |
/// | 16 ..< 24 | ``Checksum`` of all bytes from 24 on |
/// | 24 ..< 32 | length of the index in bytes |
/// | 32 ..< 68 | the nine sizes below, 32 bits each |
///
/// Sections start at multiples of 64 bytes: the ``CityRecord``s, the most populous first; the rows
/// sorted by id; the leaves, the nodes, the rows and the lowest rows of the ``BoxTree``; the names that
/// are too long for their records; the rows, the shortest prefixes, the ends of the blocks and the text
/// of the ``NameList``; then region codes, region names and time zones, each as ends and text.
struct IndexLayout: Equatable {
  static let magic = Array("FTCITIES".utf8)
  static let version: UInt32 = 3
  static let headerCount = 68
  static let alignment = 64
  static let checksumOffset = 16
  static let checkedOffset = 24
  static let maximumCities = 1 << 28

  /// The sizes that the header holds.
  struct Sizes: Equatable {
    var cities: UInt32 = 0
    /// Those of the names that are too long for their records.
    var longNameBytes: UInt32 = 0
    /// All names of all cities.
    var names: UInt32 = 0
    var nameBytes: UInt32 = 0
    var regions: UInt32 = 0
    var regionCodeBytes: UInt32 = 0
    var regionNameBytes: UInt32 = 0
    var zones: UInt32 = 0
    var zoneBytes: UInt32 = 0
  }

  /// Where the two sections of a ``TextList`` lie.
  struct Texts: Equatable {
    /// The end of each text within ``text``, 32 bits each.
    let ends: Range<Int>
    let text: Range<Int>
  }

  let sizes: Sizes
  let records: Range<Int>
  let byID: Range<Int>
  let leaves: Range<Int>
  let nodes: Range<Int>
  let treeRows: Range<Int>
  let lowestInLeaves: Range<Int>
  let lowestInNodes: Range<Int>
  let longNames: Range<Int>
  let nameRows: Range<Int>
  let shortestPrefixes: Range<Int>
  let names: Texts
  let regionCodes: Texts
  let regionNames: Texts
  let zones: Texts
  /// The length of the index in bytes.
  let count: Int

  init(_ sizes: Sizes) {
    var end = Self.headerCount
    func section(_ count: Int) -> Range<Int> {
      let start = (end + Self.alignment - 1) / Self.alignment * Self.alignment
      end = start + count
      return start..<end
    }
    func texts(_ count: UInt32, bytes: UInt32) -> Texts {
      Texts(ends: section(Int(count) * 4), text: section(Int(bytes)))
    }
    let cities = Int(sizes.cities)
    let shape = BoxTree.Shape(points: cities)
    self.sizes = sizes
    records = section(cities * MemoryLayout<CityRecord>.stride)
    byID = section(cities * 4)
    leaves = section(shape.leaves * MemoryLayout<BoxTree.Leaf>.stride)
    nodes = section(shape.nodes * MemoryLayout<BoxTree.Node>.stride)
    treeRows = section(cities * 4)
    lowestInLeaves = section(shape.leaves * 4)
    lowestInNodes = section(shape.nodes * 4)
    longNames = section(Int(sizes.longNameBytes))
    let nameCount = Int(sizes.names)
    nameRows = section(nameCount * 4)
    shortestPrefixes = section(nameCount)
    let blocks = (nameCount + NameList.blockSize - 1) / NameList.blockSize
    names = texts(UInt32(blocks), bytes: sizes.nameBytes)
    regionCodes = texts(sizes.regions, bytes: sizes.regionCodeBytes)
    regionNames = texts(sizes.regions, bytes: sizes.regionNameBytes)
    zones = texts(sizes.zones, bytes: sizes.zoneBytes)
    count = end
  }
}

extension IndexLayout {
  /// Reads a header and checks it against the length of the index; constant time.
  ///
  /// - Throws: ``CitiesError`` that names `path`.
  init(header bytes: UnsafeRawBufferPointer, path: String) throws(CitiesError) {
    guard bytes.count >= Self.magic.count, bytes.prefix(Self.magic.count).elementsEqual(Self.magic)
    else { throw .notAnIndex(path: path) }
    guard bytes.count >= Self.headerCount else {
      throw .damaged(path: path, reason: "it ends within its header")
    }
    func number(_ offset: Int) -> UInt32 {
      bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
    }
    guard number(8) == Self.version else {
      throw .unsupportedVersion(
        path: path, found: Int(number(8)), supported: Int(Self.version))
    }
    let length = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self).littleEndian
    guard length == UInt64(bytes.count) else {
      throw .damaged(path: path, reason: "it is \(bytes.count) bytes long, not \(length)")
    }
    let sizes = Sizes(
      cities: number(32), longNameBytes: number(36), names: number(40), nameBytes: number(44),
      regions: number(48), regionCodeBytes: number(52), regionNameBytes: number(56),
      zones: number(60), zoneBytes: number(64))
    guard number(12) == 0, sizes.cities > 0, sizes.cities <= Self.maximumCities else {
      throw .damaged(path: path, reason: "its header contradicts itself")
    }
    self.init(sizes)
    guard count == bytes.count else {
      throw .damaged(path: path, reason: "its header contradicts itself")
    }
  }

  /// The checksum that a header holds.
  static func checksum(in bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt64.self).littleEndian
  }

  /// Writes the header, whose checksum covers the sections that are already in place.
  func writeHeader(to bytes: UnsafeMutableRawBufferPointer) {
    func put<T: FixedWidthInteger>(_ value: T, at offset: Int) {
      bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
    for (offset, byte) in Self.magic.enumerated() { put(byte, at: offset) }
    put(Self.version, at: 8)
    put(UInt32(0), at: 12)
    put(UInt64(count), at: 24)
    let numbers = [
      sizes.cities, sizes.longNameBytes, sizes.names, sizes.nameBytes, sizes.regions,
      sizes.regionCodeBytes, sizes.regionNameBytes, sizes.zones, sizes.zoneBytes,
    ]
    for (position, number) in numbers.enumerated() { put(number, at: 32 + 4 * position) }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[Self.checkedOffset...])
    put(Checksum.of(checked), at: Self.checksumOffset)
  }
}
