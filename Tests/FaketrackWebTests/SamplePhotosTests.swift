import FaketrackServer
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import FaketrackWeb

@Suite struct PostcardTests {
  @Test func theSameNameGivesTheSamePictureAndOthersOthers() {
    let names = (0..<100).map { "s1x\($0)" }
    let pictures = names.map { Postcard.svg(name: $0) }
    #expect(Set(pictures).count == 100)
    for (name, picture) in zip(names, pictures) {
      #expect(Postcard.svg(name: name) == picture)
    }
  }

  @Test(arguments: ["", "s226082x187274", "<script>", "\"'&", String(repeating: "a", count: 64)])
  func isWellFormedAndLoadsNothing(_ name: String) {
    let markup = Postcard.svg(name: name)
    #expect(XMLParser(data: Data(markup.utf8)).parse())
    #expect(!markup.contains("script") && !markup.contains("href"))
    #expect(!markup.contains("nan") && !markup.contains("inf"))
    #expect(markup.utf8.count < 12_000)
  }

  @Test func allPalettesAreUsed() {
    let skies = Set(
      (0..<200).compactMap {
        Postcard.svg(name: "\($0)").firstMatch(of: /stop-color="([^"]*)"/).map {
          String($0.1)
        }
      })
    #expect(skies.count == 6)
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

  @Test func allSizesAreTheSameDrawing() async throws {
    let website = Website.make()
    let large = await website.get("/photos/sample/s1x2_b.jpg")
    let small = await website.get("/photos/sample/s1x2.jpg")
    #expect(try large.bytes == small.bytes)
    #expect(large["ETag"] == small["ETag"])
    #expect(large["Cache-Control"]?.contains("immutable") == true)
    let other = await website.get("/photos/sample/s1x3.jpg")
    #expect(other["ETag"] != small["ETag"])
  }

  @Test func theBrowserNeedNotLoadADrawingTwice() async throws {
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
@Suite struct PageResourcesTests {
  nonisolated static let types = [
    ("shared/page.css", "text/css; charset=utf-8"),
    ("shared/page.mjs", "text/javascript; charset=utf-8"),
    ("map/map.mjs", "text/javascript; charset=utf-8"),
    ("walk/tracking.mjs", "text/javascript; charset=utf-8"), ("shared/icon.svg", "image/svg+xml"),
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
      open += script.matches(of: /(?:from|import\()\s*"\.\/([a-z-]+\.mjs)"/).map { "\(folder)/\($0.1)" }
      open += script.matches(of: /(?:from|import\()\s*"\.\.\/([a-z\/-]+\.mjs)"/).map { String($0.1) }
    }
    #expect(seen.count > 35)
  }

  @Test func theScriptsReadTheEventsAndFormsOfThisServer() async throws {
    let website = Website.make()
    let tracking = try await website.get(PageResources.shared.address(of: "walk/tracking.mjs")).text
    for name in ["reset: (", "photos: (", "state: (", "walker: (", "walker.meters"] {
      #expect(tracking.contains(name))
    }
    let events = try await website.get(PageResources.shared.address(of: "walk/tracking-events.mjs")).text
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
    // The page has photos made from the template, and not the template itself.
    for name in names where name != "photos/postcard.svg" {
      let path = PageResources.shared.address(of: name).split(separator: "/")
      let bytes = try Data(contentsOf: folder.appending(path: name))
      #expect(PageResources.shared.resource(at: path)?.bytes == Array(bytes), "\(name)")
    }
  }
}
