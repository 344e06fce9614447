import FaketrackCompression
import FaketrackSupport
import Foundation

/// A JPEG, PNG or WebP file without its metadata: places, times, names, comments and thumbnails. The
/// orientation and the color profile stay.
///
/// The file is read where it is needed, so that a large picture takes no memory.
package final class PictureWithoutMetadata: Sendable {
  fileprivate enum Part {
    /// A range of the file.
    case file(Range<Int>)
    case bytes([UInt8])

    var count: Int {
      switch self {
      case .file(let range): range.count
      case .bytes(let bytes): bytes.count
      }
    }
  }

  /// The parts of a PNG that change how it looks.
  private static let shownParts: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI",
    "sBIT", "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
  ]

  /// The parts of a WebP file that change how it looks.
  private static let shownChunks: Set<String> = [
    "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP",
  ]

  /// The maximum number of parts of a file.
  private static let limit = 262_144
  /// The maximum number of bytes of a JPEG file, which is searched for the ends of its scans.
  private static let jpegLimit = 1 << 30

  /// The number of bytes.
  package let size: Int
  let facts: PictureFacts
  private let file: PictureFile
  private let parts: [Part]

  /// Opens a picture; `nil` for a file of another format, a damaged one, and a JPEG of more than 1 GiB.
  ///
  /// - Parameter keepsOrientation: whether a program that shows the picture can turn it.
  package init?(contentsOf path: String, keepsOrientation: Bool = true) {
    guard let file = try? PictureFile(path), let facts = try? PictureFacts(file.bytes) else {
      return nil
    }
    let orientation = keepsOrientation ? facts.orientation : 1
    let parts: [Part]? =
      switch facts.kind {
      case .jpeg where file.size > Self.jpegLimit: nil
      case .jpeg: Self.jpeg(file.bytes, orientation)
      case .png: Self.png(file.bytes, orientation)
      case .webp: Self.webP(file.bytes, orientation)
      case .heic, .video: nil
      }
    guard let parts else { return nil }
    (self.file, self.facts, self.parts) = (file, facts, parts)
    size = parts.reduce(0) { $0 + $1.count }
  }

  /// Returns the bytes from a position on, as many as are wanted and there are.
  ///
  /// - Parameter count: at most 1 MiB.
  /// - Throws: ``FileError`` if the file cannot be read, or has become shorter.
  package func bytes(at position: Int, upTo count: Int) throws(FileError) -> [UInt8] {
    var (skipped, result) = (position, [UInt8]())
    for part in parts where result.count < count {
      let length = min(part.count - skipped, count - result.count)
      if length > 0 {
        switch part {
        case .bytes(let bytes): result += bytes[skipped..<skipped + length]
        case .file(let range):
          guard let bytes = file.bytes.bytes(at: range.lowerBound + skipped, count: length) else {
            throw FileError(path: "the picture", code: EIO)
          }
          result += bytes
        }
      }
      skipped = max(0, skipped - part.count)
    }
    return result
  }

  /// All bytes; `nil` for more than the limit, and for a file that can't be read.
  package func bytes(limit: Int) -> [UInt8]? {
    guard size <= limit else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while bytes.count < size {
      guard let piece = try? self.bytes(at: bytes.count, upTo: PictureBytes.limit) else {
        return nil
      }
      bytes += piece
    }
    return bytes
  }

  /// Exif data with an orientation alone, from their TIFF header on.
  private static func exif(_ orientation: Int) -> [UInt8] {
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
      + [UInt8(orientation), 0, 0, 0, 0, 0, 0]
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
  }

  // MARK: Formats

  private static func jpeg(_ file: PictureBytes, _ orientation: Int) -> [Part]? {
    var parts = [Part.file(0..<2)]
    if orientation != 1 {
      let exif = Array("Exif\0\0".utf8) + exif(orientation)
      parts.append(.bytes([0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif))
    }
    var hasData = false
    for (number, segment) in JPEGSegments(file).enumerated() {
      guard number < limit else { return nil }
      hasData = hasData || segment.marker == 0
      if isShown(segment, file) { parts.append(segment.range) }
    }
    return hasData ? parts : nil
  }

  /// Whether a segment changes how a picture looks.
  private static func isShown(_ segment: JPEGSegments.Element, _ file: PictureBytes) -> Bool {
    let start = segment.range.lowerBound + 4
    switch segment.marker {
    // Its header alone, without a thumbnail.
    case 0xE0: return segment.range.count == 18
    case 0xE2: return file.text(at: start, count: 11) == "ICC_PROFILE"
    // The colors of Adobe's programs.
    case 0xEE: return file.text(at: start, count: 5) == "Adobe"
    case 0xE1...0xEF, 0xFE: return false
    default: return true
    }
  }

  private static func png(_ file: PictureBytes, _ orientation: Int) -> [Part]? {
    var parts = [Part.file(0..<8)]
    var position = 8
    for _ in 0..<limit {
      guard let length = file.number(at: position, bytes: 4),
        let name = file.text(at: position + 4, count: 4),
        case let end = position + 12 + length, end <= file.size
      else { return nil }
      if shownParts.contains(name) { parts.append(position..<end) }
      if name == "IHDR", orientation != 1 {
        let body = Array("eXIf".utf8) + exif(orientation)
        let checksum = Int(Gzip.checksum(body))
        parts.append(.bytes(bigEndian(body.count - 4) + body + bigEndian(checksum)))
      }
      if name == "IEND" { return parts }
      position = end
    }
    return nil
  }

  private static func webP(_ file: PictureBytes, _ orientation: Int) -> [Part]? {
    func number(at position: Int) -> Int? {
      file.number(at: position, bytes: 4).map { Int(UInt32($0).byteSwapped) }
    }
    guard let size = number(at: 4), size + 8 <= file.size else { return nil }
    var parts: [Part] = []
    var position = 12
    var hasPicture = false
    for _ in 0..<limit where position < size + 8 {
      guard let name = file.text(at: position, count: 4), let length = number(at: position + 4),
        position + 8 + length <= file.size
      else { return nil }
      let end = min(position + 8 + length + length % 2, file.size)
      hasPicture = hasPicture || ["VP8 ", "VP8L", "ANMF"].contains(name)
      if name == "VP8X",
        var bytes = file.bytes(at: position, count: end - position).map(Array.init),
        bytes.count > 8
      {
        // The flags of Exif and XMP.
        bytes[8] = bytes[8] & ~0x0C | (orientation == 1 ? 0 : 0x08)
        parts.append(.bytes(bytes))
      } else if shownChunks.contains(name) {
        parts.append(position..<end)
      }
      // The byte that follows an odd number of bytes may be missing at the end.
      if shownChunks.contains(name), end < position + 8 + length + length % 2 {
        parts.append(.bytes([0]))
      }
      position = end
    }
    guard hasPicture, position >= size + 8 else { return nil }
    if orientation != 1 {
      let exif = exif(orientation)
      parts.append(.bytes(Array("EXIF".utf8) + bigEndian(exif.count).reversed() + exif))
    }
    let shown = 4 + parts.reduce(0) { $0 + $1.count }
    let header = Array("RIFF".utf8) + bigEndian(shown).reversed() + Array("WEBP".utf8)
    return [.bytes(header)] + parts
  }
}

extension [PictureWithoutMetadata.Part] {
  /// Appends a range of the file.
  fileprivate mutating func append(_ range: Range<Int>) {
    if case .file(let last) = self.last, last.upperBound == range.lowerBound {
      self[count - 1] = .file(last.lowerBound..<range.upperBound)
    } else {
      append(.file(range))
    }
  }
}
