import FaketrackFeatures
import FaketrackServer
import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackWeb

@Suite struct SamplePaintingTests {
  @Test(arguments: SamplePainting.all)
  func everyPaintingIsLargeAndSmall(_ painting: SamplePainting) throws {
    let large = try #require(WebPSize(painting.large), "\(painting.name)")
    #expect((large.width, large.height) == (painting.width, painting.height))
    let small = try #require(WebPSize(painting.small), "\(painting.name)")
    #expect((small.width * 5, small.height * 5) == (painting.width, painting.height))
    #expect(painting.large.count < 50_000 && painting.small.count < 5_000)
  }

  @Test func allTogetherTakeLessThanOneMegabyte() {
    let bytes = SamplePainting.all.map { $0.large.count + $0.small.count }
    #expect(bytes.reduce(0, +) <= 1_000_000)
    #expect(Set(SamplePainting.all.map(\.large)).count == 24)
    #expect(Set(SamplePainting.all.map(\.small)).count == 24)
  }

  @Test(arguments: ["", "s226082x187274", "s1x2x3", "s99999999999999999999x1", "<script>", "\"'&"])
  func theSameNameGivesTheSamePainting(_ name: String) {
    #expect(SamplePainting(photo: name) == SamplePainting(photo: name))
    #expect(SamplePainting.all.contains(SamplePainting(photo: name)))
  }

  @Test func allPaintingsAreUsed() {
    let places = (0..<20).flatMap { row in (0..<20).map { "s\(226_000 + row)x\(187_000 + $0)" } }
    for names in [places, (0..<400).map { "photo\($0 * $0)" }] {
      #expect(Set(names.map { SamplePainting(photo: $0) }) == Set(SamplePainting.all))
    }
  }

  @Test func neighborsHaveDifferentMotifs() {
    func motif(_ row: Int, _ column: Int) -> Substring {
      SamplePainting(photo: "s\(row)x\(column)").name.prefix { $0 != "-" }
    }
    for column in 0..<100 {
      #expect(Set((0..<12).map { motif(226_082, 187_000 + column + $0) }).count == 12)
      #expect(Set((0..<12).map { motif(226_000 + column + $0, 187_274) }).count == 12)
    }
  }
}

/// The size in the header of a WebP file with lossy compression.
private struct WebPSize {
  let width: Int
  let height: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count > 30, bytes[..<4].elementsEqual("RIFF".utf8),
      bytes[8..<16].elementsEqual("WEBPVP8 ".utf8),
      bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A])
    else { return nil }
    width = (Int(bytes[26]) | Int(bytes[27]) << 8) & 0x3FFF
    height = (Int(bytes[28]) | Int(bytes[29]) << 8) & 0x3FFF
  }
}

@MainActor
@Suite struct SamplePhotosTests {
  @Test(arguments: [
    ("https://page.faketrack.example/photos/sample/s1_z.jpg", "/photos/sample/s1_z.jpg"),
    ("https://live.staticflickr.com/photos/sample/s1_z.jpg", nil), ("/photos/sample/s1.jpg", nil),
  ])
  func areShownAtThePagesOwnAddress(_ address: String, path: String?) {
    #expect(SamplePhotos.path(of: URL(string: address))?.absoluteString == path)
  }

  @Test func aMissingAddressIsNoSample() {
    #expect(SamplePhotos.path(of: nil) == nil)
    #expect(SamplePhotos.base.absoluteString == "https://page.faketrack.example/photos/sample")
  }

  @Test(arguments: [
    ("s1", "large"), ("s1_z", "large"), ("s1_b", "large"), ("s1_m", "large"), ("s1_", "large"),
    ("s1_x", "large"), ("s1_s", "small"), ("s1_q", "small"), ("s1_t", "small"),
  ])
  func thumbnailsAreSmall(_ name: String, size: String) async throws {
    let painting = SamplePainting(photo: "s1")
    let response = await Website.make().get("/photos/sample/\(name).jpg")
    #expect(response["Content-Type"] == "image/webp")
    #expect(response["Cache-Control"]?.contains("immutable") == true)
    #expect(try response.bytes == (size == "small" ? painting.small : painting.large))
  }

