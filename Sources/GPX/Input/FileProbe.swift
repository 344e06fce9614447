/// The kind and encoding of a file, by its first bytes.
struct FileProbe {
  /// The number of bytes that a probe needs; a shorter file is probed whole.
  static let length = 1_024

  /// The kind of file, nil if it may be GPX.
  let kind: GPXFileKind?
  /// Whether the text is UTF-8: by its declaration, by its byte order mark, because it has neither,
  /// or because the declaration names UTF-16 although the file consists of single bytes.
  let isUTF8: Bool
  /// The white space before an XML declaration, where XML has none; empty if there is none.
  let leadingSpace: Range<Int>

  static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    let head = bytes.prefix(Self.length)
    let signature = Self.kind(ofSignature: head)
    // Two-byte and four-byte encodings have a NUL or a byte order mark among the first bytes.
    let isWide =
      head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE])
      || head.prefix(4).contains(0)
    guard signature == nil, !isWide else {
      kind = signature ?? (Self.isBinary(head) ? .binary : nil)
      isUTF8 = false
      leadingSpace = 0..<0
      return
    }
    let hasMark = head.starts(with: [0xEF, 0xBB, 0xBF])
    let content = head.dropFirst(hasMark ? 3 : 0)
    let space = content.prefix { " \t\n\r".utf8.contains($0) }
    let isDeclared = head[space.endIndex...].starts(with: "<?xml ".utf8)
    leadingSpace = isDeclared ? space.startIndex..<space.endIndex : 0..<0
    let text = String(decoding: content, as: UTF8.self).lowercased()
    let encoding = Self.declaredEncoding(text.drop(while: \.isWhitespace)) ?? "utf-8"
    isUTF8 =
      hasMark || encoding.hasPrefix("utf") || encoding.hasPrefix("ucs") || encoding == "us-ascii"
    kind = Self.isBinary(head) ? .binary : Self.kind(ofText: text)
  }

  private static func kind(ofSignature head: Slice<UnsafeRawBufferPointer>) -> GPXFileKind? {
    let signatures: [(offset: Int, bytes: [UInt8], kind: GPXFileKind)] = [
      (0, [0xFF, 0xD8, 0xFF], .jpeg), (0, [0x89, 0x50, 0x4E, 0x47], .png),
      (0, Array("%PDF".utf8), .pdf), (0, [0x50, 0x4B, 0x03, 0x04], .zip),
      (0, [0x50, 0x4B, 0x05, 0x06], .zip), (0, Array("BZh".utf8), .bzip2),
      (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A], .xz), (0, [0x28, 0xB5, 0x2F, 0xFD], .zstandard),
      (0, Array("MsRcf".utf8), .gdb), (8, Array(".FIT".utf8), .fit),
      (257, Array("ustar\0".utf8), .tar), (257, Array("ustar  \0".utf8), .tar),
    ]
    if head.isEmpty { return .empty }
    let match = signatures.first { head.dropFirst($0.offset).starts(with: $0.bytes) }?.kind
    // The names of the files in an archive are not compressed; in lower case they have this bit.
    let names = head.map { $0 | 0x20 }
    return match == .zip && names.contains(Array(".kml".utf8)) ? .kmz : match
  }

  /// Whether there are control characters and no markup, as in UTF-16 without markup.
  private static func isBinary(_ head: Slice<UnsafeRawBufferPointer>) -> Bool {
    !head.contains(UInt8(ascii: "<")) && head.contains { $0 < 0x09 }
  }

  private static func kind(ofText text: String) -> GPXFileKind? {
    let start = text.drop(while: \.isWhitespace)
    switch start.first {
    case nil: return text.utf8.count < length ? .empty : nil
    case "<":
      let isPage = start.hasPrefix("<html") || start.hasPrefix("<!doctype html")
      return isPage ? .html : nil
    case "{", "[":
      let isCollection = start.contains("\"featurecollection\"") || start.contains("\"features\"")
      return isCollection ? .geoJSON : .json
    case "$": return .nmea
    case "o" where start.hasPrefix("oziexplorer "): return .ozi
    // The manufacturer of the logger, then the date of the flight.
    case "a" where start.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("hfdte") }:
      return .igc
    default: return isTable(start) ? .csv : .text
    }
  }

  /// Whether the first line names columns for latitude and longitude.
  private static func isTable(_ text: Substring) -> Bool {
    let line = text.prefix { !$0.isNewline }
    let columns = line.split { ",;\t".contains($0) }.map { column in
      column.filter { $0 != "\"" && !$0.isWhitespace }
    }
    return columns.contains { $0 == "lat" || $0 == "latitude" }
      && columns.contains { ["lon", "lng", "long", "longitude"].contains($0) }
  }

  /// The value of `encoding` in an XML declaration, in lower case.
  private static func declaredEncoding(_ text: Substring) -> Substring? {
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"),
      let name = text[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = text[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return value.dropFirst().prefix { $0 != quote }
  }
}
