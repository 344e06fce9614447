/// Where the sections of a city index lie.
///
/// An index is one run of little-endian bytes that is used as it is. The header, 64 bytes, holds the
/// sizes; every offset follows from them, so that none has to be trusted:
///
/// | bytes | content |
/// | --- | --- |
/// | 0 ..< 8 | `FTCITIES` |
/// | 8 ..< 12 | version of the format |
/// | 12 ..< 16 | 0 |
/// | 16 ..< 24 | ``Checksum`` of all bytes from 24 on |
/// | 24 ..< 32 | length of the index in bytes |
/// | 32 ..< 64 | the eight sizes below, 32 bits each |
///
/// Sections start at multiples of 64 bytes: ``CityRecord``s in the order of their keys; the ends of
/// the keys; positions in that order, by id; the leaves and the nodes of the ``BoxTree``; names;
/// keys; then region codes, region names and time zones, each as ends and text.
struct IndexLayout: Equatable {
  static let magic = Array("FTCITIES".utf8)
  static let version: UInt32 = 1
  static let headerCount = 64
  static let alignment = 64
  static let checksumOffset = 16
  static let checkedOffset = 24
  static let maximumCities = 1 << 28

  /// The sizes that the header holds.
  struct Sizes: Equatable {
    var cities: UInt32 = 0
    var nameBytes: UInt32 = 0
    var keyBytes: UInt32 = 0
    var regions: UInt32 = 0
    var regionCodeBytes: UInt32 = 0
    var regionNameBytes: UInt32 = 0
    var zones: UInt32 = 0
    var zoneBytes: UInt32 = 0
  }

  let sizes: Sizes
  let records: Range<Int>
  let keyEnds: Range<Int>
  let byID: Range<Int>
  let leaves: Range<Int>
  let nodes: Range<Int>
  let names: Range<Int>
  let keys: Range<Int>
  let regionCodes: TextListLayout
  let regionNames: TextListLayout
  let zones: TextListLayout
  /// The length of the index in bytes.
  let count: Int

  init(_ sizes: Sizes) {
    var end = Self.headerCount
    func section(_ count: Int) -> Range<Int> {
      let start = (end + Self.alignment - 1) / Self.alignment * Self.alignment
      end = start + count
      return start..<end
    }
    func texts(_ count: UInt32, bytes: UInt32) -> TextListLayout {
      TextListLayout(ends: section(Int(count) * 4), text: section(Int(bytes)))
    }
    let cities = Int(sizes.cities)
    let shape = BoxTree.Shape(points: cities)
    self.sizes = sizes
    records = section(cities * MemoryLayout<CityRecord>.stride)
    keyEnds = section(cities * 4)
    byID = section(cities * 4)
    leaves = section(shape.leaves * MemoryLayout<BoxTree.Leaf>.stride)
    nodes = section(shape.nodes * MemoryLayout<BoxTree.Node>.stride)
    names = section(Int(sizes.nameBytes))
    keys = section(Int(sizes.keyBytes))
    regionCodes = texts(sizes.regions, bytes: sizes.regionCodeBytes)
    regionNames = texts(sizes.regions, bytes: sizes.regionNameBytes)
    zones = texts(sizes.zones, bytes: sizes.zoneBytes)
    count = end
  }
}

/// Where the two sections of a list of texts lie.
struct TextListLayout: Equatable {
  /// The end of each text within ``text``, 32 bits each.
  let ends: Range<Int>
  let text: Range<Int>
}
