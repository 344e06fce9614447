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

  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, 0, UInt8(body.count + 2)] + body
  }

  /// A gray picture.
  private func picture(
    _ marker: UInt8, _ width: Int, _ height: Int, sampling: [UInt8] = [0x11], scanned: Int? = nil
  ) -> [UInt8] {
    let sizes = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
    let colors: [UInt8] = sampling.enumerated().flatMap { [UInt8($0 + 1), $1, 0] }
    let scan: [UInt8] = (0..<(scanned ?? sampling.count)).flatMap { [UInt8($0 + 1), 0] }
    let codes: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    bytes += segment(marker, [8] + sizes + [UInt8(sampling.count)] + colors)
    bytes += segment(0xC4, [0x00] + codes)
    bytes += segment(0xC4, [0x10] + codes)
    bytes += segment(0xDA, [UInt8(scan.count / 2)] + scan + [0, marker == 0xC2 ? 0 : 63, 0])
    return bytes + [UInt8](repeating: 0, count: 64) + [0xFF, 0xD9]
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

  @Test func devicesAndFoldersAreNoPictures() {
    #expect(Thumbnail.jpeg(contentsOf: "/dev/zero", orientation: 1) == nil)
    #expect(Thumbnail.jpeg(contentsOf: "/", orientation: 1) == nil)
  }
}
