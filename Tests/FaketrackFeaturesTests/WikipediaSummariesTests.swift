import Cities
import FaketrackServices
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing
import WorldCities

@testable import FaketrackFeatures

@Suite struct WikipediaSummariesTests {
  /// The title of the article found for a city, and the requests.
  private func answer(
    for city: City, _ stub: WikipediaStub = WikipediaStub()
  ) async throws -> (title: String?, paths: [String]) {
    try await StubServer.run(stub.callAsFunction) { server in
      let summaries = WikipediaSummaries(endpoint: server.url, in: ServiceEnvironment())
      let summary = try await summaries.summary(of: city)
      let names = server.requests.map { $0.path.split(separator: "/").last.map(String.init) }
      return (summary?.title, names.compactMap(\.self))
    }
  }

  private func city(
    _ name: String, _ country: String?, _ region: String?, _ latitude: Double, _ longitude: Double
  ) throws -> City {
    City(
      id: 1, name: name, country: country, region: region,
      coordinate: try Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test func newYorkOfTheBuiltInIndexIsTheCity() async throws {
    let newYork = try #require(CityIndex.world[id: 5_128_581])
    #expect(try await answer(for: newYork).title == "New York City")
  }

  @Test func newYorkByItsShortNameIsTheCityByWayOfTheRedirect() async throws {
    let newYork = try city("New York", "US", "New York", 40.71427, -74.00597)
    let (title, paths) = try await answer(for: newYork)
    #expect(title == "New York City")
    #expect(paths == ["New_York", "New_York%2C_New_York", "New_York_City"])
  }

  @Test func newYorkWithoutARegionIsTheCityAndNotTheState() async throws {
    let newYork = try city("New York", "US", nil, 40.71427, -74.00597)
    let (title, paths) = try await answer(for: newYork)
    #expect(title == "New York City")
    #expect(paths.first == "New_York")
    #expect(paths.last == "New_York_City")
  }

  @Test func buenosAiresIsTheCapital() async throws {
    let capital = try #require(
      CityIndex.world.matches(named: "Buenos Aires").map(\.city).first { $0.country == "AR" })
    #expect(try await answer(for: capital).title == "Buenos Aires")
  }

  @Test func buenosAiresInColombiaIsNotTheCapitalOfArgentina() async throws {
    let towns = CityIndex.world.matches(named: "Buenos Aires").map(\.city)
      .filter { $0.country == "CO" }
    #expect(!towns.isEmpty)
    for town in towns {
      let (title, paths) = try await answer(for: town)
      #expect(title == nil)
      #expect(paths.contains("Buenos_Aires%2C_Colombia"))
    }
  }

  @Test func aNamesakeHasItsRegionBehindItsName() async throws {
    let town = try city("Potsdam", "US", "New York", 44.66978, -74.98131)
    #expect(try await answer(for: town).title == "Potsdam, New York")
    let capital = try city("Potsdam", "DE", "Brandenburg", 52.39886, 13.06566)
    #expect(try await answer(for: capital).title == "Potsdam")
  }

  @Test func tellsAllThatThePageSays() async throws {
    let potsdam = try city("Potsdam", "DE", "Brandenburg", 52.39886, 13.06566)
    let summary = try await StubServer.run(WikipediaStub().callAsFunction) { server in
      try await WikipediaSummaries(endpoint: server.url, in: ServiceEnvironment()).summary(
        of: potsdam)
    }
    #expect(
      summary
        == CitySummary(
          title: "Potsdam", description: "Capital of Brandenburg, Germany",
          extract: "Potsdam is the capital of Brandenburg.",
          url: URL(literal: "https://en.wikipedia.org/wiki/Potsdam")))
  }

  @Test(arguments: [(24_990.0, true), (25_010, false)])
  func theArticleIsAboutSomethingWithin25Kilometers(distance: Double, isFound: Bool) async throws {
    let place = try Coordinate(latitude: 52, longitude: 13)
    let article = place.destination(distance: distance, bearing: 60)
    let stub = WikipediaStub(
      pages: [
        .init("Ort", extract: "Text.", coordinates: (article.latitude, article.longitude))
      ], redirects: [:])
    let ort = City(id: 1, name: "Ort", coordinate: place)
    #expect(try await answer(for: ort, stub).title == (isFound ? "Ort" : nil))
  }

