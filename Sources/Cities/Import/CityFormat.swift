/// The formats of city data.
enum CityFormat {
  case geoNames
  case json

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first bytes of files that are not city data.
  private static let unsupported: [(start: [UInt8], format: CitiesError.UnsupportedFormat)] = [
    (Array("PK".utf8), .zip), ([0x1F, 0x8B], .gzippedTwice), (Array("BZh".utf8), .bzip2),
    ([0xFD, 0x37, 0x7A], .xz), ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
    (Array("SQLite".utf8), .database), (IndexLayout.magic, .cityIndex), (Array("<".utf8), .markup),
    (Array("{".utf8), .jsonObject),
  ]

  /// The format of data with these first bytes, or `nil` if they are white space.
  ///
  /// - Throws: ``CitiesError/unsupportedInput(_:)``.
  init?(start: some Collection<UInt8>) throws(CitiesError) {
    let text = start.dropFirst(Self.markCount(start))
      .drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.first else { return nil }
    for (start, format) in Self.unsupported where text.starts(with: start) {
      throw .unsupportedInput(format)
    }
    self = first == UInt8(ascii: "[") ? .json : .geoNames
  }

  /// The number of bytes of a byte order mark at the start.
  static func markCount(_ start: some Collection<UInt8>) -> Int {
    start.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  }
}
