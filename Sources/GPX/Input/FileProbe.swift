/// What the first bytes of a file say about it.
struct FileProbe {
  /// How many bytes it takes to tell; fewer only when the file is shorter.
  static let length = 1_024

  /// The kind of file, nil when it may be GPX.
  let kind: GPXFileKind?
  /// Whether the text is UTF-8: by declaration, by its byte order mark, for want of either, or
  /// because the declaration names UTF-16, which single bytes cannot be.
  let isUTF8: Bool

  static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    let head = bytes.prefix(Self.length)
    // Two-byte and four-byte encodings have a NUL or a mark among the first bytes.
    let isWide =
      head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE])
      || head.prefix(4).contains(0)
    if isWide {
      isUTF8 = false
      kind = Self.kind(ofBytes: head)
      return
    }
    let hasMark = head.starts(with: [0xEF, 0xBB, 0xBF])
    let text = String(decoding: head.dropFirst(hasMark ? 3 : 0), as: UTF8.self).lowercased()
    let encoding = Self.declaredEncoding(text)
    isUTF8 =
      hasMark || encoding == nil
      || encoding.map { $0.hasPrefix("utf") || $0.hasPrefix("ucs") || $0 == "us-ascii" } == true
    kind = Self.kind(ofBytes: head) ?? Self.kind(ofText: text)
  }

  private static func kind(ofBytes head: Slice<UnsafeRawBufferPointer>) -> GPXFileKind? {
    let marks: [([UInt8], GPXFileKind)] = [
      ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47], .png), (Array("%PDF".utf8), .pdf),
      ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip),
      (Array("BZh".utf8), .bzip2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], .xz),
      ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
    ]
    if head.isEmpty { return .empty }
    if let match = marks.first(where: { head.starts(with: $0.0) }) { return match.1 }
    if head.dropFirst(8).starts(with: Array(".FIT".utf8)) { return .fit }
    let markup = UInt8(ascii: "<")
    guard !head.contains(markup) else { return nil }
    // UTF-16 without markup is not told apart from bytes: neither is GPX.
    if head.contains(where: { $0 < 0x09 }) { return .binary }
    return nil
  }

  private static func kind(ofText text: String) -> GPXFileKind? {
    let start = text.drop(while: \.isWhitespace)
    switch start.first {
    case nil: return text.utf8.count < length ? .empty : nil
    case "<":
      let isPage = start.hasPrefix("<html") || start.hasPrefix("<!doctype html")
      return isPage ? .html : nil
    case "{", "[": return .json
    case "$": return .nmea
    default: return .text
    }
  }

  /// The value of `encoding` in an XML declaration, in small letters.
  private static func declaredEncoding(_ text: String) -> Substring? {
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"),
      let name = text[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = text[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return value.dropFirst().prefix { $0 != quote }
  }
}
