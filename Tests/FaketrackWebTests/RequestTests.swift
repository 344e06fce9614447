import FaketrackFeatures
import FaketrackServer
import Foundation
import Testing

@testable import FaketrackWeb

@Suite struct RequestReadingTests {
  private func request(
    _ path: String = "/", query: String = "", headers: WebHeaders = [:], body: [UInt8] = []
  ) -> WebRequest {
    WebRequest(
      method: "POST", target: query.isEmpty ? path : "\(path)?\(query)", headers: headers,
      body: .bytes(body))
  }

  @Test(
    arguments: [
      ("/", []), ("/a", ["a"]), ("/a/b/", ["a", "b"]), ("//a", ["a"]), ("/a%2Fb", ["a%2Fb"]),
    ] as [(String, [String])])
  func namesOfThePathStayEscaped(_ path: String, names: [String]) {
    #expect(request(path).pathNames.map(String.init) == names)
  }

  @Test(
    arguments: [
      ("q=a+b", "a b"), ("q=%C3%BC", "ü"), ("x=1&q=2&q=3", "2"), ("q", ""), ("", nil), ("Q=1", nil),
    ] as [(String, String?)])
  func itemsOfTheQueryAreRead(_ query: String, value: String?) {
    #expect(request(query: query).item("q") == value)
  }

  @Test(arguments: [(0, 0, true), (10, 10, true), (11, 10, false), (1, 0, false)])
  func theBodyIsReadUpToItsLimit(count: Int, limit: Int, isRead: Bool) throws {
    let bytes = (0..<count).map { UInt8($0) }
    let request = request(body: bytes)
    if isRead {
      #expect(try request.body(limit: limit) == bytes)
    } else {
      #expect(throws: WebRequest.BodyTooLong.self) { try request.body(limit: limit) }
    }
  }

  @Test func aFormIsRead() throws {
    #expect(try request(body: Array("a=1&b=2".utf8)).form()["b"] == "2")
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 16 * 1_024 + 1)
    #expect(throws: WebRequest.BodyTooLong.self) { try request(body: long).form() }
  }

  @Test(
    arguments: [
      ("127.0.0.1:80", "http://127.0.0.1:80/tracking", Route.tracking),
      ("127.0.0.1:80", "HTTP://127.0.0.1:80/lists?sort=natural", .lists),
      ("[::1]:80", "http://[::1]:80/cities/7", .city(id: 7)),
      ("[::1]:80", "http://[::1]:80/cities?q=a%20b", .cities(CityListQuery(text: "a b"))),
      ("127.0.0.1:80", "http://127.0.0.1:80", nil), ("127.0.0.1:80", "http://127.0.0.1:8/", nil),
      ("127.0.0.1", "http://127.0.0.1:80/tracking", nil),
      ("127.0.0.1:80", "http://127.0.0.1:80/nowhere", nil),
      ("127.0.0.1:80", "http://127.0.0.1:80//evil.example/", nil),
      ("127.0.0.1:80", "http://user@127.0.0.1:80/tracking", nil), ("127.0.0.1:80", "", nil),
    ] as [(String, String, Route?)])
  func theOriginIsAScreenOfThisServer(_ host: String, referrer: String, route: Route?) {
    let request = request(headers: ["Host": host, "Referer": referrer])
    #expect(request.origin == route)
  }

  @Test func withoutHeadersThereIsNoOrigin() {
    #expect(request().origin == nil)
    #expect(request(headers: ["Host": "a"]).origin == nil)
    #expect(request(headers: ["Referer": "http://a/"]).origin == nil)
  }

  @Test func scriptsSayThatTheyAreScripts() {
    #expect(!request().isFromScript)
    #expect(request(headers: ["X-Faketrack": "1"]).isFromScript)
  }
}

@Suite struct ReplyTests {
  private struct Unwritable: Encodable {
    let number = Double.nan
  }

  @Test func repliesHaveTheirStatusAndType() async throws {
    let html = WebResponse.html(tag("p", text: "ü"), status: .notFound)
    #expect(html.status == .notFound && html["Content-Type"] == "text/html; charset=utf-8")
    #expect(try html.text == "<p>ü</p>")
    let text = WebResponse.text("no", status: .badRequest)
    #expect(text["Content-Type"] == "text/plain; charset=utf-8")
    #expect(try text.text == "no\n")
    let away = WebResponse.seeOther("/lists")
    #expect(away.status == .seeOther && away["Location"] == "/lists")
    #expect(WebResponse.noContent.status == .noContent)
  }

