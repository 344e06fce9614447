import FlyingFox
import Testing

@testable import FaketrackWeb

@Suite struct AccessPolicyTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:8080", true), ("127.0.0.1", "localhost:8080", true),
    ("127.0.0.1", "LOCALHOST", true), ("127.0.0.1", "[::1]:8080", true),
    ("127.0.0.1", "evil.example:8080", false), ("127.0.0.1", "127.0.0.1.evil.example", false),
    ("127.0.0.1", "192.168.1.5:8080", false), ("127.0.0.1", "", false),
    ("127.0.0.1", "localhost:80:80", false), ("127.0.0.1", "[::1]evil.example", false),
    ("192.168.1.5", "192.168.1.5:8080", true), ("192.168.1.5", "192.168.1.6:8080", false),
    ("::1", "[::1]:99", true), ("0.0.0.0", "10.1.2.3:8080", true),
    ("0.0.0.0", "[fe80::1]:8080", true), ("0.0.0.0", "evil.example", false),
    ("0.0.0.0", "1.evil.example", false), ("::", "10.1.2.3", true),
  ])
  func admitsOnlyItsOwnNames(listening: String, host: String, isAdmitted: Bool) {
    #expect(AccessPolicy(listeningOn: listening).admits(host: host) == isAdmitted)
  }

  @Test func aRequestWithoutAHostIsRefused() {
    #expect(!AccessPolicy(listeningOn: "127.0.0.1").admits(host: nil))
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", nil, true), ("HTTP://127.0.0.1:8080", nil, true),
    ("http://127.0.0.1:8081", nil, false), ("https://127.0.0.1:8080", nil, false),
    ("http://evil.example", nil, false), ("null", nil, false), ("", nil, false),
    ("null", "same-origin", false), (nil, "same-origin", true), (nil, "cross-site", false),
    (nil, "none", false), (nil, nil, false),
  ])
  func changesComeFromItsOwnPages(origin: String?, site: String?, isOwn: Bool) {
    var headers: HTTPHeaders = [.host: "127.0.0.1:8080"]
    if let origin { headers[HTTPHeader("Origin")] = origin }
    if let site { headers[HTTPHeader("Sec-Fetch-Site")] = site }
    #expect(AccessPolicy(listeningOn: "127.0.0.1").isFromOwnPage(headers) == isOwn)
  }
}

@Suite struct ContentPolicyTests {
  @Test func scriptsAndStylesComeFromThePageAlone() {
    let policy = ContentPolicy(photos: .sample, tiles: nil).pages
    #expect(policy.contains("default-src 'none'"))
    #expect(policy.contains("script-src 'self';"))
    #expect(policy.contains("style-src 'self';"))
    #expect(policy.contains("img-src 'self';"))
    #expect(!policy.contains("unsafe"))
  }

  @Test func imagesComeFromTheSourceInUseAndTheTiles() throws {
    let tiles = try #require(
      TileTemplate("https://tiles.example:8443/{z}/{x}/{y}.png", attribution: nil))
    #expect(
      ContentPolicy(photos: .commons, tiles: tiles).pages.contains(
        "img-src 'self' https://upload.wikimedia.org https://tiles.example:8443;"))
    #expect(
      ContentPolicy(photos: .flickr, tiles: nil).pages.contains(
        "img-src 'self' https://live.staticflickr.com;"))
    #expect(ContentPolicy(photos: nil, tiles: nil).pages.contains("img-src 'self';"))
  }

  @Test(arguments: [
    "https://tiles.example/{z}/{x}.png", "ftp://tiles.example/{z}/{x}/{y}", "{z}/{x}/{y}",
    "https://user:secret@tiles.example/{z}/{x}/{y}", "https:///{z}/{x}/{y}",
    "https://*/{z}/{x}/{y}", "https://a;script-src/{z}/{x}/{y}",
  ])
  func refusesTemplatesThatAreNone(_ text: String) {
    #expect(TileTemplate(text, attribution: nil) == nil)
  }
}
