import FaketrackFeatures
import FaketrackServer
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct WayBackTests {
  /// The link back on a page, as its address and its text.
  private func link(on page: String) throws -> [String] {
    let match = try #require(page.firstMatch(of: /<p class="back"><a href="([^"]*)">([^<]*)<\/a>/))
    return [String(match.1).replacing("&amp;", with: "&"), String(match.2)]
  }

  /// The page that the browser came from, and where the page of Potsdam leads back to.
  nonisolated static let referrers: [(String?, String, String)] = [
    (nil, "/cities", "‹ Cities"), ("/cities", "/cities", "‹ Cities"),
    ("/cities?q=pots", "/cities?q=pots", "‹ Cities"),
    ("/cities?q=pots&favorites=1", "/cities?q=pots&favorites=1", "‹ Cities"),
    ("/cities?sort=population&q=a+b", "/cities?q=a%20b&sort=population", "‹ Cities"),
    ("/cities?q=pots&page=3&utm=1", "/cities?q=pots", "‹ Cities"),
    ("/cities?country=DE", "/cities?country=DE", "‹ Cities"),
    ("/cities/2950159", "/cities/2950159", "‹ Berlin"),
    ("/cities/2950159?from=%2Flists", "/cities/2950159", "‹ Berlin"),
    ("/cities/2852458", "/cities", "‹ Cities"), ("/cities/1", "/cities", "‹ Cities"),
    ("/tracking", "/tracking", "‹ Tracking"), ("/", "/", "‹ Home"), ("/?wait=1", "/", "‹ Home"),
    ("/lists?sort=natural", "/lists", "‹ Lists"), ("/about", "/about", "‹ About"),
    ("/nowhere", "/cities", "‹ Cities"), ("", "/cities", "‹ Cities"),
    ("//evil.example/cities", "/cities", "‹ Cities"),
    (".evil.example/tracking", "/cities", "‹ Cities"),
  ]

  @Test(arguments: WayBackTests.referrers)
  func leadsToWhereOneCameFrom(_ referrer: String?, address: String, text: String) async throws {
    let page = try await Website.make().page("/cities/2852458", from: referrer)
    #expect(try link(on: page) == [address, text])
  }

  @Test(arguments: [
    "http://evil.example/tracking", "https://127.0.0.1:8080/tracking",
    "http://127.0.0.1:8081/tracking", "http://127.0.0.1/tracking", "tracking", "/tracking", "",
    "http://127.0.0.1:8080", "http://127.0.0.1:8080tracking",
  ])
  func otherServersLeadNowhere(_ referrer: String) async throws {
    let response = await Website.make().get(
      "/cities/2852458", headers: ["Referer": referrer])
    #expect(try link(on: response.text) == ["/cities", "‹ Cities"])
  }

  @Test func theCaseOfTheHostDoesNotMatter() async throws {
    let response = await Website.make().get(
      "/cities/2852458",
      headers: ["Host": "LOCALHOST:8080", "Referer": "http://localhost:8080/tracking"])
    #expect(try link(on: response.text) == ["/tracking", "‹ Tracking"])
  }

  @Test(arguments: [
    ("from=%2Ftracking", "/tracking"),
    ("from=%2Fcities%3Fq%3Dpots%26favorites%3D1", "/cities?q=pots&favorites=1"),
    ("from=%2Fcities%2F2852458", "/cities"), ("from=http%3A%2F%2Fevil.example%2F", "/about"),
    ("from=%2F%2Fevil.example%2F", "/about"), ("from=nowhere", "/about"), ("from=", "/"),
  ])
  func theAddressCountsBeforeTheBrowser(_ query: String, address: String) async throws {
    let page = try await Website.make().page("/cities/2852458?\(query)", from: "/about")
    #expect(try link(on: page).first == address)
  }

  @Test func survivesTheWaitForASummaryWithoutScripts() async throws {
    let gate = Gate()
    let website = Website.make(summaries: StubSummaries(gate: gate), loadTimeout: .zero)
    let page = try await website.page("/cities/2852458", from: "/cities?q=pots")
    let address = "/cities/2852458?from=%2Fcities%3Fq%3Dpots"
    #expect(page.contains("href=\"\(address)&amp;wait=1\""))
    await Task { gate.open() }.value
    let whole = try await website.page("\(address)&wait=1", from: "/cities/2852458")
    #expect(try link(on: whole) == ["/cities?q=pots", "‹ Cities"])
  }

  @Test func survivesAStarWithoutScripts() async throws {
    let website = Website.make()
    let page = try await website.page("/cities/2852458", from: "/cities?q=pots&favorites=1")
    let field = "<input type=\"hidden\" name=\"from\" value=\"/cities?q=pots&amp;favorites=1\">"
    #expect(page.components(separatedBy: field).count == 10, "its own star and eight neighbors'")
    let response = await website.post(
      "/cities/2852458/favorite", "favorite=1&from=%2Fcities%3Fq%3Dpots%26favorites%3D1",
      headers: ["Referer": "http://\(Website.host)/cities/2852458"])
    let address = try #require(response["Location"])
    #expect(address == "/cities/2852458?from=%2Fcities%3Fq%3Dpots%26favorites%3D1")
    let after = try await website.page(address, from: "/cities/2852458")
    #expect(try link(on: after) == ["/cities?q=pots&favorites=1", "‹ Cities"])
    #expect(after.contains("aria-pressed=\"true\""))
  }

  @Test func theStarOfANeighborStaysOnThePage() async throws {
    let response = await Website.make().post(
      "/cities/2950159/favorite", "favorite=1&from=%2Ftracking",
      headers: ["Referer": "http://\(Website.host)/cities/2852458"])
    #expect(response["Location"] == "/cities/2852458?from=%2Ftracking")
  }

  @Test(arguments: [
    ("/cities?q=pots", "/cities?q=pots"), ("/cities?page=2", "/cities"), (nil, "/cities/2852458"),
  ])
  func aStarInAListLeadsBackToTheList(_ referrer: String?, location: String) async throws {
    var headers: WebHeaders = [:]
    headers["Referer"] = referrer.map { "http://\(Website.host)\($0)" }
    let response = await Website.make().post(
      "/cities/2852458/favorite", "favorite=1", headers: headers)
    #expect(response["Location"] == location)
  }

  @Test(arguments: ["javascript:alert(1)", "//evil.example/", "http://evil.example/", "nowhere"])
  func aForeignWayBackIsDropped(_ from: String) async throws {
    let escaped = from.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let response = await Website.make().post(
      "/cities/2852458/favorite", "favorite=1&from=\(escaped)",
      headers: ["Referer": "http://\(Website.host)/cities/2852458"])
    #expect(response["Location"] == "/cities/2852458")
  }
}
