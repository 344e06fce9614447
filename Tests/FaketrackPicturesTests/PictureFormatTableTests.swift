import FaketrackTestSupport
import Testing

@testable import FaketrackPictures

/// Whole and damaged JPEG, PNG and WebP files, with all facts in them.
///
/// Sources: ITU-T T.81, annex B; the PNG specification, third edition, 5 and 11; the WebP container
/// specification.
@Suite struct PictureFormatTableTests {
  /// The contents of a file, apart from its format.
  struct Content: OptionSet, Sendable {
    let rawValue: Int
    /// Exif data with the orientation 6.
    static let turn = Content(rawValue: 1)
    /// A size of 300 by 200 pixels as stored.
    static let size = Content(rawValue: 2)
    static let damage = Content(rawValue: 4)
    static let all: Content = [turn, size]
  }

  private func check(_ bytes: [UInt8], _ kind: PictureFacts.Kind, _ content: Content) throws {
    try expectFacts(of: bytes, kind) {
      let size = PictureSize(width: 300, height: 200)
      if content.contains(.turn) { $0.orientation = 6 }
      if content.contains(.size) { $0.size = content.contains(.turn) ? size?.turned : size }
      if content.contains(.damage) { $0.issues = ["its Exif data are damaged"] }
    }
  }

  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    PictureFixture.big(number, bytes)
  }

  private static let tiff = exifData(image: [.shorts(0x0112, [6])])
  private static let otherTIFF = exifData(image: [.shorts(0x0112, [3])])
  private static let name = Array("Exif\0\0".utf8)

  // MARK: JPEG

  private static func frame(_ width: Int, _ height: Int, marker: UInt8 = 0xC0) -> [UInt8] {
    jpegSegment(marker, join([8], big(height, 2), big(width, 2), [1, 1, 0x11, 0]))
  }

  private static let exif = exifSegment(tiff)
  private static let picture = frame(300, 200)
  private static let scan = jpegSegment(0xDA, [1, 1, 0, 0, 63, 0])
  private static let end: [UInt8] = [0xFF, 0xD9]
  private static let jpeg = jpegFile(exif, picture, scan, end)
  private static let xmp = jpegSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
  private static let fill = [UInt8](repeating: 0xFF, count: 1_024)

  static let jpegs: [(String, [UInt8], Content)] = [
    ("whole", jpeg, .all), ("no segments", jpegFile(end), []), ("cut", jpegFile([255]), []),
    ("fill bytes", jpegFile([255], exif, fill, picture), .all),
    ("length 0", jpegFile(exif, [0xFF, 0xE0, 0, 0], picture), .turn),
    ("length 1", jpegFile(exif, [0xFF, 0xE0, 0, 1], picture), .turn),
    ("length 2", jpegFile([0xFF, 0xE0, 0, 2], exif, picture), .all),
    ("length beyond the end", jpegFile(exif, [0xFF, 0xE0, 0xFF, 0xFF], picture), .turn),
    ("cut Exif", jpegFile(Array(exif.dropLast())), []),
    ("two Exif segments", jpegFile(exif, exifSegment(otherTIFF), picture), .all),
    ("damaged Exif first", jpegFile(exifSegment([77, 77]), exif), .damage),
    ("empty Exif", jpegFile(exifSegment([]), picture), [.damage, .size]),
    ("others", jpegFile(xmp, jpegSegment(0xE1, [69]), jpegSegment(0xFE, []), exif), .turn),
    ("other name", jpegFile(jpegSegment(0xE1, join(name.changed(at: 5, to: [1]), tiff))), []),
    ("other marker", jpegFile(jpegSegment(0xE2, join(name, tiff))), []),
    ("no lengths", jpegFile([255, 1, 255, 0xD0, 255, 0xD8], exif), .turn),
    ("byte between segments", jpegFile(exif, [0], picture), .turn),
    ("marker 0", jpegFile(exif, [255, 0], picture), .turn),
    ("early end", jpegFile(exif, end, picture), .turn),
    ("Exif behind the scan", jpegFile(picture, scan, exif), .size),
    ("size behind the scan", jpegFile(exif, scan, picture), .turn),
    ("two sizes", jpegFile(picture, frame(3, 2)), .size),
    ("short frame", jpegFile(jpegSegment(0xC0, [8, 0, 2, 0, 3]), picture), .size),
    ("width 0", jpegFile(frame(0, 200), scan), []), ("height 0", jpegFile(frame(300, 0), scan), []),
  ]

  @Test(arguments: jpegs)
  func aJPEGHasExactlyItsFacts(_ name: String, bytes: [UInt8], content: Content) throws {
    try check(bytes, .jpeg, content)
  }

  @Test(arguments: 0xC0...0xCF as ClosedRange<UInt8>) func aFrameHasTheSize(marker: UInt8) throws {
    let isFrame = ![0xC4, 0xC8, 0xCC].contains(marker)
    try check(jpegFile(Self.frame(300, 200, marker: marker)), .jpeg, isFrame ? .size : [])
  }

  @Test func aCutJPEGHasTheFactsOfItsWholeSegments() throws {
    let exifEnd = 2 + Self.exif.count
    for count in 3...Self.jpeg.count {
      let content: Content =
        count < exifEnd ? [] : count < exifEnd + Self.picture.count ? .turn : .all
      try check(Array(Self.jpeg.prefix(count)), .jpeg, content)
    }
    #expect(throws: UnreadablePicture(reason: "the file is empty")) {
      try PictureFacts(PictureBytes([]))
    }
  }

  // MARK: PNG

  /// - Parameter length: a length in place of the true one.
  private static func chunk(_ type: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    join(big(length ?? body.count, 4), Array(type.utf8), body, [0, 0, 0, 0])
  }

  private static func header(_ width: Int, _ height: Int) -> [UInt8] {
    chunk("IHDR", join(big(width, 4), big(height, 4), [8, 2, 0, 0, 0]))
  }

  private static func png(_ chunks: [UInt8]...) -> [UInt8] {
    join([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], joined(chunks))
  }

  private static let ihdr = header(300, 200)
  private static let exifChunk = chunk("eXIf", tiff)
  private static let idat = chunk("IDAT", [1, 2, 3])
  private static let iend = chunk("IEND", [])

  static let pngs: [(String, [UInt8], Content)] = [
    ("whole", png(ihdr, exifChunk, idat, iend), .all), ("signature", png(), []),
    ("Exif behind the picture", png(ihdr, idat, exifChunk, iend), .all),
    ("Exif behind the end", png(ihdr, iend, exifChunk), .size),
    ("Exif before the header", png(exifChunk, ihdr), .all),
    ("other chunk first", png(chunk("pHYs", [0, 0, 9, 9, 0, 0, 9, 9, 1]), ihdr, exifChunk), .all),
    ("no end", png(ihdr, exifChunk), .all), ("no header", png(iend), []),
    ("cut header", png(Array(ihdr.prefix(15))), []),
    ("length beyond the end", png(ihdr, chunk("eXIf", tiff, length: 5_000), iend), .size),
    ("length 2³¹", png(ihdr, chunk("tEXt", [65, 0], length: 0x8000_0000), exifChunk), .size),
    ("length 2³² − 1", png(ihdr, chunk("eXIf", tiff, length: 0xFFFF_FFFF), exifChunk), .size),
    ("two Exif chunks", png(ihdr, exifChunk, chunk("eXIf", otherTIFF)), .all),
    ("empty Exif", png(chunk("eXIf", []), exifChunk), .damage),
    ("Exif as in JPEG", png(chunk("eXIf", join(name, tiff))), .damage),
    ("other type", png(ihdr, chunk("exIf", tiff)), .size),
    ("width 0", png(header(0, 200), exifChunk), .turn), ("huge", png(header(-1, 1)), []),
  ]

  @Test(arguments: pngs)
  func aPNGHasExactlyItsFacts(_ name: String, bytes: [UInt8], content: Content) throws {
    try check(bytes, .png, content)
  }

  // MARK: WebP

  /// - Parameter length: a length in place of the true one.
  private static func part(_ type: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    let size = Array(big(length ?? body.count, 4).reversed())
    return join(Array(type.utf8), size, body, body.count % 2 == 1 ? [0] : [])
  }

  private static func webP(_ parts: [UInt8]..., size: Int? = nil) -> [UInt8] {
    part("RIFF", join(Array("WEBP".utf8), joined(parts)), length: size)
  }

  private static let lossy = part("VP8 ", [0x10, 0, 0, 0x9D, 1, 0x2A, 44, 1, 200, 0])
  private static let small = part("VP8 ", [0x10, 0, 0, 0x9D, 1, 0x2A, 3, 0, 2, 0])
  private static let flat = part("VP8 ", [0x10, 0, 0, 0x9D, 1, 0x2A, 0, 0, 2, 0])
  private static let delta = part("VP8 ", [0x11, 0, 0, 1, 2, 3, 44, 1, 200, 0])
  /// 299 and 199 in 14 bits each, the lowest first.
  private static let lossless = part("VP8L", [0x2F, 0x2B, 0xC1, 0x31, 0])
  private static let extended = part("VP8X", [8, 0, 0, 0, 0x2B, 1, 0, 199, 0, 0])
  private static let exifPart = part("EXIF", tiff)
  private static let odd = part("ICCP", [1, 2, 3])

  static let webPs: [(String, [UInt8], Content)] = [
    ("lossy", webP(lossy, exifPart), .all), ("lossless", webP(lossless, exifPart), .all),
    ("extended", webP(extended, odd, small, exifPart), .all),
    ("Exif first", webP(exifPart, extended), .all), ("no parts", webP(), []),
    ("Exif as in JPEG", webP(lossy, part("EXIF", join(name, tiff))), .all),
    ("no padding", webP(lossy, Array(odd.dropLast()), exifPart), .size),
    ("cut padding", Array(webP(lossy, part("EXIF", join(tiff, [0]))).dropLast()), .all),
    ("size beyond the end", webP(lossy, exifPart, size: 0xFFFF_FFFF), .all),
    ("length beyond the end", webP(lossy, part("EXIF", tiff, length: 5_000)), .size),
    ("length 2³¹", webP(lossy, part("ICCP", [1], length: 0x8000_0000), exifPart), .size),
    ("length 2³² − 1", webP(lossy, part("ICCP", [1], length: 0xFFFF_FFFF), exifPart), .size),
    ("two Exif parts", webP(exifPart, part("EXIF", otherTIFF)), .turn),
    ("empty Exif", webP(part("EXIF", []), exifPart), .damage),
    ("start of Exif", webP(part("EXIF", name)), .damage),
    ("other type", webP(lossy, part("Exif", tiff)), .size), ("cut part", webP([69, 88]), []),
    ("width 0", webP(flat), []), ("no key frame", webP(delta), []),
    ("cut size", webP(part("VP8X", [8, 0, 0, 0])), []),
  ]

  @Test(arguments: webPs)
  func aWebPHasExactlyItsFacts(_ name: String, bytes: [UInt8], content: Content) throws {
    try check(bytes, .webp, content)
  }

  // MARK: All formats

  @Test(arguments: [jpegs[0].1, pngs[0].1, webPs[0].1, webPs[1].1, webPs[2].1])
  func damageIsHarmless(_ bytes: [UInt8]) { readDamaged(bytes) }

  @Test(
    arguments: [
      [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFE], Array(png().prefix(7)),
      png().changed(at: 4, to: [10]), png().changed(at: 1, to: [81]), Array(webP().prefix(11)),
      webP().changed(at: 8, to: [87, 65, 86, 69]),
    ] as [[UInt8]])
  func otherFilesAreRefused(_ bytes: [UInt8]) { expectNoPicture(bytes) }
}
