import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackPictures

@Suite struct PictureSizeTests {
  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    PictureFixture.big(number, bytes)
  }

  /// A JPEG file with its metadata, and a picture of this size behind a table.
  private static func jpeg(
    _ width: Int, _ height: Int, orientation: Int = 1, marker: UInt8 = 0xC0
  ) -> [UInt8] {
    var fixture = PictureFixture()
    fixture.orientation = orientation
    let table: [UInt8] = [0xFF, 0xC4, 0, 3, 0]
    let frame = [0xFF, marker, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
    return fixture.jpeg.dropLast(12) + table + frame + fixture.jpeg.suffix(12) as [UInt8]
  }

  private static func png(_ width: Int, _ height: Int, orientation: Int = 1) -> [UInt8] {
    var fixture = PictureFixture()
    fixture.orientation = orientation
    return fixture.png.prefix(16) + big(width, 4) + big(height, 4) + fixture.png.dropFirst(24)
  }

  private static func webP(_ chunk: String, _ body: [UInt8], orientation: Int = 1) -> [UInt8] {
    var fixture = PictureFixture()
    fixture.orientation = orientation
    var first = Array(chunk.utf8) + big(body.count, 4).reversed() + body
    if body.count % 2 == 1 { first.append(0) }
    return fixture.webP.prefix(12) + first + fixture.webP.dropFirst(24)
  }

  private static func canvas(_ width: Int, _ height: Int) -> [UInt8] {
    [0, 0, 0, 0] + big(width - 1, 3).reversed() + big(height - 1, 3).reversed()
  }

  /// A HEIC file with pictures of these sizes, and a turn in quarters.
  private static func heic(_ sizes: [(Int, Int)], turn: UInt8? = nil) -> [UInt8] {
    var fixture = PictureFixture()
    // Decoders turn by the format alone.
    fixture.orientation = 6
    fixture.properties =
      sizes.flatMap { PictureFixture.box("ispe", [0, 0, 0, 0] + big($0.0, 4) + big($0.1, 4)) }
      + (turn.map { PictureFixture.box("irot", [$0]) } ?? [])
    return fixture.heic
  }

  private static let tiles = [(512, 512), (4_032, 3_024), (320, 240)]

  static let files: [(name: String, bytes: [UInt8], width: Int, height: Int)] = [
    ("JPEG", jpeg(3_000, 2_000), 3_000, 2_000),
    ("progressive JPEG", jpeg(3_000, 2_000, marker: 0xC2), 3_000, 2_000),
    ("mirrored JPEG", jpeg(3_000, 2_000, orientation: 4), 3_000, 2_000),
    ("turned JPEG", jpeg(3_000, 2_000, orientation: 5), 2_000, 3_000),
    ("PNG", png(3, 2), 3, 2), ("turned PNG", png(3, 2, orientation: 8), 2, 3),
    ("large WebP", webP("VP8X", canvas(16_000, 9)), 16_000, 9),
    ("turned WebP", webP("VP8X", canvas(3, 2), orientation: 6), 2, 3),
    // Made by libwebp, of 3 by 2 pixels.
    ("lossy WebP", webP("VP8 ", [0x90, 1, 0, 0x9D, 1, 0x2A, 3, 0, 2, 0]), 3, 2),
    ("lossy WebP with scales", webP("VP8 ", [0x90, 1, 0, 0x9D, 1, 0x2A, 3, 0x40, 2, 0x80]), 3, 2),
    ("lossless WebP", webP("VP8L", [0x2F, 2, 0x40, 0, 0]), 3, 2),
    ("HEIC", heic(tiles), 4_032, 3_024),
    ("HEIC by 90 degrees", heic(tiles, turn: 1), 3_024, 4_032),
    ("HEIC by 180 degrees", heic(tiles, turn: 2), 4_032, 3_024),
    ("HEIC by 270 degrees", heic(tiles, turn: 3), 3_024, 4_032),
  ]

  @Test(arguments: files) func readsTheSizeOfTheUprightPicture(
    _ file: (name: String, bytes: [UInt8], width: Int, height: Int)
  ) throws {
    let size = try #require(try PictureFacts(PictureBytes(file.bytes)).size, "\(file.name)")
    #expect(size == PictureSize(width: file.width, height: file.height), "\(file.name)")
    #expect(size.ratio == Double(file.width) / Double(file.height))
  }

  @Test(
    arguments: [
      ("JPEG without a picture", PictureFixture().jpeg), ("JPEG with zero lines", jpeg(3, 0)),
      ("PNG without a size", PictureFixture().png), ("huge PNG", png(65_536, 1)),
      ("PNG of overflowing lengths", png(-1, -1)),
      ("huge WebP", webP("VP8X", canvas(1 << 24, 1))),
      ("lossy WebP without a key frame", webP("VP8 ", [0x90, 1, 0, 1, 2, 3, 3, 0, 2, 0])),
      ("lossless WebP without its sign", webP("VP8L", [0x2E, 2, 0x40, 0, 0])),
      ("HEIC without properties", PictureFixture().heic),
      ("HEIC without pixels", heic([(0, 4), (4, 70_000)])),
      ("video", PictureFixture.video(Date(timeIntervalSince1970: 1_777_622_531))),
    ] as [(String, [UInt8])])
  func unknownAndImpossibleSizesAreLeftOut(_ name: String, bytes: [UInt8]) throws {
    #expect(try PictureFacts(PictureBytes(bytes)).size == nil, "\(name)")
  }

  @Test(arguments: files) func cutOffAndChangedFilesAreReadAsFarAsTheyGo(
    _ file: (name: String, bytes: [UInt8], width: Int, height: Int)
  ) {
    for index in file.bytes.indices {
      var changed = file.bytes
      changed[index] ^= 0xFF
      for bytes in [Array(file.bytes.prefix(index)), changed] {
        guard let size = (try? PictureFacts(PictureBytes(bytes)))?.size else { continue }
        #expect((1...65_535).contains(size.width) && (1...65_535).contains(size.height))
      }
    }
  }
}