  @Test func thumbnailsHaveAnAddressOfTheirOwn() {
    let photo = SamplePhotos.base.appending(path: "s1x2_z.jpg")
    #expect(SamplePhotos.smallPath(of: photo)?.absoluteString == "/photos/sample/s1x2_q.jpg")
    #expect(SamplePhotos.smallPath(of: URL(string: "https://live.staticflickr.com/1_z.jpg")) == nil)
    #expect(SamplePhotos.smallPath(of: nil) == nil)
  }

  @Test func photosWithOnePaintingShareATag() async throws {
    let website = Website.make()
    let large = await website.get("/photos/sample/s1x2_b.jpg")
    #expect(await website.get("/photos/sample/s1x2.jpg")["ETag"] == large["ETag"])
    #expect(await website.get("/photos/sample/s1x2_q.jpg")["ETag"] != large["ETag"])
    #expect(await website.get("/photos/sample/s1x3.jpg")["ETag"] != large["ETag"])
  }

  @Test func paintingsAreNotCompressedAgain() async throws {
    let response = await Website.make().get(
      "/photos/sample/s1x2_z.jpg", headers: ["Accept-Encoding": "gzip"])
    #expect(response["Content-Encoding"] == nil)
    #expect(try response.bytes == SamplePainting(photo: "s1x2").large)
  }

  @Test func theBrowserNeedNotLoadAPaintingTwice() async throws {
    let website = Website.make()
    let tag = try #require(await website.get("/photos/sample/s1.jpg")["ETag"])
    let again = await website.get(
      "/photos/sample/s1.jpg", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
    #expect(try again.bytes.isEmpty)
    let stale = await website.get(
      "/photos/sample/s1.jpg", headers: ["If-None-Match": "\"other\""])
    #expect(stale.status == .ok)
  }

  @Test func thePageOfAPhotoShowsItAndSaysWhatItIs() async throws {
    let page = try await Website.make().page("/photos/sample/sample/s1x2")
    #expect(page.contains("src=\"/photos/sample/s1x2_z.jpg\""))
    #expect(page.contains("nothing in it is real"))
  }

  @Test func aWalkWithSamplesShowsThemAtThePagesOwnAddress() async throws {
    let website = Website.make()
    await website.tracking.walk()
    let page = try await website.page("/tracking")
    let sources = page.matches(of: /<img src="([^"]*)"/).map { String($0.1) }
    #expect(sources.count == 12)
    for source in sources {
      #expect(source.hasPrefix("/photos/sample/"))
      #expect(await website.get(source).status == .ok)
    }
    let links = page.matches(of: /<a class="picture" href="([^"]*)"/).map { String($0.1) }
    #expect(links.count == 12)
    for link in links { #expect(await website.get(link).status == .ok) }
  }
}

@MainActor
@Suite struct SampleKeepsakeTests {
  /// A walk with sample photos, two of which have the same painting.
  private func keepsake() throws -> Keepsake {
    var state = TrackingState(track: nil, memory: 1_000)
    state.entry = TrackCatalog.Entry(
      id: 7, name: "walk.gpx", shape: .loaded(try Walks.shape(Walks.gpx(kilometers: 2))))
    state.apply(.started(at: 0))
    let names = ["photo", "s1x2", "s1x3", "photo_"]
    for (number, name) in names.enumerated() {
      var visit = try Walks.visit(number + 1)
      visit.photo?.imageURL = SamplePhotos.base.appending(path: "\(name)_z.jpg")
      state.apply(.updated([.location(visit.fix)]))
      state.apply(.visited([visit]))
    }
    state.apply(.finished(nil))
    return try #require(Keepsake(state))
  }

  @Test func paintingsAreInsideAsLargeAsFits() throws {
    let keepsake = try keepsake()
    let page = try keepsake.page(limit: 20_000_000) { _ in }
    let large = Data(SamplePainting(photo: "s1x2").large).base64EncodedString()
    // Two photos and the cover show it.
    #expect(page.ranges(of: large).count == 1)
    #expect(!page.contains(SamplePhotos.base.absoluteString + "/s1x2"))
    let smaller = try keepsake.page(limit: page.utf8.count - 100_000) { _ in }
    let small = Data(SamplePainting(photo: "s1x2").small).base64EncodedString()
    #expect(smaller.ranges(of: small).count == 1)
  }

