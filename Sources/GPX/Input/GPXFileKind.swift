/// The kind of a file that is not GPX.
public enum GPXFileKind: Hashable, Sendable {
  case empty
  case html
  case kml
  case tcx
  case json
  case fit
  case nmea
  case zip
  case bzip2
  case xz
  case zstandard
  case jpeg
  case png
  case pdf
  /// XML with another root element; what follows the root has not been read.
  case xml(root: String)
  /// Text without markup.
  case text
  /// Bytes of an unknown kind.
  case binary

  /// The kind of an XML document, by the local name of its root element.
  init(root: String) {
    switch root.lowercased() {
    case "html": self = .html
    case "kml": self = .kml
    case "trainingcenterdatabase": self = .tcx
    default: self = .xml(root: root)
    }
  }
}

extension GPXFileKind: CustomStringConvertible {
  /// `a ZIP archive`.
  public var description: String {
    switch self {
    case .empty: "an empty file"
    case .html: "a web page (HTML)"
    case .kml: "KML"
    case .tcx: "a Garmin training file (TCX)"
    case .json: "JSON"
    case .fit: "a FIT file"
    case .nmea: "an NMEA log"
    case .zip: "a ZIP archive"
    case .bzip2: "bzip2 data"
    case .xz: "xz data"
    case .zstandard: "Zstandard data"
    case .jpeg: "a JPEG image"
    case .png: "a PNG image"
    case .pdf: "a PDF document"
    case .xml(let root): "XML with the root element <\(root)>"
    case .text: "plain text"
    case .binary: "binary data"
    }
  }

  /// How to get GPX instead.
  var recoverySuggestion: String {
    switch self {
    case .empty: "Export or download the track again."
    case .html: "The download saved a web page, perhaps a log-in; download the track itself."
    case .kml: "Convert it: gpsbabel -i kml -f in.kml -o gpx -F out.gpx"
    case .tcx: "Convert it: gpsbabel -i gtrnctr -f in.tcx -o gpx -F out.gpx"
    case .fit: "Convert it: gpsbabel -i garmin_fit -f in.fit -o gpx -F out.gpx"
    case .nmea: "Convert it: gpsbabel -i nmea -f in.nmea -o gpx -F out.gpx"
    case .zip: "Unpack it with unzip and use the .gpx file in it."
    case .bzip2: "Unpack it with bunzip2."
    case .xz: "Unpack it with xz -d."
    case .zstandard: "Unpack it with zstd -d."
    case .json, .jpeg, .png, .pdf, .xml, .text, .binary: "Give a GPX 1.0 or 1.1 file."
    }
  }
}

/// What the first bytes of a file tell about it.
struct FileProbe {
  /// How many bytes a probe needs; a shorter file is probed whole.
  static let length = 1_024

  /// The kind of file, nil if it may be GPX.
  let kind: GPXFileKind?
  /// Whether the text is UTF-8: by its declaration, by its byte order mark, because it has neither, or
  /// because the declaration names UTF-16 although the file consists of single bytes.
  let isUTF8: Bool

  static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    let head = bytes.prefix(Self.length)
    // Two-byte and four-byte encodings have a NUL or a byte order mark among the first bytes.
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
    let signatures: [([UInt8], GPXFileKind)] = [
      ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47], .png), (Array("%PDF".utf8), .pdf),
      ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip),
      (Array("BZh".utf8), .bzip2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], .xz),
      ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
    ]
    if head.isEmpty { return .empty }
    if let match = signatures.first(where: { head.starts(with: $0.0) }) { return match.1 }
    if head.dropFirst(8).starts(with: Array(".FIT".utf8)) { return .fit }
    guard !head.contains(UInt8(ascii: "<")) else { return nil }
    // UTF-16 text without markup lands here too; either way it is not GPX.
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

  /// The value of `encoding` in an XML declaration, in lower case.
  private static func declaredEncoding(_ text: String) -> Substring? {
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"),
      let name = text[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = text[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return value.dropFirst().prefix { $0 != quote }
  }
}
