import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackWeb

@Suite struct AccessPolicyTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:8080", true), ("127.0.0.1", "localhost:8080", true),
    ("127.0.0.1", "LOCALHOST", true), ("127.0.0.1", "[::1]:8080", true),
    ("127.0.0.1", "evil.example:8080", false), ("127.0.0.1", "127.0.0.1.evil.example", false),
    ("127.0.0.1", "192.168.1.5:8080", false), ("127.0.0.1", "", false),
    ("127.0.0.1", ":8080", false), ("127.0.0.1", "localhost:80:80", false),
    ("127.0.0.1", "[::1]evil.example", false), ("127.0.0.1", "[::1", false),
    ("127.0.0.1", "[]", false), ("192.168.1.5", "192.168.1.5:8080", true),
    ("192.168.1.5", "192.168.1.6:8080", false), ("::1", "[::1]:99", true),
    ("FE80::1", "[fe80::1]:99", true), ("0.0.0.0", "10.1.2.3:8080", true),
    ("0.0.0.0", "[fe80::1]:8080", true), ("0.0.0.0", "evil.example", false),
    ("0.0.0.0", "1.evil.example", false), ("::", "10.1.2.3", true), ("::", "[2001:db8::1]", true),
  ])
  func admitsItsOwnNamesAlone(listening: String, host: String, isAdmitted: Bool) {
    #expect(AccessPolicy(listeningOn: listening).admits(host: host) == isAdmitted)
  }

  @Test func aRequestWithoutAHostIsRefused() {
    #expect(!AccessPolicy(listeningOn: "127.0.0.1").admits(host: nil))
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", nil, true), ("HTTP://127.0.0.1:8080", nil, true),
    ("http://127.0.0.1:8081", nil, false), ("https://127.0.0.1:8080", nil, false),
    ("http://evil.example", nil, false), ("null", nil, false), ("", nil, false),
    ("null", "same-origin", false), (nil, "same-origin", true), (nil, "same-site", false),
    (nil, "cross-site", false), (nil, "none", false), (nil, nil, false),
  ])
  func changesComeFromItsOwnPages(origin: String?, site: String?, isOwn: Bool) {
    var headers: WebHeaders = ["Host": "127.0.0.1:8080"]
    if let origin { headers["Origin"] = origin }
    if let site { headers["Sec-Fetch-Site"] = site }
    #expect(AccessPolicy(listeningOn: "127.0.0.1").isFromOwnPage(headers) == isOwn)
  }

  @Test func withoutAHostNoPageIsItsOwn() {
    let headers: WebHeaders = ["Origin": "http://127.0.0.1:8080"]
    #expect(!AccessPolicy(listeningOn: "127.0.0.1").isFromOwnPage(headers))
  }

  @Test(
    arguments: [
      ("cross-site", "no-cors", "image", true), ("cross-site", "cors", "empty", true),
      ("cross-site", "navigate", "iframe", true), ("cross-site", "navigate", "document", false),
      ("same-site", "no-cors", "script", true), ("same-site", "navigate", "document", false),
      ("same-origin", "cors", "empty", false), ("none", "navigate", "document", false),
      (nil, nil, nil, false),
    ] as [(String?, String?, String?, Bool)])
  func otherSitesMayOnlyLink(
    site: String?, mode: String?, destination: String?, isFromElsewhere: Bool
  ) async {
    var headers: WebHeaders = [:]
    headers["Sec-Fetch-Site"] = site
    headers["Sec-Fetch-Mode"] = mode
    headers["Sec-Fetch-Dest"] = destination
    #expect(AccessPolicy(listeningOn: "127.0.0.1").isFromElsewhere(headers) == isFromElsewhere)
    let website = await Website.make()
    let response = await website.get("/cities?q=pots", headers: headers)
    #expect(response.status == (isFromElsewhere ? .forbidden : .ok))
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]"), ("localhost", "localhost")])
  func writesHostsAsTheyStandInAddresses(_ host: String, _ written: String) {
    #expect(HostAndPort.bracketed(host) == written)
  }
}

