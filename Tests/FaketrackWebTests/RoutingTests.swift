import FaketrackFeatures
import FaketrackServer
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct RoutingTests {
  nonisolated private static let html = "text/html; charset=utf-8"
  nonisolated private static let plain = "text/plain; charset=utf-8"

  /// Addresses that are read, with the status and the type of the answer.
  nonisolated static let readable: [(String, Int, String)] = [
    ("/", 200, html), ("/?part=tracks", 200, html), ("/?wait=1", 200, html),
    ("/tracking", 200, html), ("/tracking/", 200, html),
    ("/tracking/events", 200, "text/event-stream"),
    ("/tracking/events?after=x-1.3", 200, "text/event-stream"), ("/tracking/start", 404, html),
    ("/cities", 200, html), ("/cities?q=pots", 200, html), ("/cities?q=%E6%9D%B1", 200, html),
    ("/cities?favorites=1&sort=population", 200, html), ("/cities?part=results&page=2", 200, html),
    ("/cities/2852458", 200, html), ("/cities/2852458?part=summary", 200, html),
    ("/cities/1", 404, html), ("/cities/x", 404, html), ("/cities/02852458", 404, html),
    ("/cities/2852458/favorite", 404, html), ("/cities/2852458/x/y", 404, html),
    ("/lists", 200, html), ("/lists?sort=natural", 200, html), ("/lists?sort=sideways", 200, html),
    ("/lists/7", 404, html), ("/about", 200, html), ("/about/us", 404, html),
    ("/tracks/1", 200, "application/json"), ("/tracks/2", 404, html), ("/tracks/x", 404, html),
    ("/tracks", 404, html), ("/tracks/1/2", 404, html),
    ("/map/cities?box=12,52,14,53", 200, "application/json"), ("/map/cities", 400, plain),
    ("/map", 404, html), ("/map/rivers", 404, html),
    ("/photos/sample/s1x2_z.jpg", 200, "image/webp"),
    ("/photos/sample/s1x2.jpg", 200, "image/webp"),
    ("/photos/sample/sample/s1x2", 200, html), ("/photos/sample", 404, html),
    ("/photos/sample/s1x2.png", 404, html), ("/photos/other/x.jpg", 404, html),
    ("/photos/sample/other/s1x2", 404, html), ("/photos/sample/sample/s1/x", 404, html),
    ("/nowhere", 404, html), ("/favicon.ico", 404, html), ("/robots.txt", 404, html),
  ]

  @Test(arguments: RoutingTests.readable)
  func everyAddressAnswers(_ address: String, _ status: Int, _ type: String) async throws {
    let response = await Website.make().get(address)
    #expect(response.status.code == status)
    #expect(response["Content-Type"] == type)
  }

  @Test(arguments: RoutingTests.readable.filter { $0.2 != "text/event-stream" })
  func headTellsTheLengthOfWhatGetSends(
    _ address: String, _ status: Int, _ type: String
  ) async throws {
    let website = Website.make()
    let length = try await website.get(address).bytes.count
    let head = await website.send("HEAD", address, headers: [:])
    #expect(head.status.code == status)
    #expect(head["Content-Type"] == type)
    #expect(head["Content-Length"] == "\(length)")
    #expect(try head.bytes.isEmpty)
  }

  @Test func headOfTheStreamLeavesNobodyWatching() async throws {
    let website = Website.make()
    let head = await website.send("HEAD", "/tracking/events", headers: [:])
    #expect(head["Content-Type"] == "text/event-stream")
    #expect(try head.bytes.isEmpty)
    #expect(website.tracking.store.observerCount == 0)
  }

  @Test(arguments: [
    "/assets/../Package.swift", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets//page.css",
    "/assets/x/shared/page.css", "/photos/sample/..%2f..%2fetc.jpg", "/photos/sample/%00.jpg",
    "/photos/sample/a%20b.jpg", "/photos/sample/ä.jpg", "/../../etc/passwd", "/assets/page.css",
    "/assets", "/%ff", "/%fe/xx",
    "/photos/sample/\(String(repeating: "a", count: 65)).jpg",
  ])
  func noPathLeavesTheResources(_ address: String) async throws {
    let response = await Website.make().get(address)
    #expect(response.status == .notFound)
    #expect(try !response.text.contains("root:"))
  }

  @Test func anAddressWithAHostOfItsOwnShowsNothingOfIt() async throws {
    let response = await Website.make().get("//evil.example/")
    #expect(try !response.text.contains("evil.example"))
  }

  @Test(arguments: ["DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
  func otherMethodsAreRefused(_ method: String) async throws {
    for address in ["/", "/tracks", "/tracking/start"] {
      let response = await Website.make().send(method, address, headers: [:])
      #expect(response.status == .methodNotAllowed)
      #expect(response["Allow"] == "GET, HEAD, POST")
    }
  }

  /// Addresses that change something, with a form, the status and the place to look at.
  nonisolated static let writable: [(String, String, Int, String?)] = [
    ("/tracking/start", "track=1", 303, "/tracking"), ("/tracking/start", "", 303, "/tracking"),
    ("/tracking/start", "track=9", 303, "/tracking"),
    ("/tracking/start", "track=x", 303, "/tracking"), ("/tracking/pause", "", 303, "/tracking"),
    ("/tracking/resume", "", 303, "/tracking"), ("/tracking/stop", "", 303, "/tracking"),
    ("/tracking/speed", "speed=25", 303, "/tracking"),
    ("/tracking/speed", "speed=max", 303, "/tracking"),
    ("/tracking/speed", "speed=0.1", 303, "/tracking"),
    ("/tracking/speed", "speed=1000", 303, "/tracking"), ("/tracking/speed", "speed=0", 400, nil),
    ("/tracking/speed", "speed=1001", 400, nil), ("/tracking/speed", "speed=-1", 400, nil),
    ("/tracking/speed", "speed=nan", 400, nil), ("/tracking/speed", "speed=inf", 400, nil),
    ("/tracking/speed", "speed=fast", 400, nil), ("/tracking/speed", "", 400, nil),
    ("/tracking/position", "meters=300", 303, "/tracking"),
    ("/tracking/position", "meters=0", 303, "/tracking"),
    ("/tracking/position", "meters=1e300", 303, "/tracking"),
    ("/tracking/position", "meters=-1", 400, nil), ("/tracking/position", "meters=nan", 400, nil),
    ("/tracking/position", "meters=inf", 400, nil), ("/tracking/position", "", 400, nil),
    ("/tracking/permission", "answer=allow", 303, "/tracking"),
    ("/tracking/permission", "answer=deny", 303, "/tracking"), ("/tracking/fly", "", 404, nil),
    ("/tracking", "", 404, nil), ("/tracking/start/now", "", 404, nil), ("/", "", 404, nil),
    ("/cities/2852458/favorite", "favorite=1", 303, "/cities/2852458"),
    ("/cities/2852458/favorite", "favorite=0", 303, "/cities/2852458"),
    ("/cities/1/favorite", "favorite=1", 404, nil), ("/cities/x/favorite", "favorite=1", 404, nil),
    ("/cities/2852458/star", "", 404, nil), ("/cities/2852458", "", 404, nil),
    ("/tracks/1", "", 404, nil), ("/lists", "", 404, nil),
    ("/tracks/1/remove", "", 303, "/"), ("/tracks/9/remove", "", 303, "/"),
    ("/tracks/x/remove", "", 404, nil),
  ]

  @Test(arguments: RoutingTests.writable)
  func everyFormAnswers(
    _ address: String, _ form: String, _ status: Int, _ location: String?
  ) async throws {
    let website = Website.make()
    let response = await website.post(address, form)
    #expect(response.status.code == status)
    #expect(response["Location"] == location)
    await website.tracking.send(.stop)
  }

  @Test(arguments: RoutingTests.writable.filter { $0.2 == 303 && $0.0.hasPrefix("/tracking") })
  func aScriptIsNotRedirected(
    _ address: String, _ form: String, _ status: Int, _ location: String?
  ) async throws {
    let website = Website.make()
    let response = await website.postByScript(address, form)
    #expect(response.status == .noContent)
    #expect(response["Location"] == nil)
    #expect(try response.bytes.isEmpty)
    await website.tracking.send(.stop)
  }

  @Test(arguments: ["/tracking/start", "/tracking/position"])
  func withoutATrackOneIsSentHome(_ address: String) async throws {
    let response = await Website.make(tracks: []).post(address, "meters=1")
    #expect(response.status == .seeOther)
    #expect(response["Location"] == "/")
  }

  @Test(arguments: ["/tracking/start", "/tracking/speed", "/cities/2852458/favorite"])
  func aFormBeyondItsLimitIsRefused(_ address: String) async throws {
    let favorites = StubFavorites()
    let walks = TestWalks()
    let website = Website.make(walks, favorites: favorites)
    let response = await website.post(
      address, "track=1&favorite=1&speed=5&x=" + String(repeating: "y", count: 20_000))
    #expect(response.status == .payloadTooLarge)
    #expect(walks.made.isEmpty)
    #expect(favorites.log.isEmpty)
  }

  @Test func unknownAddressesLinkToHome() async throws {
    let page = try await Website.make().get("/nowhere").text
    #expect(page.contains("Nothing here"))
    #expect(page.contains("There is no page at this address."))
    #expect(page.contains("href=\"/\""))
  }
}
