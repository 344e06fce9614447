import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackPictures

@Suite struct PictureWithoutMetadataTests {
  private let home: TemporaryHome
  private let fixture: PictureFixture

  init() throws {
    home = try TemporaryHome()
    var fixture = PictureFixture(original: "2026:05:01 10:10:00")
    fixture.artist = "Ada Walker"
    self.fixture = fixture
  }

  private func stripped(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8]? {
    try home.file("picture", Data(bytes))
    return PictureWithoutMetadata(contentsOf: home.path("picture"))?.bytes(limit: limit)
  }

  @Test func onlyThePictureStays() throws {
    for bytes in [fixture.jpeg, fixture.png, fixture.webP] {
      let result = try #require(try stripped(bytes))
      #expect(result.count < bytes.count)
      #expect(!String(decoding: result, as: UTF8.self).contains("Ada"))
      let facts = try PictureFacts(PictureBytes(result))
      #expect(facts.artist == nil && facts.cameraTime == nil)
      #expect(try stripped(result) == result)
    }
  }

  @Test func theHeaderOfAWebPTellsTheSizeAndNoMetadata() throws {
    let flags: [UInt8] = Array("VP8X".utf8) + [10, 0, 0, 0, 0x1C] + [UInt8](repeating: 0, count: 9)
    let bytes = Array(fixture.webP.prefix(12)) + flags + fixture.webP.dropFirst(12)
    let result = try #require(try stripped(bytes))
    #expect(result[20] == 0x10)
    // Unknown chunks, and bytes after the file, stay out.
    let unknown = bytes + Array("NOTE".utf8) + [4, 0, 0, 0] + Array("Home".utf8)
    #expect(try stripped(unknown) == result)
    #expect(Int(result[4]) | Int(result[5]) << 8 == result.count - 8)
  }

  @Test func damagedAndLargeFilesAreRefused() throws {
    #expect(try stripped(fixture.heic) == nil)
    #expect(try stripped(Array(fixture.jpeg.prefix(fixture.jpeg.count - 13))) == nil)
    #expect(try stripped(fixture.png, limit: 40) == nil)
    for bytes in [fixture.png, fixture.webP] {
      #expect(try stripped(Array(bytes.dropLast(bytes.count / 2))) == nil)
    }
    #expect(PictureWithoutMetadata(contentsOf: home.path("none")) == nil)
  }

  @Test func damagedFilesAreClosed() throws {
    try home.file("picture", Data(fixture.png.prefix(60)))
    let before = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    for _ in 0..<200 {
      #expect(PictureWithoutMetadata(contentsOf: home.path("picture")) == nil)
    }
    // Other tests open files too.
    let after = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    #expect(after < before + 150)
  }

  @Test func aWebPWithoutAPictureIsRefused() throws {
    #expect(try stripped(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBP".utf8)) == nil)
    // The byte behind an odd number of bytes is missing at the end of some files.
    let odd = Array("RIFF".utf8) + [15, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [3, 0, 0, 0, 1, 2, 3]
    #expect(try stripped(odd) == odd.replacingSize(16) + [0])
  }

  @Test func theOrientationStays() throws {
    var fixture = fixture
    fixture.orientation = 6
    let flags: [UInt8] = Array("VP8X".utf8) + [10, 0, 0, 0, 0x0C] + [UInt8](repeating: 0, count: 9)
    let webP = Array(fixture.webP.prefix(12)) + flags + fixture.webP.dropFirst(12)
    for bytes in [fixture.jpeg, fixture.png, webP] {
      let result = try #require(try stripped(bytes))
      #expect(!String(decoding: result, as: UTF8.self).contains("Ada"))
      #expect(try PictureFacts(PictureBytes(result)).orientation == 6)
      #expect(try stripped(result) == result)
    }
    #expect(try stripped(webP)?[20] == 0x08)
  }

  @Test func ofAJPEGTheProfileAndTheScansStay() throws {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(body.count + 2)] + body
    }
    let header = segment(0xE0, Array("JFIF".utf8) + [UInt8](repeating: 0, count: 10))
    let profile = segment(0xE2, Array("ICC_PROFILE\0profile".utf8))
    let adobe = segment(0xEE, Array("Adobe".utf8))
    // Fill bytes may precede each marker.
    let scan = segment(0xDA, [1, 2, 3]) + [1, 0xFF, 0, 0xFF, 0xD3, 2, 0xFF, 0xFF, 0xD4, 3]
    let table = segment(0xC4, [4])
    let shown = profile + adobe + scan + table + scan + [0xFF, 0xD9]
    let secrets =
      segment(0xE1, Array("http://ns.adobe.com/xap/1.0/".utf8))
      + segment(0xE0, Array("JFXX thumbnail".utf8) + [1]) + segment(0xED, Array("Photoshop".utf8))
      + segment(0xE2, Array("MPF".utf8)) + segment(0xFE, Array("comment".utf8))
    let start: [UInt8] = [0xFF, 0xD8] + header
    #expect(try stripped(start + secrets + [0xFF] + shown + fixture.jpeg) == start + shown)
    // A picture that breaks off is shown as far as it goes.
    #expect(try stripped(start + secrets + scan) == start + scan)
  }

  @Test func theBytesComeInPiecesOfAnySize() throws {
    try home.file("picture", Data(fixture.webP))
    let picture = try #require(PictureWithoutMetadata(contentsOf: home.path("picture")))
    let whole = try picture.bytes(at: 0, upTo: .max)
    #expect(whole.count == picture.size)
    for size in 1..<whole.count {
      var bytes: [UInt8] = []
      while case let piece = try picture.bytes(at: bytes.count, upTo: size), !piece.isEmpty {
        #expect(piece.count <= size)
        bytes += piece
      }
      #expect(bytes == whole)
    }
  }
}

extension [UInt8] {
  /// The bytes of a WebP file with another size in its header.
  fileprivate func replacingSize(_ size: UInt8) -> [UInt8] { self[..<4] + [size] + self[5...] }
}
