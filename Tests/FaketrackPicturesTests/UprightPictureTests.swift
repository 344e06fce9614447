import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackPictures

@Suite struct UprightPictureTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func picture(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> UprightPicture? {
    try home.file("picture", Data(bytes))
    return UprightPicture(contentsOf: home.path("picture"), limit: limit)
  }

  private func fixture(_ orientation: Int) -> PictureFixture {
    var fixture = PictureFixture(original: "2026:05:01 10:10:00")
    (fixture.artist, fixture.orientation, fixture.size) = ("Ada", orientation, (300, 200))
    return fixture
  }

  /// The sides on which Exif 2.3, 4.6.4, has the first row and the first column.
  static let sides = [
    (2, "top", "right"), (3, "bottom", "right"), (4, "bottom", "left"), (5, "left", "top"),
    (6, "right", "top"), (7, "right", "bottom"), (8, "left", "bottom"),
  ]

  @Test(arguments: sides)
  func theFirstRowAndColumnAreOnTheirSides(orientation: Int, row: String, column: String) throws {
    for (type, file) in [("png", fixture(orientation).png), ("webp", fixture(orientation).webP)] {
      let picture = try #require(try picture(file))
      #expect(picture.type == "image/svg+xml")
      let drawing = String(decoding: picture.bytes, as: UTF8.self)
      let form =
        #/<svg [^>]*width="(\d+)" height="(\d+)" viewBox="0 0 (\d+) (\d+)"><image width="300" height="200" [^>]*matrix\(([^)]*)\)" href="data:image\/(\w+);base64,(.*?)"\/><\/svg>/#
      let match = try #require(drawing.wholeMatch(of: form)?.output)
      let size: [Substring] = orientation >= 5 ? ["200", "300"] : ["300", "200"]
      #expect([match.1, match.2] == size && [match.3, match.4] == size && match.6 == type)
      let matrix = match.5.split(separator: " ").compactMap { Double($0) }
      func place(_ x: Double, _ y: Double) -> [Double] {
        [0, 1].map { matrix[$0] * x + matrix[$0 + 2] * y + matrix[$0 + 4] }
      }
      let (right, bottom) = orientation >= 5 ? (200.0, 300.0) : (300, 200)
      let sides = ["left": (0, 0.0), "top": (1, 0), "right": (0, right), "bottom": (1, bottom)]
      let (rowSide, columnSide) = (try #require(sides[row]), try #require(sides[column]))
      for along in [0.0, 1] {
        #expect(place(300 * along, 0)[rowSide.0] == rowSide.1)
        #expect(place(0, 200 * along)[columnSide.0] == columnSide.1)
      }
      let inner = try #require(Data(base64Encoded: String(match.7)))
      let facts = try PictureFacts(PictureBytes(Array(inner)))
      #expect(facts.orientation == 1 && facts.artist == nil && facts.cameraTime == nil)
    }
  }

  @Test func uprightFilesStayFiles() throws {
    for (type, file) in [("image/png", fixture(1).png), ("image/webp", fixture(1).webP)] {
      let picture = try #require(try picture(file))
      #expect(picture.type == type)
      let facts = try PictureFacts(PictureBytes(picture.bytes))
      #expect(facts.artist == nil && facts.size == PictureSize(width: 300, height: 200))
    }
  }

  @Test func otherDamagedAndLargeFilesAreRefused() throws {
    for file in [fixture(6).jpeg, fixture(6).heic, Array(fixture(6).png.dropLast(20)), []] {
      #expect(try picture(file) == nil)
    }
    let size = try #require(try picture(fixture(1).png)).bytes.count
    // The limit is for the file in a drawing, too.
    for orientation in [1, 6] {
      #expect(try picture(fixture(orientation).png, limit: size - 1) == nil)
      #expect(try picture(fixture(orientation).png, limit: size) != nil)
    }
    // Without a size there is no drawing.
    var fixture = fixture(6)
    fixture.size = (0, 0)
    #expect(try picture(fixture.png)?.type == "image/png")
  }
}
