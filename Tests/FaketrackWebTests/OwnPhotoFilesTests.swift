import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackPictures
@testable import FaketrackWeb

@MainActor
@Suite struct OwnPhotoFilesTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func website(heic: HEICProgram? = nil) throws -> Website {
    let own = try OwnPhotos(folder: home.path("photos"), index: Website.make().dependencies.index)
    let files = OwnPhotoFiles(own, thumbnails: OwnFolder(home.path("small")), heic: heic)
    return Website(Website.make().dependencies, own: files, listeningOn: "127.0.0.1")
  }

  @Test func showsThePicturesOfTheFolderAlone() async throws {
    let fixture = PictureFixture()
    try home.file("photos/a/b c.png", Data(fixture.png))
    try home.file("secret.png", Data(fixture.png))
    let website = try website()
    let path = try address("photos/a/b c.png")
    let original = await website.get(path)
    #expect(original.status == .ok && original["Content-Type"] == "image/png")
    // Without a decoder, the picture is sent as it is.
    let small = await website.get(path + "/small")
    #expect(small["Content-Type"] == "image/png" && small["Cache-Control"] != nil)
    for path in [path + "/large", try address("secret.png"), "/photos/own/", "/photos/own/a"] {
      #expect(await website.get(path).status == .notFound)
    }
  }

  private func address(_ name: String) throws -> String {
    try #require(OwnPhotoFiles.path(of: URL(fileURLWithPath: home.path(name)))).path
  }

  @Test func drawsAPlaceholderForVideosAndForPicturesThatAreTooLargeOrDamaged() async throws {
    try home.file("photos/a.jpg", Data(PictureFixture().jpeg))
    try home.file("photos/b.mp4", Data(PictureFixture.video(.now)))
    let png = PictureFixture().png
    let data = PictureFixture.big(8 << 20, 4) + Array("IDAT".utf8)
    try home.file(
      "photos/large.png", Data(png.dropLast(12) + data) + Data(count: 8 << 20 + 4) + png.suffix(12))
    let website = try website()
    var drawings: Set<String> = []
    for name in ["a.jpg", "b.mp4", "large.png"] {
      let small = await website.get(try address("photos/\(name)") + "/small")
      #expect(small.status == .ok && small["Content-Type"] == "image/svg+xml")
      drawings.insert(try small.text)
    }
    #expect(drawings.count == 2)
    #expect(home.names(in: "small").isEmpty)
    #expect(await website.get(try address("photos/b.mp4"))["Content-Type"] == "video/mp4")
  }

  @Test func theOldestSmallVersionsGo() throws {
    // A folder that users keep there, and their pictures, stay.
    try home.file("small/holiday/1.jpg", Data(count: 1_000))
    let names = ["holiday", "b", "a", "c"].map {
      $0.count == 1 ? "faketrack-\($0)" : $0
    }
    for (number, name) in names.enumerated() {
      try home.file("small/\(name).jpg", Data(count: 100))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(number))],
        ofItemAtPath: home.path("small/\(name).jpg"))
    }
    try home.file("photos/a.jpg", Data(PictureFixture().jpeg))
    _ = OwnPhotoFiles(
      try OwnPhotos(folder: home.path("photos"), index: Website.make().dependencies.index),
      thumbnails: OwnFolder(home.path("small")), limit: 250)
    let kept = home.names(in: "small")
    #expect(kept == [names[2] + ".jpg", names[3] + ".jpg", "holiday", "holiday.jpg"])
    #expect(home.names(in: "small/holiday") == ["1.jpg"])
  }

  @Test func photosHaveTheirAddressOnThePage() throws {
    let own = Photo(
      id: "b c.jpg", title: "b c.jpg", owner: "", imageURL: URL(fileURLWithPath: "/home/a/b c.jpg"))
    let path = try #require(OwnPhotoFiles.path(of: own.imageURL)?.absoluteString)
    #expect(path.hasPrefix("/photos/own/") && !path.contains("home"))
    #expect(PhotoThumbnail.address(of: own.imageURL, isOnCard: false) == path + "/small")
    let image = PhotoCard.image(of: own, named: "").markup
    #expect(image.contains("\"\(path)/small\""))
    #expect(PhotoCard.author(of: own).markup == "<span>your own photo</span>")
    #expect(OwnPhotoFiles.path(of: URL(literal: "https://photos.example/1")) == nil)
  }

  private func bytes(_ response: WebResponse) async throws -> [UInt8] {
    guard case .stream(let pieces) = response.body else { return try response.bytes }
    var bytes: [UInt8] = []
    for try await piece in pieces { bytes += piece }
    return bytes
  }

  @Test func picturesAreServedWithoutMetadataButUpright() async throws {
    var fixture = PictureFixture(original: "2026:05:01 10:10:00")
    (fixture.artist, fixture.orientation, fixture.position) = ("Ada", 6, (52, 13))
    try home.file("photos/a.jpg", Data(fixture.jpeg))
    try home.file("photos/b.png", Data(fixture.png))
    try home.file("photos/c.webp", Data(fixture.webP))
    let website = try website()
    for name in home.names(in: "photos") {
      let response = await website.get(try address("photos/\(name)"))
      #expect(response.status == .ok)
      let facts = try PictureFacts(PictureBytes(try await bytes(response)))
      #expect(facts.artist == nil && facts.coordinate == nil && facts.cameraTime == nil)
      #expect(facts.orientation == 6)
    }
  }

  @Test func smallVersionsAreUprightInEveryBrowser() async throws {
    var fixture = PictureFixture()
    (fixture.artist, fixture.orientation, fixture.size) = ("Ada", 6, (300, 200))
    let files = ["a.png": ("png", fixture.png), "b.webp": ("webp", fixture.webP)]
    for (name, (_, content)) in files { try home.file("photos/\(name)", Data(content)) }
    let website = try website()
    for (name, (type, _)) in files {
      let small = await website.get(try address("photos/\(name)") + "/small")
      #expect(small["Content-Type"] == "image/svg+xml" && small["Cache-Control"] != nil)
      let text = try small.text
      #expect(text.contains("width=\"200\" height=\"300\""))
      #expect(text.contains("href=\"data:image/\(type);base64,"))
    }
  }

  @Test func filesWhoseMetadataStayAreForThisComputerAlone() async throws {
    let files = ["a.heic": PictureFixture().heic, "b.mp4": PictureFixture.video(.now)]
    for (name, content) in files { try home.file("photos/\(name)", Data(content)) }
    let website = try website()
    for (name, content) in files {
      let path = try address("photos/\(name)")
      #expect(try await bytes(await website.get(path)) == content)
      let refused = await website.send("GET", path, headers: [:], isLocal: false)
      #expect(refused.status == .forbidden)
      #expect(try refused.text.contains("HEIC"))
      let small = await website.send("GET", path + "/small", headers: [:], isLocal: false)
      #expect(small.status == .ok && small["Content-Type"] == "image/svg+xml")
    }
  }

  @Test func withAProgramSmallVersionsOfHEICAreForAll() async throws {
    var fixture = PictureFixture()
    (fixture.artist, fixture.position) = ("Ada", (52, 13))
    try home.file("photos/a.heic", Data(fixture.heic))
    let stub = try HEICStub(in: home, picture: fixture.jpeg(width: 60, height: 40))
    let website = try website(heic: HEICProgram(environment: stub.environment))
    let path = try address("photos/a.heic")
    for isLocal in [true, false] {
      let small = await website.send("GET", path + "/small", headers: [:], isLocal: isLocal)
      #expect(small["Content-Type"] == "image/jpeg")
      let facts = try PictureFacts(PictureBytes(try small.bytes))
      #expect(facts.size == PictureSize(width: 60, height: 40))
      #expect(facts.artist == nil && facts.coordinate == nil)
    }
    let original = await website.send("GET", path, headers: [:], isLocal: false)
    #expect(original.status == .forbidden)
    // The second answer came from the folder of small versions.
    #expect(home.names(in: "small").count == 1)
    try home.file("bin/heif-convert", "")
    #expect(await website.get(path + "/small")["Content-Type"] == "image/jpeg")
  }

  @Test func heicPicturesThatCannotBeDecodedAreForThisComputerAlone() async throws {
    try home.file("photos/a.heic", Data(PictureFixture().heic))
    let stub = try HEICStub(in: home, picture: [], script: "exit 1")
    let website = try website(heic: HEICProgram(environment: stub.environment))
    let path = try address("photos/a.heic") + "/small"
    #expect(await website.get(path)["Content-Type"] == "image/heic")
    let remote = await website.send("GET", path, headers: [:], isLocal: false)
    #expect(remote["Content-Type"] == "image/svg+xml")
    #expect(home.names(in: "small").isEmpty && !stub.arguments.isEmpty)
  }
}