  @Test(arguments: ["disambiguation", "no-extract", "mainpage", "something-new"])
  func onlyAnArticleCounts(type: String) async throws {
    let stub = WikipediaStub(
      pages: [.init("Ort", type: type, extract: "Text.", coordinates: (52, 13))], redirects: [:])
    #expect(try await answer(for: try city("Ort", nil, nil, 52, 13), stub).title == nil)
  }

  @Test(arguments: [
    #"{"type":"standard","title":"Ort","extract":"Text."}"#,
    #"{"type":"standard","title":"Ort","extract":"Text.","coordinates":null}"#,
    #"{"type":"standard","title":"Ort","extract":"Text.","coordinates":{"lat":152,"lon":13}}"#,
    #"{"type":"standard","title":"Ort","extract":"","coordinates":{"lat":52,"lon":13}}"#,
    #"{"type":"standard","title":"Ort","coordinates":{"lat":52,"lon":13}}"#,
    #"{"type":"https://mediawiki.org/wiki/HyperSwitch/errors/not_found","title":"Not found."}"#,
  ])
  func aPageWithoutTextOrPlaceIsNone(json: String) async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(json))])
    let summaries = WikipediaSummaries(in: ServiceEnvironment(fetcher: fetcher))
    #expect(try await summaries.summary(of: try city("Ort", nil, nil, 52, 13)) == nil)
  }

  @Test func anAddressThatIsNoWebPageIsLeftOut() async throws {
    let json = """
      {"type":"standard","title":"Ort","extract":"Text.","coordinates":{"lat":52,"lon":13},\
      "content_urls":{"desktop":{"page":"javascript:alert(1)"}}}
      """
    let fetcher = ScriptedFetcher(answers: [.success(.text(json))])
    let summaries = WikipediaSummaries(in: ServiceEnvironment(fetcher: fetcher))
    let summary = try await summaries.summary(of: try city("Ort", nil, nil, 52, 13))
    #expect(summary?.url == nil)
    #expect(summary?.title == "Ort")
  }

  @Test func theNotFoundPageIsNoneEvenWithAnArticlesType() async throws {
    let json = #"{"type":"standard","title":"x","extract":"x","coordinates":{"lat":52,"lon":13}}"#
    let fetcher = ScriptedFetcher(answers: [.success(.text(json, status: 404))])
    let summaries = WikipediaSummaries(in: ServiceEnvironment(fetcher: fetcher))
    #expect(try await summaries.summary(of: try city("Ort", nil, nil, 52, 13)) == nil)
    #expect(fetcher.requests.count == 2, "the name, and the name with City behind it")
  }

  @Test func asksAtWikipediaUnderItsName() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text("", status: 404))])
    let environment = ServiceEnvironment(fetcher: fetcher)
    let place = try city("A/C Ü", nil, nil, 52, 13)
    for endpoint in [nil, URL(literal: "https://proxy.example/wiki//")] {
      let summaries = WikipediaSummaries(endpoint: endpoint, in: environment)
      #expect(try await summaries.summary(of: place) == nil)
    }
    let path = "/api/rest_v1/page/summary/A%2FC_%C3%9C"
    #expect(
      fetcher.requests.map { $0.url?.absoluteString }.filter { $0?.hasSuffix("C") == true } == [
        "https://en.wikipedia.org\(path)", "https://proxy.example/wiki\(path)",
      ])
    let agent = try #require(fetcher.requests.first?.headers["User-Agent"])
    #expect(agent.hasPrefix("faketrack/"))
    #expect(agent.contains(" Cities/"))
  }

  @Test func saysThatWikipediaCannotBeReached() async throws {
    let fetcher = ScriptedFetcher(answers: [.failure(.unreachable("there is no network"))])
    let summaries = WikipediaSummaries(
      in: ServiceEnvironment(fetcher: fetcher, clock: RecordingClock()))
    let error = await #expect(throws: ServiceError.self) {
      try await summaries.summary(of: try city("Ort", nil, nil, 52, 13))
    }
    #expect(
      error?.description == "Wikipedia cannot be reached: there is no network (4 attempts)")
    #expect(error?.isUnreachable == true)
  }

  @Test(arguments: [
    ServiceResponse.text("", status: 500), .text("<html>Please log in</html>"), .text("{}"),
    .text("[]"), .text(#"{"title":"Ort"}"#), .text("", status: 302), .text("", status: 403),
  ])
  func anUnusableAnswerIsAnErrorAndNotNone(answer: ServiceResponse) async throws {
    let fetcher = ScriptedFetcher(answers: [.success(answer)])
    let summaries = WikipediaSummaries(
      in: ServiceEnvironment(fetcher: fetcher, clock: RecordingClock()))
    let error = await #expect(throws: ServiceError.self) {
      try await summaries.summary(of: try city("Ort", nil, nil, 52, 13))
    }
    #expect(error?.isUnreachable == false)
  }

  @Test func oneFailureIsTriedAgain() async throws {
    let json = #"{"type":"standard","title":"Ort","extract":"x","coordinates":{"lat":52,"lon":13}}"#
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("", status: 503)), .success(.text(json)),
    ])
    let summaries = WikipediaSummaries(
      in: ServiceEnvironment(fetcher: fetcher, clock: RecordingClock()))
    let summary = try await summaries.summary(of: try city("Ort", nil, nil, 52, 13))
    #expect(summary?.title == "Ort")
  }

  @Test func redirectsStayOnTheHost() async throws {
    let ort = try city("Ort", nil, nil, 52, 13)
    try await StubServer.run { _ in
      .answer(status: 302, headers: ["Location": "http://localhost:1/api"])
    } _: { server in
      let summaries = WikipediaSummaries(endpoint: server.url, in: ServiceEnvironment())
      let error = await #expect(throws: ServiceError.self) {
        try await summaries.summary(of: ort)
      }
      #expect(
        error?.description
          == "Wikipedia answered HTTP 302: it redirects to another host: http://localhost:1/api")
      #expect(server.requests.count == 1)
    }
  }

  @Test func keptAnswersServeAgainAndWithoutANetwork() async throws {
    let newYork = try city("New York", "US", "New York", 40.71427, -74.00597)
    let cache = InMemoryDocumentCache()
    let now = Date()
    let calls = try await StubServer.run(WikipediaStub().callAsFunction) { server in
      for later in [0.0, 299, 301] {
        let environment = ServiceEnvironment(now: { now.addingTimeInterval(later) })
        let summaries = WikipediaSummaries(endpoint: server.url, in: environment, cache: cache)
        let summary = try await summaries.summary(of: newYork)
        #expect(summary?.title == "New York City")
      }
      // Without a network, long afterwards.
      let environment = ServiceEnvironment(
        fetcher: ScriptedFetcher(answers: [.failure(.unreachable("there is no network"))]),
        clock: RecordingClock(), now: { now.addingTimeInterval(9_999_999) })
      let summaries = WikipediaSummaries(endpoint: server.url, in: environment, cache: cache)
      let summary = try await summaries.summary(of: newYork)
      #expect(summary?.title == "New York City")
      return server.requests
    }
    // Two pages and a redirect, no requests while they are fresh, then the same conditionally.
    #expect(calls.count == 6)
    #expect(calls.suffix(3).allSatisfy { $0.header("If-None-Match") != nil })
  }

  private static let article =
    #"{"type":"standard","title":"Ort","extract":"x","coordinates":{"lat":52,"lon":13}}"#

  @Test func aFailureIsNotRemembered() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("", status: 403)), .success(.text(Self.article)),
    ])
    let summaries = WikipediaSummaries(in: ServiceEnvironment(fetcher: fetcher))
    let ort = try city("Ort", nil, nil, 52, 13)
    await #expect(throws: ServiceError.self) { try await summaries.summary(of: ort) }
    #expect(try await summaries.summary(of: ort)?.title == "Ort")
  }

  @Test func citiesOfOneNameAreLookedUpApart() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(Self.article))])
    let summaries = WikipediaSummaries(in: ServiceEnvironment(fetcher: fetcher))
    #expect(try await summaries.summary(of: try city("Ort", nil, nil, 52, 13)) != nil)
    #expect(try await summaries.summary(of: try city("Ort", nil, nil, -52, 13)) == nil)
  }
}
