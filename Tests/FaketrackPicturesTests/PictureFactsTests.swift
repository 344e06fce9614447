import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackPictures

@Suite struct PictureFactsTests {
  private static var fixture: PictureFixture {
    var fixture = PictureFixture(original: "2026:05:01 10:02:11", offset: "+02:00")
    fixture.fraction = "25"
    fixture.gpsDate = "2026:05:01"
    fixture.gpsTime = [8, 2, 9]
    fixture.position = (-33.856789, 151.215296)
    fixture.orientation = 6
    fixture.artist = "Änne"
    fixture.model = "Camera 1"
    return fixture
  }

  static let files: [(PictureFacts.Kind, [UInt8])] = [
    (.jpeg, fixture.jpeg), (.png, fixture.png), (.webp, fixture.webP), (.heic, fixture.heic),
  ]

  private func facts(_ bytes: [UInt8]) throws -> PictureFacts {
    try PictureFacts(PictureBytes(bytes))
  }

  @Test(arguments: files) func readsEveryFormat(_ kind: PictureFacts.Kind, bytes: [UInt8]) throws {
    let facts = try facts(bytes)
    #expect(facts.kind == kind)
    #expect(facts.cameraTime == 799_322_531.25)
    #expect(facts.offset == 7_200)
    #expect(facts.gpsTime == Date(timeIntervalSinceReferenceDate: 799_315_329))
    #expect(facts.coordinate == (try Coordinate(latitude: -33.856789, longitude: 151.215296)))
    #expect(facts.orientation == 6 && facts.artist == "Änne" && facts.camera == "Camera 1")
    #expect(facts.issues.isEmpty)
  }

  @Test func readsAVideosCreationTime() throws {
    let date = Date(timeIntervalSince1970: 1_777_622_531)
    let facts = try facts(PictureFixture.video(date))
    #expect(facts.kind == .video && facts.offset == 0)
    #expect(facts.cameraTime == date.timeIntervalSinceReferenceDate)
  }

  @Test func readsFilesAsBytes() throws {
    let home = try TemporaryHome()
    try home.file("a.heic", Data(Self.fixture.heic))
    let read = try PictureFacts(contentsOf: home.path("a.heic"))
    #expect(read == (try facts(Self.fixture.heic)))
    #expect(throws: UnreadablePicture.self) { try PictureFacts(contentsOf: home.path("b.jpg")) }
    #expect(throws: UnreadablePicture.self) { try PictureFacts(contentsOf: home.path("")) }
  }

  @Test(arguments: files) func cutOffFilesAreReadAsFarAsTheyGo(
    _ kind: PictureFacts.Kind, bytes: [UInt8]
  ) {
    for count in bytes.indices { _ = try? facts(Array(bytes.prefix(count))) }
    for index in bytes.indices {
      var bytes = bytes
      bytes[index] = 0xFF
      _ = try? facts(bytes)
    }
  }

  @Test func otherFilesAreRejected() {
    for text in ["", "<gpx", "GIF89a", "RIFF....WAVE"] {
      #expect(throws: UnreadablePicture.self) { try facts(Array(text.utf8)) }
    }
  }

  @Test func brokenValuesAreToldAndTheOthersUsed() throws {
    var fixture = Self.fixture
    fixture.original = "2026:13:41 10:02:11"
    fixture.position = (91, 13)
    let broken = try facts(fixture.jpeg)
    #expect(broken.issues.count == 2 && broken.cameraTime == nil && broken.coordinate == nil)
    #expect(broken.gpsTime != nil && broken.orientation == 6)
    fixture.original = "    :  :     :  :  "
    fixture.position = (0, 0)
    // An unset clock, and a receiver without a position.
    let unset = try facts(fixture.jpeg)
    #expect(unset.issues.isEmpty && unset.cameraTime == nil && unset.coordinate == nil)
  }

  @Test(arguments: [
    ("+02:00", 7_200.0), ("-0330", -12_600), ("Z", 0), ("+5", nil), ("02:00", nil), ("", nil),
  ]) func readsOffsets(_ text: String, seconds: Double?) {
    #expect(CameraTime.offset(text) == seconds)
  }
}
