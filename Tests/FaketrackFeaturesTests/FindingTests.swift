import PhotoSearch
import Testing

@testable import FaketrackFeatures

/// The checks of `faketrack doctor` that look at variables.
@Suite struct FindingTests {
  private static let key = "0123456789abcdef0123456789ABCDEF"

  @Test(
    arguments: [
      ([:], .ok, "none"),
      (["http_proxy": ""], .ok, "none"),
      (["http_proxy": "proxy.example:3128"], .ok, "http_proxy is http://proxy.example:3128"),
      (["https_proxy": "http://p.example/"], .ok, "https_proxy is http://p.example"),
      (["HTTPS_PROXY": "socks5h://[::1]:1080"], .ok, "HTTPS_PROXY is socks5h://[::1]:1080"),
      (["ALL_PROXY": "http://me:se@cr/et@p.example:80"], .ok, "ALL_PROXY is http://p.example:80"),
      (["https_proxy": "ftp://p.example"], .problem, "https_proxy is not the address of a proxy"),
      (["https_proxy": "p.example:http"], .problem, "https_proxy is not the address of a proxy"),
      (["https_proxy": "p.example:70000"], .problem, "https_proxy is not the address of a proxy"),
      (["all_proxy": "http://"], .problem, "all_proxy is not the address of a proxy"),
      (["HTTP_PROXY": "http://p.example"], .warning, "HTTP_PROXY is ignored"),
    ] as [([String: String], Finding.State, String)])
  func tellsTheProxies(environment: [String: String], state: Finding.State, text: String) {
    let findings = Finding.proxies(in: environment)
    #expect(findings.map(\.text) == [text])
    #expect(findings.map(\.state) == [state])
    #expect(findings.allSatisfy { ($0.hint != nil) == (state != .ok) })
  }

  @Test func tellsThatNoProxyIsUsed() {
    let environment = ["http_proxy": "p.example", "HTTP_PROXY": "p.example", "NO_PROXY": "*"]
    #expect(
      Finding.proxies(in: environment).map(\.text)
        == ["http_proxy is http://p.example", "NO_PROXY is *, so no proxy is used"])
  }

  @Test(
    arguments: [
      (.auto, "", .ok, "auto; FLICKR_API_KEY is not set, and only Flickr needs it"),
      (.provider(.flickr), " ", .problem, "--photos flickr needs a key"),
      (.auto, key, .ok, "auto; FLICKR_API_KEY is set"),
      (.auto, "abc", .warning, "auto; FLICKR_API_KEY does not look like a key of Flickr"),
    ] as [(PhotoSourceChoice, String, Finding.State, String)])
  func tellsWhetherThereIsAKey(
    choice: PhotoSourceChoice, key: String, state: Finding.State, text: String
  ) {
    let finding = Finding.photos(choice, in: ["FLICKR_API_KEY": key])
    #expect(finding.state == state)
    #expect(finding.text == text)
  }

  @Test func tellsWhichAddressesAreReplaced() {
    let environment = [
      "FAKETRACK_FLICKR_URL": "http://me:secret@cache.example:81/f?key=secret",
      "FAKETRACK_COMMONS_URL": "cache.example", "MINE": "https://own.example",
    ]
    let findings = Finding.endpoints(["MINE"], in: environment)
    #expect(findings.map(\.state) == [.ok, .problem, .ok])
    #expect(
      findings.map(\.text) == [
        "FAKETRACK_FLICKR_URL leads to cache.example:81",
        "FAKETRACK_COMMONS_URL is not the address of a service", "MINE leads to own.example",
      ])
    #expect(Finding.endpoints([], in: [:]).map(\.text) == ["the services' own"])
  }

  @Test(
    arguments: [
      (nil, [:], ["stdout is not a terminal"], [.ok]),
      (80, ["TERM": "dumb"], ["TERM is dumb"], [.warning]),
      (80, [:], ["TERM is not set"], [.warning]),
      (
        80, ["TERM": "xterm", "LANG": "en_US.UTF-8"], ["xterm, 80 × 24, color", "en_US.UTF-8"],
        [.ok, .ok]
      ),
      (
        80, ["TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C", "LANG": "C.utf8"],
        ["xterm, 80 × 24, NO_COLOR is set", "LC_ALL is C, without UTF-8"], [.ok, .warning]
      ),
      (40, ["TERM": "xterm"], ["xterm, 40 × 24, color", "none is set"], [.warning, .warning]),
    ] as [(Int?, [String: String], [String], [Finding.State])])
  func tellsWhatTheTerminalCan(
    columns: Int?, environment: [String: String], texts: [String], states: [Finding.State]
  ) {
    let findings = Finding.terminal(columns.map { ($0, 24) }, in: environment)
    #expect(findings.map(\.text) == texts)
    #expect(findings.map(\.state) == states)
  }

  @Test func tellsWhetherTimeZonesAreKnown() {
    #expect(Finding.timeZones().state == .ok)
    #expect(Finding.timeZones(offset: nil).hint == "Install tzdata.")
    #expect(Finding.timeZones(offset: 0).state == .warning)
  }
}
