import FaketrackTestSupport
import Testing

@testable import FaketrackPictures

/// Whole and damaged HEIC, MP4 and MOV files, with all facts in them.
///
/// Sources: ISO/IEC 14496-12, 4.2, 8.2.2 and 8.11; ISO/IEC 23008-12, 6.5 and A.2.1.
@Suite struct PictureBoxTableTests {
  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    PictureFixture.big(number, bytes)
  }

  private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    PictureFixture.box(type, joined(parts))
  }

  /// A box whose length has 8 bytes.
  private static func wideBox(_ type: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    join(big(1, 4), Array(type.utf8), big(length ?? body.count + 16, 8), body)
  }

  private static let ftyp = box("ftyp", Array("heic\0\0\0\0mif1".utf8))
  private static let tiff = exifData(image: [.shorts(0x0112, [6])])
  /// The number of bytes before the Exif data, and the data: 36 bytes.
  private static let item = join(big(6, 4), Array("Exif\0\0".utf8), tiff)

  // MARK: HEIC

  /// A file whose item is at position 28, and whose list of parts is at position 64.
  private static func heic(_ parts: [UInt8]..., item: [UInt8]? = nil) -> [UInt8] {
    join(ftyp, box("mdat", item ?? Self.item), box("meta", [0, 0, 0, 0], joined(parts)))
  }

  private static func info(_ name: String, _ id: Int, version: UInt8 = 2) -> [UInt8] {
    let number = big(id, version == 3 ? 4 : 2)
    return box("infe", [version, 0, 0, 0], number, [0, 0], Array("\(name)\0".utf8))
  }

  private static func infos(_ infos: [UInt8]..., version: UInt8 = 0) -> [UInt8] {
    let count = big(infos.count, version == 0 ? 2 : 4)
    return box("iinf", [version, 0, 0, 0], count, joined(infos))
  }

  /// The place of an item.
  ///
  /// - Parameter widths: the bytes of the offset, the length, the base and the index, a digit each.
  private static func place(
    version: Int = 0, widths: Int = 0x4400, id: Int = 7, method: Int = 0, base: Int = 0,
    offset: Int = 28, length: Int = 36
  ) -> [UInt8] {
    let width = version < 2 ? 2 : 4
    let start = join(big(version << 24, 4), big(widths, 2), big(1, width), big(id, width))
    let source = join(version == 0 ? [] : big(method, 2), [0, 0])
    let extents = join(big(base, widths >> 4 & 0xF), [0, 1])
    let index: [UInt8] = version == 0 ? [] : big(1, widths & 0xF)
    return box(
      "iloc", start, source, extents, index, big(offset, widths >> 12),
      big(length, widths >> 8 & 0xF))
  }

  private static let exif = infos(info("Exif", 7))
  private static let whole = heic(exif, place())
  private static let last = whole.count - place().count
  private static let body = Array(whole.dropFirst(72))
  private static let data = box("idat", item)
  private static let extents = join([255, 255], [UInt8](repeating: 0, count: 80))
  private static let nested = (0..<500).reduce([UInt8]()) { inner, _ in box("meta", inner) }

  static let pictures: [(String, [UInt8], Bool)] = [
    ("whole", whole, true), ("version 1", heic(exif, place(version: 1)), true),
    ("index", heic(exif, place(version: 1, widths: 0x4404)), true),
    (
      "version 2",
      heic(infos(info("Exif", 70_000, version: 3), version: 1), place(version: 2, id: 70_000)), true
    ),
    ("8 bytes", heic(exif, place(widths: 0x8880, base: 20, offset: 8)), true),
    ("no offset", heic(exif, place(widths: 0x0440, base: 28)), true),
    ("idat", heic(exif, place(version: 1, method: 1, offset: 0), data), true),
    ("places first", heic(place(), exif), true),
    ("primary item", heic(box("pitm", [0, 0, 0, 0, 0, 1]), exif, place()), true),
    ("no name", heic(exif, place(length: 30), item: join([0, 0, 0, 0], tiff)), true),
    ("two items", heic(infos(info("hvc1", 1), info("Exif", 7), info("Exif", 8)), place()), true),
    ("meta of size 0", whole.changed(at: 64, to: [0, 0, 0, 0]), true),
    ("wide meta", join(Array(whole.prefix(64)), wideBox("meta", body)), true),
    ("sequence", join(whole, box("moov", created)), true),
    ("place of size 0", whole.changed(at: last, to: [0, 0, 0, 0]), true),
    ("nested boxes", join(ftyp, box("meta", [0, 0, 0, 0], nested)), false),
    ("no parts", heic(), false), ("cut version", join(ftyp, box("meta", [0, 0])), false),
    ("no idat", heic(exif, place(version: 1, method: 1, offset: 0)), false),
    ("idat cut", heic(exif, place(version: 1, method: 1, offset: 99), data), false),
    ("method 2", heic(exif, place(version: 1, method: 2)), false),
    ("offset beyond the end", heic(exif, place(offset: 0xFFFF_FFFF)), false),
    ("length beyond the end", heic(exif, place(length: 5_000)), false),
    ("negative offset", heic(exif, place(widths: 0x8800, offset: -1)), false),
    ("overflow", heic(exif, place(widths: 0x8880, base: .max)), false),
    ("far", heic(exif, place(version: 1, widths: 0x8400, method: 1, offset: .max), data), false),
    ("widths of 2", heic(exif, place(widths: 0x2200)), false),
    ("no widths", heic(exif, place(widths: 0)), false),
    ("other place", heic(exif, place(id: 8)), false), ("no place", heic(exif), false),
    ("cut place", heic(exif, box("iloc", [0, 0])), false), ("no infos", heic(place()), false),
    ("no items", heic(infos(), place()), false), ("cut infos", heic(box("iinf", [0])), false),
    ("old info", heic(infos(info("Exif", 7, version: 1)), place()), false),
    ("other item", heic(infos(info("hvc1", 7)), place()), false),
    (
      "extents beyond the box",
      heic(exif, box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 2, 0, 8, 0, 0], extents)), false
    ),
    ("start beyond the item", heic(exif, place(), item: item.changed(at: 0, to: [255])), false),
    ("start at the end", heic(exif, place(), item: item.changed(at: 3, to: [32])), false),
    ("item of 3 bytes", heic(exif, place(length: 3)), false),
    ("infos of size 0", whole.changed(at: 76, to: [0, 0, 0, 0]), false),
    ("infos of size 7", whole.changed(at: 76, to: [0, 0, 0, 7]), false),
    ("infos beyond the meta", whole.changed(at: 76, to: [0, 0, 1, 0]), false),
    ("place beyond the meta", whole.changed(at: last, to: [0, 0, 0, 31]), false),
  ]

  @Test(arguments: pictures)
  func aHEICHasExactlyItsFacts(_ name: String, bytes: [UInt8], isTurned: Bool) throws {
    try expectFacts(of: bytes, .heic) { $0.orientation = isTurned ? 6 : 1 }
  }

  // MARK: Videos

  private static func movie(_ seconds: Int, version: Int = 0) -> [UInt8] {
    box("mvhd", big(version << 24, 4), big(seconds, version == 1 ? 8 : 4), big(0, 8))
  }

  private static func video(_ parts: [UInt8]...) -> [UInt8] {
    join(ftyp, box("moov", joined(parts)))
  }

  /// 799,322,531 seconds after the beginning of 2001.
  private static let created = movie(3_860_474_531)
  private static let keys = box(
    "keys", [0, 0, 0, 0, 0, 0, 0, 1],
    box("mdta", Array("com.apple.quicktime.location.ISO6709".utf8)))

  /// The user data of a movie with a position.
  private static func userData(_ text: String) -> [UInt8] {
    let body = join(big(text.utf8.count, 2), [0x15, 0xC7], Array(text.utf8))
    return box("udta", big(body.count + 8, 4), [0xA9, 120, 121, 122], body)
  }

  static let videos: [(String, [UInt8], Double?)] = [
    ("version 0", video(created), 799_322_531),
    ("version 1", video(movie(3_860_474_531, version: 1)), 799_322_531),
    ("2001", video(movie(3_061_152_000)), 0), ("1904", video(movie(1)), -3_061_151_999),
    ("latest", video(movie(0xFFFF_FFFF)), 1_233_815_295), ("unset clock", video(movie(0)), nil),
    ("too late", video(movie(0x100_0000_0000, version: 1)), nil),
    ("negative", video(movie(-1, version: 1)), nil), ("no header", video(), nil),
    ("header in a track", video(box("trak", created)), nil),
    ("two headers", video(created, movie(1)), 799_322_531),
    ("cut header", video(box("mvhd", [0, 0, 0, 0, 1, 1, 1])), nil),
    ("empty header", video(box("mvhd"), box("free", [1, 1, 1, 1])), nil),
    ("movie first", join(box("moov", created), box("mdat", [1, 2, 3])), 799_322_531),
    ("wide data", join(ftyp, wideBox("mdat", [1, 2, 3]), box("moov", created)), 799_322_531),
    ("movie of size 0", join(ftyp, [0, 0, 0, 0], Array("moov".utf8), created), 799_322_531),
    ("broken position", video(created, userData("+91-/")), 799_322_531),
    ("keys", video(created, box("meta", keys)), 799_322_531),
  ]

  @Test(arguments: videos)
  func aVideoHasItsCreationTime(_ name: String, bytes: [UInt8], seconds: Double?) throws {
    try expectFacts(of: bytes, .video) {
      $0.cameraTime = seconds
      if seconds != nil { $0.offset = 0 }
    }
  }

  // MARK: All boxes

  @Test(arguments: [whole, videos[0].1, videos[1].1, pictures[3].1, pictures[6].1])
  func damageIsHarmless(_ bytes: [UInt8]) { readDamaged(bytes) }

  @Test(
    arguments: [
      ftyp, join(box("trak"), box("moov", created)),
      join(ftyp.changed(at: 0, to: [255]), box("meta")),
      join(ftyp.changed(at: 0, to: [0, 0, 0, 0]), box("meta")),
      whole.changed(at: 64, to: [0, 0, 0, 7]), whole.changed(at: 64, to: [0, 0, 0, 99]),
      join(ftyp, wideBox("meta", [], length: 15)), join(ftyp, wideBox("meta", [], length: 17)),
      join(ftyp, wideBox("meta", [], length: -1)), join(ftyp, wideBox("meta", [], length: .max)),
      join(ftyp, [0, 0, 0, 1], Array("meta\0\0\0".utf8)),
    ] as [[UInt8]])
  func aFileWithoutAPictureIsRefused(_ bytes: [UInt8]) { expectNoPicture(bytes) }

  @Test func theFirst4096BoxesAreRead() throws {
    let boxes = joined([[UInt8]](repeating: Self.box("free"), count: 4_094))
    try expectFacts(of: join(Self.ftyp, boxes, Self.box("meta")), .heic) { _ in }
    expectNoPicture(join(Self.ftyp, boxes, Self.box("free"), Self.box("meta")))
  }
}
