import FaketrackFeatures
import FlyingFox
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct WebsiteTests {
  @Test(arguments: [
    ("/", 200), ("/tracking", 200), ("/cities", 200), ("/cities?q=pots", 200),
    ("/cities/2852458", 200), ("/cities/1", 404), ("/lists", 200), ("/about", 200),
    ("/nowhere", 404), ("/tracks/1", 200), ("/tracks/2", 404), ("/tracks/x", 404),
    ("/map/cities?box=12,52,14,53", 200), ("/map/cities", 400), ("/map/cities?box=1,2,3", 400),
    ("/map/cities?box=nan,0,1,1", 400), ("/map/cities?box=-181,0,1,1", 400),
    ("/photos/sample/s1x2_z.jpg", 200), ("/photos/sample/sample/s1x2", 200),
    ("/photos/sample", 404), ("/photos/other/x.jpg", 404),
  ])
  func addressesAnswer(_ address: String, _ status: Int) async throws {
    let response = await (try Website.make()).get(address)
    #expect(response.statusCode.code == status)
  }

  @Test(arguments: [
    "/assets/../Package.swift", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets//page.css",
    "/assets/x/page.css", "/photos/sample/..%2f..%2fetc.jpg", "/photos/sample/%00.jpg",
    "/../../etc/passwd", "/assets/page.css", "//evil.example/", "/assets",
  ])
  func noPathLeavesThePagesResources(_ address: String) async throws {
    let response = await (try Website.make()).get(address)
    #expect(response.statusCode.code == 404 || address == "//evil.example/")
    #expect(try await !response.text.contains("root:"))
  }

  @Test(arguments: ["page.css", "page.mjs", "map.mjs", "tracking.mjs", "icon.svg"])
  func resourcesAreNamedByTheirContentAndKept(_ name: String) async throws {
    let website = try Website.make()
    let address = PageResources.shared.address(of: name)
    let response = await website.get(address)
    #expect(response.statusCode == .ok)
    #expect(response["Cache-Control"]?.contains("immutable") == true)
    let tag = try #require(response["ETag"])
    let again = await website.get(address, headers: [HTTPHeader("If-None-Match"): tag])
    #expect(again.statusCode == .notModified)
    #expect(try await again.bodyData.isEmpty)
  }

  @Test func everyAnswerIsGuarded() async throws {
    let website = try Website.make()
    for address in ["/", "/nowhere", "/tracks/1", "/photos/sample/s_z.jpg", "/tracking/events"] {
      let response = await website.get(address)
      #expect(response["X-Content-Type-Options"] == "nosniff")
      #expect(response["Referrer-Policy"] == "same-origin")
      #expect(response["Content-Security-Policy"]?.contains("default-src 'none'") == true)
      #expect(response["Connection"] == "close")
    }
    #expect(await website.get("/")["Cache-Control"] == "no-store")
  }

  @Test func pagesHaveNoScriptOrStyleOfTheirOwn() async throws {
    let website = try Website.make()
    for address in ["/", "/tracking", "/cities?q=a", "/cities/2852458", "/lists", "/about", "/x"] {
      let page = try await website.get(address).text
      #expect(!page.contains(" style=") && !page.contains("<style"))
      #expect(page.firstMatch(of: /<script(?![^>]*\ssrc=)/) == nil)
      #expect(page.firstMatch(of: /\son[a-z]+=/) == nil)
    }
  }

  @Test func otherHostsAreRefused() async throws {
    let website = try Website.make()
    for method in [HTTPMethod.GET, .POST] {
      let response = await website.send(method, "/", headers: [.host: "evil.example"])
      #expect(response.statusCode.code == 421)
      #expect(try await !response.text.contains("track"))
    }
  }

  @Test(arguments: [
    "/tracking/start", "/tracking/stop", "/tracking/speed", "/tracks", "/cities/2852458/favorite",
  ])
  func onlyThePageItselfChangesAnything(_ address: String) async throws {
    let workshop = WalkWorkshop()
    let website = try Website.make(workshop)
    for origin in ["http://evil.example", "null", "http://127.0.0.1:9999"] {
      let response = await website.post(address, "track=1", headers: [HTTPHeader("Origin"): origin])
      #expect(response.statusCode == .forbidden)
    }
    let get = await website.get(address)
    #expect(get.statusCode == .notFound)
    #expect(workshop.made.isEmpty)
  }

  @Test func otherMethodsAreRefused() async throws {
    let response = await (try Website.make()).send(.DELETE, "/", headers: [:])
    #expect(response.statusCode == .methodNotAllowed)
    #expect(response["Allow"] == "GET, HEAD, POST")
  }

  @Test func headHasTheLengthAndNoBody() async throws {
    let website = try Website.make()
    let whole = try await website.get("/about").bodyData
    let head = await website.send(.HEAD, "/about", headers: [:])
    #expect(head["Content-Length"] == "\(whole.count)")
    #expect(try await head.bodyData.isEmpty)
  }

  @Test func theFirstAnswerHoldsTheContent() async throws {
    let website = try Website.make(feed: "[{\"id\":1,\"listId\":7,\"name\":\"Tea\"}]")
    #expect(try await website.get("/").text.contains("walk.gpx"))
    #expect(try await website.get("/cities?q=potsd").text.contains("Brandenburg"))
    let city = try await website.get("/cities/2852458").text
    #expect(city.contains("A town.") && city.contains("Europe/Berlin"))
    #expect(try await website.get("/lists").text.contains("Tea"))
    let tracking = try await website.get("/tracking").text
    #expect(tracking.contains("<path class=\"track\""))
    #expect(try await website.get("/about").text.contains("not endorsed or certified by SmugMug"))
  }

  @Test func failuresAreCardsWithARetry() async throws {
    let website = try Website.make(feed: "not json", summary: nil)
    let lists = try await website.get("/lists").text
    #expect(lists.contains("The lists cannot be loaded") && lists.contains("Retry"))
    let city = try await website.get("/cities/2852458").text
    #expect(city.contains("The summary cannot be loaded") && city.contains("Europe/Berlin"))
    #expect(try await Website.make().get("/lists").text.contains("--lists"))
  }

  @Test func textsFromElsewhereStayTexts() async throws {
    let hostile = "<img src=x onerror=alert(1)>\"'"
    let photos = WalkWorkshop.titled(hostile, owner: hostile, page: "javascript:alert(1)")
    let website = try Website.make(
      WalkWorkshop(photos: photos), tracks: [Walks.track(kilometers: 1, name: hostile)],
      feed: "[{\"id\":1,\"listId\":1,\"name\":\"<b>bold</b>\"}]", summary: hostile)
    _ = await website.post("/tracking/start", "track=1")
    await website.session.wait { !$0.isUnderWay }
    #expect(website.session.photos.count > 0)
    let search = "/cities?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E"
    for address in ["/", "/tracking", "/cities/2852458", "/lists", search] {
      let page = try await website.get(address).text
      #expect(!page.contains("<img src=x") && !page.contains("<b>") && !page.contains("<script>"))
      #expect(!page.contains("javascript:"))
    }
    #expect(try await website.get("/tracking").text.contains("&lt;img src=x onerror"))
  }

  @Test func aWalkIsSteeredByForms() async throws {
    let workshop = WalkWorkshop()
    let website = try Website.make(workshop)
    let start = await website.post("/tracking/start", "track=1")
    #expect(start.statusCode == .seeOther && start["Location"] == "/tracking")
    await website.session.wait { !$0.isUnderWay }
    let move = await website.post(
      "/tracking/position", "metres=700", headers: [HTTPHeader("X-Faketrack"): "1"])
    #expect(move.statusCode == .noContent)
    #expect(workshop.made.last?.start == 700)
    #expect(await website.post("/tracking/speed", "speed=25").statusCode == .seeOther)
    #expect(website.session.view.speed == .multiple(25))
    for (address, form) in [
      ("/tracking/speed", "speed=0"), ("/tracking/speed", "speed=fast"), ("/tracking/speed", ""),
      ("/tracking/position", "metres=-1"), ("/tracking/position", "metres=nan"),
      ("/tracking/position", ""),
    ] {
      #expect(await website.post(address, form).statusCode == .badRequest)
    }
    #expect(await website.post("/tracking/fly").statusCode == .notFound)
    #expect(await website.post("/tracking/stop").statusCode == .seeOther)
  }

  @Test func aStarStaysAndAStaleFormChangesNothing() async throws {
    let website = try Website.make()
    let address = "/cities/2852458/favorite"
    for _ in 0..<2 {
      let response = await website.post(address, "favorite=1")
      #expect(response.statusCode == .seeOther && response["Location"] == "/cities/2852458")
      #expect(try await website.get("/cities/2852458").text.contains("aria-pressed=\"true\""))
    }
    let back = await website.post(
      address, "favorite=0", headers: [HTTPHeader("Referer"): "http://127.0.0.1:8080/cities?q=pots"]
    )
    #expect(back["Location"] == "/cities?q=pots")
    let away = await website.post(
      address, "favorite=1", headers: [HTTPHeader("Referer"): "http://evil.example/cities"])
    #expect(away["Location"] == "/cities/2852458")
    #expect(await website.post("/cities/1/favorite", "favorite=1").statusCode == .notFound)
  }

  @Test func theCityListGoesOnPageByPage() async throws {
    let website = try Website.make()
    var seen: [String] = []
    for page in 1...3 {
      let part = try await website.get("/cities?q=b&part=results&page=\(page)").text
      seen += part.matches(of: /data-city="(\d+)"/).map { String($0.1) }
    }
    #expect(seen.count == 150 && Set(seen).count == 150)
    #expect(await website.get("/cities?page=99999999999999999999&q=potsdam").statusCode == .ok)
    #expect(await website.get("/cities?page=-5&q=potsdam").statusCode == .ok)
  }

  @Test func tooManyWatchersAreTurnedAway() async throws {
    let website = try Website.make()
    let streams = (0..<Website.streamLimit).map { _ in website.session.signals.signals() }
    #expect(await website.get("/tracking/events").statusCode == .serviceUnavailable)
    #expect(streams.count == Website.streamLimit)
  }
}