  @Test func valuesAreWrittenInOrderAndWithPlainSlashes() async throws {
    let response = WebResponse.json(["b": "/x", "a": "é\""])
    #expect(response["Content-Type"] == "application/json")
    #expect(try response.text == "{\"a\":\"é\\\"\",\"b\":\"/x\"}")
  }

  @Test func aValueThatCannotBeWrittenIsAnError() {
    #expect(WebResponse.json(Unwritable()).status == .internalServerError)
  }
}

@Suite struct CityListItemTests {
  @Test func aStarHasOnlyTheFieldsThatItNeeds() {
    let plain = CityListItem.star(id: 7, name: "A & B", isFavorite: false).markup
    #expect(plain.contains("action=\"/cities/7/favorite\"") && plain.contains("data-star"))
    #expect(plain.contains("aria-label=\"Favorite: A &amp; B\""))
    #expect(plain.contains("aria-pressed=\"false\""))
    #expect(!plain.contains("name=\"from\"") && !plain.contains("name=\"text\""))
    let full = CityListItem.star(
      id: 7, name: "A", isFavorite: true, hasText: true,
      origin: .cities(CityListQuery(text: "a&b", favoritesOnly: true))
    ).markup
    #expect(full.contains("name=\"from\" value=\"/cities?q=a%26b&amp;favorites=1\""))
    #expect(
      full.contains("name=\"text\" value=\"1\"") && full.contains("name=\"favorite\" value=\"0\""))
  }

  @Test(arguments: [Route.tracking, .cities(CityListQuery(text: "a&b=c d+e/é?#")), .home])
  func theAddressOfAPageBringsItsOriginBack(_ origin: Route) throws {
    let address = CityPage.address(of: 7, from: origin)
    #expect(Route(address: address) == .city(id: 7))
    let query = try #require(address.split(separator: "?", maxSplits: 1).last)
    let from = try #require(FormFields(Array(query.utf8))["from"])
    #expect(Route(address: from) == origin)
  }

  @Test func withoutAnOriginTheAddressIsThatOfTheScreen() {
    #expect(CityPage.address(of: 7, from: nil) == "/cities/7")
  }
}

@MainActor
@Suite struct EventStreamAddressTests {
  /// The first message of the stream.
  private func first(of response: WebResponse) async throws -> String {
    guard case .stream(let messages) = response.body else { return "" }
    for try await message in messages { return String(decoding: message, as: UTF8.self) }
    return ""
  }

  @Test func aBrowserThatHasNothingGetsAll() async throws {
    let website = Website.make()
    await website.tracking.walk()
    let text = try await first(of: website.get("/tracking/events"))
    #expect(text.hasPrefix("retry: 1000\n\nevent: reset\nid: \(website.generation)-1.11\ndata: {"))
    #expect(text.contains("\n\nevent: state\n") && text.hasSuffix("\n\n"))
  }

  @Test(arguments: [true, false])
  func aBrowserThatComesBackGetsTheRest(isByHeader: Bool) async throws {
    let website = Website.make()
    await website.tracking.walk()
    let id = "\(website.generation)-1.9"
    let response =
      isByHeader
      ? await website.get("/tracking/events", headers: ["Last-Event-ID": id])
      : await website.get("/tracking/events?after=\(id)")
    let text = try await first(of: response)
    #expect(text.contains("event: photos\n") && !text.contains("event: reset"))
    #expect(text.contains("photo-11") && text.contains("photo-10") && !text.contains("photo-9"))
  }

  @Test func theHeaderIsNewerThanTheAddress() async throws {
    let website = Website.make()
    await website.tracking.walk()
    let response = await website.get(
      "/tracking/events?after=\(website.generation)-1.2",
      headers: ["Last-Event-ID": "\(website.generation)-1.11"])
    let text = try await first(of: response)
    #expect(!text.contains("event: photos") && text.contains("event: state"))
  }

  @Test func anIdOfAServerBeforeStartsOver() async throws {
    let website = Website.make()
    await website.tracking.walk()
    let text = try await first(of: website.get("/tracking/events?after=before-1.9"))
    #expect(text.contains("event: reset\n"))
  }

  @Test func twoServersHaveDifferentWalks() {
    let generations = Set((0..<20).map { _ in Website.make(tracks: []).generation })
    #expect(generations.count > 15)
    #expect(generations.allSatisfy { !$0.contains(".") && !$0.contains("-") })
  }
}
