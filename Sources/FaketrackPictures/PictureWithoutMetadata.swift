import FaketrackSupport
import Foundation

/// The bytes of a PNG or WebP file without its metadata: places, times, names and comments.
package enum PictureWithoutMetadata {
  /// The parts of a PNG that change how it looks.
  private static let shownParts: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "pHYs",
    "acTL", "fcTL", "fdAT",
  ]

  /// The parts of a WebP file that change how it looks.
  private static let shownChunks: Set<String> = [
    "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP",
  ]

  /// Reads a picture without its metadata; `nil` for a file of another format, a damaged one, or one of more bytes than the limit.
  package static func bytes(contentsOf path: String, limit: Int) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: limit + 1), data.count <= limit
    else { return nil }
    let bytes = [UInt8](data)
    return png(bytes) ?? webP(bytes)
  }

  private static func png(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var result = Array(bytes.prefix(8))
    var position = 8
    while let (name, length) = part(of: bytes, at: position + 4, lengthAt: position, isBig: true) {
      let end = position + 12 + length
      guard end <= bytes.count else { return nil }
      if shownParts.contains(name) { result += bytes[position..<end] }
      if name == "IEND" { return result }
      position = end
    }
    return nil
  }

  private static func webP(_ bytes: [UInt8]) -> [UInt8]? {
    guard let (riff, size) = part(of: bytes, at: 0, lengthAt: 4, isBig: false), riff == "RIFF",
      bytes.dropFirst(8).starts(with: Array("WEBP".utf8)), size + 8 <= bytes.count
    else { return nil }
    var result = Array(bytes.prefix(12))
    var position = 12
    while position < size + 8,
      let (name, length) = part(of: bytes, at: position, lengthAt: position + 4, isBig: false)
    {
      guard position + 8 + length <= bytes.count else { return nil }
      let end = position + 8 + length + length % 2
      if shownChunks.contains(name) {
        let start = result.count
        result += bytes[position..<min(end, bytes.count)]
        // The flags of Exif and XMP.
        if name == "VP8X", length > 0 { result[start + 8] &= ~0x0C }
      }
      position = end
    }
    let shown = UInt32(clamping: result.count - 8)
    for byte in 0..<4 { result[4 + byte] = UInt8(truncatingIfNeeded: shown >> UInt32(8 * byte)) }
    return result
  }

  private static func part(
    of bytes: [UInt8], at name: Int, lengthAt: Int, isBig: Bool
  ) -> (name: String, length: Int)? {
    guard max(name, lengthAt) + 4 <= bytes.count else { return nil }
    let digits = bytes[lengthAt..<lengthAt + 4]
    let length = (isBig ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
    return (String(decoding: bytes[name..<name + 4], as: Unicode.ASCII.self), length)
  }
}
