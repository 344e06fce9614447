/// The header of a city index, format 5.
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
/// | 32 ..< 68 | the properties of this type |
///
/// The sections follow in the order of ``IndexSections``, each at a multiple of 64 bytes.
struct IndexHeader: Equatable, BitwiseCopyable {
  static let magic = Array("FTCITIES".utf8)
  static let version: UInt32 = 5
  /// The version before, without the further keys of names. Its ``NameList/shortestPrefixes`` are unsigned.
  static let formerVersion: UInt32 = 4
  /// The length of the header in bytes.
  static let count = 68
  static let alignment = 64
  static let checksumOffset = 16
  static let checkedOffset = 24
  static let maximumCities = 1 << 28
  static let contradiction = "its header contradicts itself"

  var cities: UInt32
  /// The bytes of the names that are too long for their records.
  var longNameBytes: UInt32
  /// The number of names of all cities, alternate names included.
  var names: UInt32
  var nameBytes: UInt32
  var regions: UInt32
  var regionCodeBytes: UInt32
  var regionNameBytes: UInt32
  var zones: UInt32
  var zoneBytes: UInt32
}

extension IndexHeader {
  /// Reads a header and checks it against the length of the index; constant time.
  ///
  /// - Throws: ``CitiesError`` that names `path`.
  init(
    _ bytes: UnsafeRawBufferPointer, path: String, version expected: UInt32 = Self.version
  ) throws(CitiesError) {
    guard bytes.starts(with: Self.magic) else { throw .notAnIndex(path: path) }
    guard bytes.count >= Self.count else {
      throw .damaged(path: path, reason: "it ends within its header")
    }
    func number<T: BitwiseCopyable>(_ offset: Int) -> T {
      bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    }
    let version: UInt32 = number(8)
    guard version == expected else {
      throw .unsupportedVersion(path: path, found: Int(version), supported: Int(expected))
    }
    let length: UInt64 = number(24)
    guard length == UInt64(bytes.count) else {
      throw .damaged(path: path, reason: "it is \(bytes.count) bytes long, not \(length)")
    }
    let reserved: UInt32 = number(12)
    self = number(32)
    guard reserved == 0, 1...Self.maximumCities ~= Int(cities) else {
      throw .damaged(path: path, reason: Self.contradiction)
    }
  }

  static func checksum(in bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt64.self)
  }

  /// Writes the header of an index whose sections are in place.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.copyBytes(from: Self.magic)
    bytes.storeBytes(of: Self.version, toByteOffset: 8, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
    bytes.storeBytes(of: UInt64(bytes.count), toByteOffset: 24, as: UInt64.self)
    bytes.storeBytes(of: self, toByteOffset: 32, as: Self.self)
    let checked = UnsafeRawBufferPointer(rebasing: bytes[Self.checkedOffset...])
    bytes.storeBytes(of: Checksum.of(checked), toByteOffset: Self.checksumOffset, as: UInt64.self)
  }
}