@Suite struct ContentPolicyTests {
  @Test func scriptsAndStylesComeFromThePageAlone() {
    let policy = ContentPolicy.pages(imagesFrom: ["https://tile.openstreetmap.org"])
    let directives = Set(policy.split(separator: "; ").map(String.init))
    #expect(
      directives == [
        "default-src 'none'", "script-src 'self'", "style-src 'self'",
        "img-src 'self' https://tile.openstreetmap.org",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
      ])
  }

  @Test(
    arguments: [
      ([], nil, "'self' https://tile.openstreetmap.org"),
      (
        ["https://live.staticflickr.com", "https://upload.wikimedia.org"], nil,
        "'self' https://live.staticflickr.com https://upload.wikimedia.org "
          + "https://tile.openstreetmap.org"
      ),
      (
        ["https://upload.wikimedia.org"], "https://tiles.example:8443/{z}/{x}/{y}.png",
        "'self' https://upload.wikimedia.org https://tiles.example:8443"
      ),
      ([], "http://localhost/{z}/{x}/{y}?key=1", "'self' http://localhost"),
    ] as [([String], String?, String)])
  func imagesComeFromTheHostsOfThePhotosAndTheTiles(
    hosts: [String], template: String?, sources: String
  ) async {
    let tiles = template.flatMap { TileTemplate($0, attribution: nil) }
    #expect((template == nil) == (tiles == nil))
    let website = await Website.make(imageHosts: hosts, tiles: tiles)
    let policy = await website.get("/").headers["Content-Security-Policy"]
    #expect(policy?.contains("img-src \(sources);") == true)
  }
}

@Suite struct TileTemplateTests {
  @Test(arguments: [
    "https://tiles.example/{z}/{x}.png", "ftp://tiles.example/{z}/{x}/{y}", "{z}/{x}/{y}",
    "https://user:secret@tiles.example/{z}/{x}/{y}", "https:///{z}/{x}/{y}", "",
    "https://user@tiles.example/{z}/{x}/{y}", "https://*/{z}/{x}/{y}", "javascript:{z}{x}{y}",
    "https://a;script-src/{z}/{x}/{y}", "https://a,b/{z}/{x}/{y}", "/{z}/{x}/{y}",
  ])
  func refusesWhatIsNoTemplate(_ text: String) {
    #expect(TileTemplate(text, attribution: nil) == nil)
  }

  @Test(arguments: [
    ("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example", "Tiles: tiles.example"),
    ("HTTPS://Tiles.example:81/{z}/{x}/{y}", "https://Tiles.example:81", "Tiles: Tiles.example"),
    ("http://127.0.0.1:9/{y}/{x}/{z}@2x", "http://127.0.0.1:9", "Tiles: 127.0.0.1"),
  ])
  func knowsItsOriginAndACredit(_ text: String, origin: String, credit: String) throws {
    let tiles = try #require(TileTemplate(text, attribution: nil))
    #expect(tiles.origin == origin)
    #expect(tiles.attribution == credit)
    #expect(tiles.text == text)
  }

  @Test func theStreetMapIsATemplateToo() throws {
    let map = TileTemplate.openStreetMap
    let read = try #require(TileTemplate(map.text, attribution: map.attribution))
    #expect(read.origin == map.origin && read.text == map.text)
    #expect(
      map.credit.map { $0.link?.absoluteString } == ["https://www.openstreetmap.org/copyright"])
    #expect(map.site == "openstreetmap.org")
  }

  @Test func theCreditThatIsGivenCounts() throws {
    let tiles = try #require(
      TileTemplate("https://tiles.example/{z}/{x}/{y}", attribution: "© Somebody"))
    #expect(tiles.attribution == "© Somebody")
  }
}

@MainActor
@Suite struct SecurityHeaderTests {
  nonisolated static let addresses = [
    "/", "/tracking", "/cities", "/cities/2852458", "/lists", "/about", "/nowhere", "/tracks/1",
    "/map/cities", "/photos/sample/s_z.jpg", "/tracking/events",
  ]

  @Test(arguments: SecurityHeaderTests.addresses)
  func everyAnswerIsGuarded(_ address: String) async throws {
    let response = await Website.make().get(address)
    #expect(response["X-Content-Type-Options"] == "nosniff")
    #expect(response["Referrer-Policy"] == "same-origin")
    #expect(response["Cross-Origin-Opener-Policy"] == "same-origin")
    #expect(response["Cross-Origin-Resource-Policy"] == "same-origin")
    #expect(response["Permissions-Policy"]?.contains("geolocation=()") == true)
    #expect(response["Content-Security-Policy"]?.contains("default-src 'none'") == true)
  }

