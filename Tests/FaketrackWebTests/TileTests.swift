import FaketrackServer
import Foundation
import Testing

@testable import FaketrackWeb

/// A file with one tile, at zoom 3, column 5, row 1.
private struct StubTiles: TileReading {
  struct Broken: Error {}

  var name = "region.mbtiles"
  var mediaType = "image/webp"
  var zooms = 3...14
  var bounds: [Double]? = [12.9, 52.3, 13.2, 52.5]
  var attribution: String? = "© <a href=\"https://maps.example/license\">Makers</a>"
  var isBroken = false

  func tile(zoom: Int, column: Int, row: Int) async throws -> [UInt8]? {
    if isBroken { throw Broken() }
    return (zoom, column, row) == (3, 5, 1) ? [1, 2, 3] : nil
  }
}

@MainActor
@Suite struct TileTests {
  private func website(_ tiles: StubTiles = StubTiles(), attribution: String? = nil) -> Website {
    Website.make(tiles: TileTemplate(tiles, attribution: attribution))
  }

  @Test func aTileIsSentAsItIs() async throws {
    let response = await website().get("/tiles/3/5/1")
    #expect(response.status == .ok)
    #expect(response["Content-Type"] == "image/webp")
    #expect(response["Content-Security-Policy"] == ContentPolicy.images)
    #expect(try response.bytes == [1, 2, 3])
  }

  @Test func browsersAskBeforeTheyUseATileAgain() async throws {
    let website = website()
    let first = await website.get("/tiles/3/5/1")
    let tag = try #require(first["ETag"])
    #expect(first["Cache-Control"] == "no-cache")
    let again = await website.get("/tiles/3/5/1", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified && again["ETag"] == tag)
    #expect(try again.bytes.isEmpty)
    let other = await website.get("/tiles/3/5/1", headers: ["If-None-Match": "\"other\""])
    #expect(other.status == .ok)
  }

  @Test(arguments: [
    "/tiles/3/5/2", "/tiles/3/5", "/tiles/3/5/1/0", "/tiles/3/5/1.png", "/tiles/3/5/x", "/tiles",
    "/tiles/3/5/-1", "/tiles/3/5/99999999999999999999", "/tiles/3/5/%31",
  ])
  func otherTilesAreNotFound(_ address: String) async {
    #expect(await website().get(address).status == .notFound)
  }

  @Test func withoutAFileThereAreNoTiles() async throws {
    #expect(await Website.make().get("/tiles/3/5/1").status == .notFound)
    let template = TileTemplate("https://tiles.example/{z}/{x}/{y}", attribution: nil)
    #expect(await Website.make(tiles: template).get("/tiles/3/5/1").status == .notFound)
  }

  @Test func aFileThatCannotBeReadIsAnError() async {
    let response = await website(StubTiles(isBroken: true)).get("/tiles/3/5/1")
    #expect(response.status == .internalServerError)
  }

  @Test func thePageKnowsWhereTheFileHasTiles() async throws {
    let page = try await website().page("/tracking")
    #expect(
      page.contains(
        "data-tiles=\"/tiles/{z}/{x}/{y}\" data-min-zoom=\"3\" data-max-zoom=\"14\" "
          + "data-bounds=\"12.9,52.3,13.2,52.5\""))
    #expect(!page.contains("data-tiles-offer") && !page.contains("openstreetmap"))
    let unbounded = try await website(StubTiles(bounds: nil)).page("/tracking")
    #expect(unbounded.contains("data-max-zoom=\"14\"") && !unbounded.contains("data-bounds"))
    #expect(try await !Website.make().page("/tracking").contains("data-max-zoom"))
  }

  @Test func tilesOfAFileNeedNoOtherServer() async {
    let response = await website().get("/tracking")
    #expect(response["Content-Security-Policy"]?.contains("img-src 'self';") == true)
  }

  @Test(
    arguments: [
      (
        "© <a href=\"https://maps.example/license\">Makers</a>",
        "© <a href=\"https://maps.example/license\" target=\"_blank\" rel=\"noopener noreferrer\">"
          + "Makers</a>"
      ),
      ("<script>alert(1)</script>&copy; A &amp; B", "© A &amp; B"),
      ("<a href=\"javascript:alert(1)\" onclick=\"alert(1)\">A</a>", "A"),
      ("<a href=\"/tracking/stop\">A</a> <img src=x onerror=alert(1)>B", "A B"),
      ("<style>x</style> ", "Tiles: region.mbtiles"), ("", "Tiles: region.mbtiles"),
      (nil, "Tiles: region.mbtiles"),
    ] as [(String?, String)])
  func theAttributionIsTextAndLinks(html: String?, markup: String) async throws {
    let page = try await website(StubTiles(attribution: html)).page("/tracking")
    #expect(page.contains("<span data-tiles-credit hidden>\(markup)</span>"))
  }

  @Test func theAttributionThatIsGivenCounts() async throws {
    let page = try await website(attribution: "© <Me>").page("/tracking")
    #expect(page.contains("<span data-tiles-credit hidden>© &lt;Me&gt;</span>"))
  }
}
