extension IndexLayout {
  /// Reads a header and checks it against the number of bytes there are; constant time.
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
    self.init(
      Sizes(
        cities: number(32), nameBytes: number(36), keyBytes: number(40), regions: number(44),
        regionCodeBytes: number(48), regionNameBytes: number(52), zones: number(56),
        zoneBytes: number(60)))
    guard number(12) == 0, sizes.cities > 0, sizes.cities <= Self.maximumCities,
      count == bytes.count
    else { throw .damaged(path: path, reason: "its header contradicts itself") }
  }

  /// The checksum that a header holds.
  static func checksum(in bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt64.self).littleEndian
  }

  /// Writes the header of finished sections, with their checksum.
  func writeHeader(to bytes: UnsafeMutableRawBufferPointer) {
    func put<T: FixedWidthInteger>(_ value: T, at offset: Int) {
      bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
    for (offset, byte) in Self.magic.enumerated() { put(byte, at: offset) }
    put(Self.version, at: 8)
    put(UInt32(0), at: 12)
    put(UInt64(count), at: 24)
    let numbers = [
      sizes.cities, sizes.nameBytes, sizes.keyBytes, sizes.regions, sizes.regionCodeBytes,
      sizes.regionNameBytes, sizes.zones, sizes.zoneBytes,
    ]
    for (position, number) in numbers.enumerated() { put(number, at: 32 + 4 * position) }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[Self.checkedOffset...])
    put(Checksum.of(checked), at: Self.checksumOffset)
  }
}