  @Test func refusalsAreGuardedToo() async throws {
    let website = Website.make()
    let refusals = [
      await website.send("GET", "/", headers: ["Host": "evil.example"]),
      await website.send("POST", "/tracks", headers: [:]),
      await website.send("DELETE", "/", headers: [:]),
    ]
    for response in refusals {
      #expect(response["Content-Security-Policy"]?.contains("default-src 'none'") == true)
      #expect(response["X-Content-Type-Options"] == "nosniff")
      #expect(response["Cache-Control"] == "no-store")
    }
  }

  @Test func imagesLoadNothingAtAll() async throws {
    let website = Website.make(imageHosts: ["https://photos.example"])
    let image = await website.get("/photos/sample/s1_z.jpg")
    #expect(image["Content-Security-Policy"] == ContentPolicy.images)
    #expect(image["Content-Security-Policy"]?.contains("photos.example") == false)
    let icon = await website.get(PageResources.shared.address(of: "shared/icon.svg"))
    #expect(icon["Content-Security-Policy"] == ContentPolicy.images)
  }

  @Test func pagesMayLoadFromTheHostsThatWereNamed() async throws {
    let tiles = try #require(
      TileTemplate("https://tiles.example/{z}/{x}/{y}", attribution: nil))
    let website = Website.make(imageHosts: ["https://photos.example"], tiles: tiles)
    let policy = await website.get("/")["Content-Security-Policy"]
    #expect(
      policy?.contains("img-src 'self' https://photos.example https://tiles.example;") == true)
  }

  @Test(arguments: SecurityHeaderTests.addresses.filter { !$0.hasPrefix("/photos") })
  func changingAnswersAreNotStored(_ address: String) async throws {
    #expect(await Website.make().get(address)["Cache-Control"] == "no-store")
  }

  @Test(arguments: [
    "/", "/tracking", "/cities?q=a", "/cities/2852458", "/lists", "/about", "/x",
    "/photos/sample/sample/s1",
  ])
  func pagesHaveNoInlineScriptOrStyle(_ address: String) async throws {
    let page = try await Website.make().get(address).text
    #expect(!page.contains(" style=") && !page.contains("<style"))
    #expect(page.firstMatch(of: /<script(?![^>]*\ssrc=)/) == nil)
    #expect(page.firstMatch(of: /\son[a-z]+=/) == nil)
  }

  @Test func otherHostsAreRefused() async throws {
    let website = Website.make()
    for method in ["GET", "HEAD", "POST"] {
      let response = await website.send(method, "/", headers: ["Host": "evil.example"])
      #expect(response.status.code == 421)
      #expect(try !response.text.contains("walk.gpx"))
    }
  }

  @Test(arguments: [
    "/tracking/start", "/tracking/stop", "/tracking/speed", "/tracking/permission", "/tracks",
    "/cities/2852458/favorite",
  ])
  func onlyItsOwnPagesChangeAnything(_ address: String) async throws {
    let walks = TestWalks()
    let favorites = StubFavorites()
    let website = Website.make(walks, favorites: favorites)
    for origin in ["http://evil.example", "null", "http://127.0.0.1:9999", ""] {
      let response = await website.post(
        address, "track=1&favorite=1", headers: ["Origin": origin])
      #expect(response.status == .forbidden)
    }
    #expect(await website.get(address).status == .notFound)
    #expect(walks.made.isEmpty)
    #expect(favorites.log.isEmpty)
    #expect(website.tracking.catalog.entries.count == 1)
  }

  @Test func textsFromElsewhereStayTexts() async throws {
    let hostile = "<img src=x onerror=alert(1)>\"'"
    let website = Website.make(
      TestWalks(
        photos: StubPhotos(title: hostile, owner: hostile, page: "javascript:alert(1)")),
      tracks: [Walks.track(kilometers: 1, name: hostile)], summaries: StubSummaries(hostile),
      feed: StubFeed("[{\"id\":1,\"listId\":1,\"name\":\"<b>bold</b>\"}]"))
    await website.tracking.walk()
    #expect(website.tracking.state.photos.count > 0)
    let search = "/cities?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E"
    for address in ["/", "/tracking", "/cities/2852458", "/lists", search] {
      let page = try await website.get(address).text
      #expect(!page.contains("<img src=x") && !page.contains("<b>"))
      #expect(!page.contains("<script>") && !page.contains("javascript:"))
    }
    #expect(try await website.get("/tracking").text.contains("&lt;img src=x onerror"))
  }
}
