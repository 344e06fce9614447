/// What imported data is, by its first bytes.
enum InputForm {
  case table
  case json

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// What files that people mistake for city data start with.
  private static let unsupported: [(start: [UInt8], name: String)] = [
    (Array("PK".utf8), "a zip archive, to be unpacked first"),
    ([0x1F, 0x8B], "gzipped twice"),
    (Array("BZh".utf8), "compressed by bzip2"),
    ([0xFD, 0x37, 0x7A], "compressed by xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"),
    (Array("SQLite".utf8), "a database"),
    (IndexLayout.magic, "a city index already"),
    (Array("<".utf8), "a web page or XML"),
    (Array("{".utf8), "a JSON object, not an array"),
  ]

  /// The form of data that starts so, or `nil` for nothing but white space.
  ///
  /// - Throws: ``CitiesError/unsupportedInput(found:)``.
  init?(start: [UInt8]) throws(CitiesError) {
    let text = start.dropFirst(start.starts(with: Self.byteOrderMark) ? 3 : 0)
      .drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.first else { return nil }
    for (start, name) in Self.unsupported where text.starts(with: start) {
      throw .unsupportedInput(found: name)
    }
    self = first == UInt8(ascii: "[") ? .json : .table
  }
}
