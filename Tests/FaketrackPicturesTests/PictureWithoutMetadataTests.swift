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
    return PictureWithoutMetadata.bytes(contentsOf: home.path("picture"), limit: limit)
  }

  @Test func onlyThePictureStays() throws {
    for bytes in [fixture.png, fixture.webP] {
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
    #expect(try stripped(fixture.jpeg) == nil)
    #expect(try stripped(fixture.png, limit: 40) == nil)
    for bytes in [fixture.png, fixture.webP] {
      #expect(try stripped(Array(bytes.dropLast(bytes.count / 2))) == nil)
    }
    #expect(PictureWithoutMetadata.bytes(contentsOf: home.path("none"), limit: 1) == nil)
  }
}
