import Dispatch
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackPictures

@Suite struct ThumbnailTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func picture(
    _ marker: UInt8, _ width: Int, _ height: Int, sampling: [UInt8] = [0x11], scanned: Int? = nil
  ) -> [UInt8] {
    PictureFixture.grayJPEG(marker, width, height, sampling: sampling, scanned: scanned)
  }

  @Test(
    arguments: [
      (0xC0, [0x11], nil, 0), (0xC2, [0x11], nil, 160), (0xC2, [0x22, 0x11, 0x11], nil, 240),
      (0xC2, [0x11, 0x11, 0x11], nil, 480), (0xC0, [0x21, 0x11, 0x11], 1, 320),
      (0xCA, [0x11, 0x11, 0x11, 0x11], nil, 640),
    ] as [(UInt8, [UInt8], Int?, Int)])
  func theHeaderTellsTheMemoryForCoefficients(
    marker: UInt8, sampling: [UInt8], scanned: Int?, bytes: Int
  ) throws {
    let picture = picture(marker, 10, 8, sampling: sampling, scanned: scanned)
    let head = try #require(JPEGHead(PictureBytes(picture)))
    #expect(head.width == 10 && head.height == 8 && head.coefficients == bytes)
  }

  @Test func onlyPicturesThatFitIntoTheMemoryAreDecoded() throws {
    func thumbnail(_ bytes: [UInt8]) throws -> [UInt8]? {
      try home.file("picture", Data(bytes))
      return Thumbnail.jpeg(contentsOf: home.path("picture"), orientation: 1)
    }
    #expect(try thumbnail(picture(0xC2, 800, 600)) != nil)
    #expect(try thumbnail(picture(0xC2, 16_000, 16_000)) == nil)
    #expect(try thumbnail([]) == nil)
  }

  @Test func manyPicturesAreDecodedOneAfterAnother() async throws {
    // Each takes more than half of the memory.
    try home.file("picture", Data(picture(0xC2, 6_000, 5_000)))
    let path = home.path("picture")
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await DispatchQueue(label: "test").blocking {
            Thumbnail.jpeg(contentsOf: path, orientation: 6)?.count ?? 0
          }
        }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(sizes.count == 4 && sizes.allSatisfy { $0 > 0 })
  }

  @Test(arguments: [
    ("P3", 3, true), ("sRGB IEC61966-2.1", 3, false),
    (String(repeating: "P", count: 5_000), 3, false),
    ("Gray", 1, false), ("Inks", 4, false),
  ])
  func smallColorProfilesStay(_ text: String, colors: Int, stays: Bool) throws {
    let picture = picture(0xC0, 80, 60, sampling: [UInt8](repeating: 0x11, count: colors))
    let body = Array("ICC_PROFILE\0\u{1}\u{1}\(text)".utf8)
    let profile = [0xFF, 0xE2] + PictureFixture.big(body.count + 2, 2) + body
    try home.file("picture", Data(picture.prefix(2) + profile + picture.dropFirst(2)))
    let small = try #require(Thumbnail.jpeg(contentsOf: home.path("picture"), orientation: 6))
    let segments = JPEGSegments(PictureBytes(small)).map { (marker: $0.marker, range: $0.range) }
    #expect(segments.first?.marker == 0xE0)
    let found = segments.filter { $0.marker == 0xE2 }.map { Array(small[$0.range]) }
    #expect(found == (stays ? [profile] : []))
    #expect(try PictureFacts(PictureBytes(small)).size == PictureSize(width: 60, height: 80))
  }

  /// A picture of 8 by 8 pixels for printing, made by ImageMagick, whose color is 200, 100, 50.
  private static let inks = """
    /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggL
    CAkKCgoKCgYICwwLCgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK
    CgoKCgoKCgoKCgoKCgoKCgoK/8AAFAgACAAIBAERAAIRAQMRAQQRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAcJ/8QAFBAB
    AAAAAAAAAAAAAAAAAAAAAP/EABUBAQEAAAAAAAAAAAAAAAAAAAgJ/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAA4EAQAC
    EQMRBAAAPwADNROtSB//2Q==
    """

  @Test func picturesForPrintingBecomePicturesForScreens() throws {
    let picture = try #require(
      Data(base64Encoded: Self.inks, options: .ignoreUnknownCharacters).map(Array.init))
    #expect(try #require(JPEGHead(PictureBytes(picture))).hasAdobeMarker)
    func color(isInverted: Bool) throws -> [UInt8] {
      let pixels = try #require(Pixels(picture, width: 8, height: 8, isInverted: isInverted))
      #expect(pixels.bytes.count == 8 * 8 * 3)
      return Array(pixels.bytes[3 * 20..<3 * 21])
    }
    for (value, expected) in zip(try color(isInverted: true), [200, 100, 50]) {
      #expect(abs(Int(value) - expected) <= 3)
    }
    #expect(try color(isInverted: false) != color(isInverted: true))
    try home.file("picture", Data(picture))
    let small = try #require(Thumbnail.jpeg(contentsOf: home.path("picture"), orientation: 1))
    #expect(try PictureFacts(PictureBytes(small)).size == PictureSize(width: 8, height: 8))
    #expect(try !#require(JPEGHead(PictureBytes(small))).hasAdobeMarker)
  }

  @Test func devicesAndFoldersAreNoPictures() {
    #expect(Thumbnail.jpeg(contentsOf: "/dev/zero", orientation: 1) == nil)
    #expect(Thumbnail.jpeg(contentsOf: "/", orientation: 1) == nil)
  }
}
