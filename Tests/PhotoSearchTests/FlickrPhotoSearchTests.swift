import FaketrackServices
import FaketrackTestSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct FlickrPhotoSearchTests {
  private let query = PhotoQuery(center: Spot.at(-52.40091234, 13.5), radius: 854)

  private func search(
    _ fetcher: ScriptedFetcher, _ clock: RecordingClock = RecordingClock(),
    log: RecordingLog? = nil
  ) -> FlickrPhotoSearch {
    FlickrPhotoSearch(
      .scripted(
        fetcher, clock, key: "k3y", endpoint: URL(literal: "http://flickr.example/rest"), log: log))
  }

  private func sent(_ query: PhotoQuery) async throws -> [String: String] {
    let fetcher = ScriptedFetcher(answers: [.success(.text(FlickrFixtures.empty))])
    _ = try await search(fetcher).photos(for: query)
    let request = try #require(fetcher.requests.first)
    return Dictionary(uniqueKeysWithValues: request.query.map { ($0.name, $0.value) })
  }

  @Test func asksWithAllThatTheServiceNeeds() async throws {
    #expect(
      try await sent(query) == [
        "method": "flickr.photos.search", "api_key": "k3y", "format": "json",
        "nojsoncallback": "1", "lat": "-52.400912", "lon": "13.500000", "radius": "0.854",
        "radius_units": "km", "accuracy": "16", "has_geo": "1", "media": "photos",
        "safe_search": "1", "content_types": "0", "min_upload_date": "1072915200",
        "extras": "geo,license,owner_name,date_taken,url_s,url_m,url_z,url_l",
        "per_page": "250", "page": "1",
      ])
  }

  @Test(arguments: [
    (LicenseFilter.creativeCommons, "1,2,3,4,5,6,9,11,12,13,14,15,16"),
    (.commercial, "4,5,6,7,8,9,10,11,12,13"),
    (.publicDomain, "7,8,9,10"),
  ])
  func asksForTheLicensesOfTheFilter(filter: LicenseFilter, ids: String) async throws {
    var query = query
    query.license = filter
    #expect(try await sent(query)["license"] == ids)
  }

  @Test(arguments: [(0.0, "0.001"), (31_999, "31.900"), (40_000, "31.900"), (500, "0.500")])
  func keepsTheRadiusWithinTheServicesLimits(meters: Double, sent radius: String) async throws {
    var query = query
    query.radius = meters
    #expect(try await sent(query)["radius"] == radius)
  }

  @Test func asksForThePageAndTheSize() async throws {
    var query = query
    query.page = 3
    query.size = .square150
    let sent = try await sent(query)
    #expect(sent["page"] == "3")
    #expect(sent["extras"]?.hasSuffix(",url_q") == true)
  }

  @Test(
    arguments: [
      .success(.text("<html>Too many</html>", status: 429)),
      .success(.text("<html>nginx</html>", status: 502)), .success(.text("<html></html>")),
      .success(.text("")), .success(.text(String(FlickrFixtures.linked.dropLast(40)))),
      .success(.text(FlickrFixtures.failure(code: 105, "Service currently unavailable"))),
      .success(
        .text(
          FlickrFixtures.failure(
            code: 0, "Sorry, the Flickr API service is not currently available."))),
      .failure(.unreachable("the connection was lost")), .failure(.timedOut),
    ] as [Result<ServiceResponse, HTTPFailure>])
  func overcomesWhatWasSeenInTheWild(answer: Result<ServiceResponse, HTTPFailure>) async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock, answers: [answer, answer, .success(.text(FlickrFixtures.linked))])
    let page = try await search(fetcher, clock).photos(for: query)
    #expect(page.photos.count == 3)
    #expect(fetcher.requests.count == 3)
    #expect(clock.sleeps.count == 2)
    #expect(clock.sleeps[0] >= .milliseconds(250) && clock.sleeps[0] < .milliseconds(313))
    #expect(clock.sleeps[1] >= .milliseconds(500) && clock.sleeps[1] < .milliseconds(626))
  }

  @Test func aRejectedKeyIsNeverTriedAgain() async {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text(FlickrFixtures.failure(code: 100, "Invalid API Key (k3y is not a key)")))
    ])
    let search = search(fetcher)
    for _ in 0..<3 {
      do {
        _ = try await search.photos(for: query)
        Issue.record("a rejected key found photos")
      } catch {
        let error = error as? PhotoSearchError
        #expect(error?.reason == .keyRejected(code: "100"))
        #expect(error?.isKeyRejected == true)
        #expect(error?.message == "Invalid API Key (*** is not a key)")
        #expect(error?.recoverySuggestion != nil)
      }
    }
    #expect(fetcher.requests.count == 1)
  }

  @Test(arguments: [3, 18, 111, 112, 116])
  func aRefusalIsNotTriedAgain(code: Int) async {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text(FlickrFixtures.failure(code: code, "No")))
    ])
    await #expect(
      throws: PhotoSearchError(service: "Flickr", reason: .refused(code: "\(code)"), message: "No")
    ) {
      try await search(fetcher).photos(for: query)
    }
    #expect(fetcher.requests.count == 1)
  }

  @Test func isIdentifiedByItsAddress() {
    let fetcher = ScriptedFetcher(answers: [.success(.text(""))])
    #expect(FlickrPhotoSearch(.scripted(fetcher)).identity == "flickr")
    let proxy = FlickrPhotoSearch(
      .scripted(fetcher, endpoint: URL(literal: "http://joe:pw@cache.example:8080/f")))
    #expect(proxy.identity == "flickr+http://cache.example:8080/f")
  }

  @Test func anAppStubsTheNetworkAndNamesItself() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(FlickrFixtures.linked))])
    let search = FlickrPhotoSearch(
      apiKey: "k3y", userAgent: "Walk/2 (me@app.example)", fetcher: fetcher)
    #expect(try await search.photos(for: query).photos.count == 3)
    let request = try #require(fetcher.requests.first)
    #expect(request.endpoint.absoluteString == "https://api.flickr.com/services/rest/")
    #expect(
      request.headers["User-Agent"] == "Walk/2 (me@app.example) PhotoSearch/\(Product.version)")
  }

  @Test func aTenMinutePauseIsKept() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock,
      answers: [
        .success(.text("", status: 429, headers: ["Retry-After": "600"])),
        .success(.text(FlickrFixtures.empty)),
      ])
    _ = try await search(fetcher, clock).photos(for: query)
    #expect(fetcher.times == [.zero, .seconds(600)])
  }

  @Test func keepsWithinTheHourlyBudget() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock, answers: [.success(.text(FlickrFixtures.empty))])
    let search = search(fetcher, clock)
    for _ in 0..<3601 { _ = try await search.photos(for: query) }
    #expect(fetcher.times[3599] == .zero)
    #expect(fetcher.times[3600] == .seconds(3600))
  }
}
