import FaketrackSupport

/// The titles of pictures that people wrote.
enum PictureTitle {
  /// The maximum number of characters.
  static let limit = 200
  /// The maximum number of bytes that are looked at.
  private static let byteLimit = 4_096

  /// Returns a title on one line; `nil` for an empty one, and for text that cameras and programs write.
  static func title(_ text: String) -> String? {
    let start = String(decoding: text.utf8.prefix(byteLimit), as: UTF8.self)
    let words = start.split {
      $0.isWhitespace || $0.unicodeScalars.first?.properties.generalCategory == .control
    }
    let title = words.joined(separator: " ")
    guard title.contains(where: { !$0.isASCII || $0.isLetter || $0.isNumber }),
      !isAutomatic(title.lowercased())
    else { return nil }
    return title.count > limit ? title.prefix(limit - 1) + "…" : title
  }

  /// Decodes a text in UTF-8 or, as older programs write it, in ISO Latin 1.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func isAutomatic(_ text: String) -> Bool {
    automatic.contains(text) || automaticEnds.contains { text.hasSuffix($0) }
      || text.wholeMatch(of: #/screen ?shot(\P{L}|at|am|pm)*/#) != nil
  }

  /// Descriptions that cameras, phones and programs write into every picture, in lowercase.
  private static let automatic: Set<String> = [
    "ascii", "bty", "btf", "cof", "created with gimp", "created with the gimp", "dav", "dcim",
    "default", "digimax", "edf", "exif_jpeg", "exif_jpeg_picture", "fhdr", "hdr", "hdrpl", "image",
    "jpeg", "jpeg image", "mde", "my image", "oznor", "oznorco", "photo", "picture", "qrf", "rbt",
    "rhdr", "rpt", "samsung", "samsung camera pictures", "sdr", "sony dsc", "unknown", "untitled",
  ]

  private static let automaticEnds = ["digital camera", "digital still camera"]
}

/// The caption in the records of IPTC that a JPEG file holds.
///
/// Sources: IPTC-NAA Information Interchange Model, version 4.2; Adobe's "Photoshop File Formats".
enum IPTCCaption {
  /// The records with the headline, the caption and the name of the picture, in this order.
  private static let records: [UInt8] = [105, 120, 5]

  /// - Parameter segment: the body of a segment of a JPEG file for applications.
  /// - Returns: the texts, best first; none for a segment with other data.
  static func texts(inSegment segment: ArraySlice<UInt8>) -> [String] {
    guard segment.starts(with: Array("Photoshop 3.0\0".utf8)) else { return [] }
    var rest = segment.dropFirst(14)
    // A name of an even length with its count, and data of an even length, too.
    while rest.starts(with: Array("8BIM".utf8)), rest.count >= 12 {
      let id = number(rest.dropFirst(4).prefix(2))
      let name = Int(rest[rest.startIndex + 6]) / 2 * 2 + 2
      let header = rest.dropFirst(6 + name)
      guard header.count >= 4 else { return [] }
      let size = number(header.prefix(4))
      let body = header.dropFirst(4)
      if id == 0x0404 { return texts(inRecords: body.prefix(size)) }
      rest = body.dropFirst(size + size % 2)
    }
    return []
  }

  private static func texts(inRecords bytes: ArraySlice<UInt8>) -> [String] {
    var texts: [UInt8: String] = [:]
    var rest = bytes
    while rest.count >= 5, rest.first == 0x1C {
      let (group, record) = (rest[rest.startIndex + 1], rest[rest.startIndex + 2])
      let size = number(rest.dropFirst(3).prefix(2))
      let body = rest.dropFirst(5)
      // Records of 32 KB and more hold no captions.
      guard size < 0x8000, size <= body.count else { break }
      if group == 2, texts[record] == nil { texts[record] = PictureTitle.text(body.prefix(size)) }
      rest = body.dropFirst(size)
    }
    return records.compactMap { texts[$0] }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