  @Test func photosWithOnePaintingShareAFile() throws {
    let home = try TemporaryHome()
    _ = try keepsake().write(to: home.path("out"))
    let names = home.names(in: "out/photos")
    #expect(names.sorted() == ["0001.webp", "0002.webp", "0003.webp"])
  }
}

@MainActor
@Suite struct PageResourcesTests {
  nonisolated static let types = [
    ("shared/page.css", "text/css; charset=utf-8"),
    ("shared/page.mjs", "text/javascript; charset=utf-8"),
    ("map/map.mjs", "text/javascript; charset=utf-8"),
    ("walk/tracking.mjs", "text/javascript; charset=utf-8"), ("shared/icon.svg", "image/svg+xml"),
    ("samples/lake-day.webp", "image/webp"),
  ]

  @Test(arguments: PageResourcesTests.types)
  func resourcesAreNamedByTheirContentAndCached(_ name: String, type: String) async throws {
    let website = Website.make()
    let address = PageResources.shared.address(of: name)
    let response = await website.get(address)
    #expect(response.status == .ok && response["Content-Type"] == type)
    #expect(response["Cache-Control"] == "public, max-age=31536000, immutable")
    let tag = try #require(response["ETag"])
    let again = await website.get(address, headers: ["If-None-Match": tag])
    #expect(again.status == .notModified && again["ETag"] == tag)
    #expect(try again.bytes.isEmpty)
    #expect(try !response.bytes.isEmpty)
  }

  @Test(arguments: [
    "shared/nothing.mjs", "shared", "", "page.css", "shared/PAGE.CSS", "map/page.css",
    "shared/page.css/", "shared/../shared/page.css",
  ])
  func otherNamesAreNotThere(_ name: String) async throws {
    let path = "/assets/\(PageResources.shared.version)/\(name)"
    let response = await Website.make().get(path)
    #expect(response.status == (name == "shared/page.css/" ? .ok : .notFound))
  }

  @Test func everyModuleThatAScriptImportsIsThere() async throws {
    let website = Website.make()
    var open = ["shared/page.mjs"]
    var seen: Set<String> = []
    while let name = open.popLast() {
      guard seen.insert(name).inserted else { continue }
      let response = await website.get(PageResources.shared.address(of: name))
      #expect(response.status == .ok, "\(name)")
      let script = try response.text
      let folder = name.prefix { $0 != "/" }
      open += script.matches(of: /(?:from|import\()\s*"\.\/([a-z-]+\.mjs)"/).map {
        "\(folder)/\($0.1)"
      }
      open += script.matches(of: /(?:from|import\()\s*"\.\.\/([a-z\/-]+\.mjs)"/).map {
        String($0.1)
      }
    }
    #expect(seen.count > 35)
  }

  @Test func theScriptsReadTheEventsAndFormsOfThisServer() async throws {
    let website = Website.make()
    let tracking = try await website.get(PageResources.shared.address(of: "walk/tracking.mjs")).text
    for name in ["reset: (", "photos: (", "state: (", "walker: (", "walker.meters"] {
      #expect(tracking.contains(name))
    }
    let events = try await website.get(PageResources.shared.address(of: "walk/tracking-events.mjs"))
      .text
    #expect(events.contains("/tracking/events"))
    let parts = try await website.get(PageResources.shared.address(of: "shared/parts.mjs")).text
    for name in ["[data-part]", "[data-waiting]", "[data-retry]", "X-Faketrack"] {
      #expect(parts.contains(name))
    }
  }

  @Test func everyFileOfTheFolderIsServed() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CPage").standardizedFileURL
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.contains("/") && $0.contains(".") && !$0.hasSuffix(".h")
    }
    #expect(names.count > 30)
    for name in names {
      let path = PageResources.shared.address(of: name).split(separator: "/")
      let bytes = try Data(contentsOf: folder.appending(path: name))
      #expect(PageResources.shared.resource(at: path)?.bytes == Array(bytes), "\(name)")
    }
  }
}
