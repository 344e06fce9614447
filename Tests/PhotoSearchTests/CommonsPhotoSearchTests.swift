import FaketrackServices
import FaketrackTestSupport
import Foundation
import Locations
import Testing

@testable import PhotoSearch

@Suite struct CommonsPhotoSearchTests {
  private let query = PhotoQuery(center: Spot.at(52.4009, -13.0591), radius: 853.2)

  private func search(
    _ fetcher: ScriptedFetcher, _ clock: RecordingClock = RecordingClock(), concurrency: Int = 3
  ) -> CommonsPhotoSearch {
    CommonsPhotoSearch(.scripted(fetcher, clock, concurrency: concurrency))
  }

  private func value(_ name: String, of request: ServiceRequest?) -> String? {
    request?.value(for: name)
  }

  @Test func asksWithAllThatTheServiceNeeds() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(CommonsFixtures.empty))])
    _ = try await search(fetcher).photos(for: query)
    let request = try #require(fetcher.requests.first)
    #expect(request.endpoint.absoluteString == "https://commons.wikimedia.org/w/api.php")
    #expect(
      Dictionary(uniqueKeysWithValues: request.query.map { ($0.name, $0.value) }) == [
        "action": "query", "format": "json", "formatversion": "2", "generator": "geosearch",
        "ggsnamespace": "6", "ggscoord": "52.400900|-13.059100", "ggsradius": "853",
        "ggslimit": "500", "prop": "coordinates|imageinfo", "colimit": "500",
        "iiprop": "url|user|size|mime|extmetadata",
        "iiextmetadatafilter": "Artist|DateTimeOriginal|License|LicenseShortName|LicenseUrl",
        "iiurlwidth": "960",
      ])
    #expect(
      request.headers["User-Agent"]
        == "Walk/2 (me@app.example) PhotoSearch/\(Product.version)")
  }

  @Test func anAppStubsTheNetworkAndNamesItself() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(CommonsFixtures.mixed))])
    let search = CommonsPhotoSearch(
      userAgent: "Other/1 (a@b.example)", endpoint: URL(literal: "http://cache.example/w"),
      fetcher: fetcher)
    #expect(try await search.photos(for: query).photos.count == 3)
    #expect(search.identity == "commons+http://cache.example/w")
    let request = try #require(fetcher.requests.first)
    #expect(request.endpoint.absoluteString == "http://cache.example/w")
    #expect(
      request.headers["User-Agent"] == "Other/1 (a@b.example) PhotoSearch/\(Product.version)")
  }

  @Test func leavesOutPhotosThatTheFilterDoesNotAccept() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(CommonsFixtures.mixed))])
    var query = query
    query.license = .creativeCommons
    #expect(try await search(fetcher).photos(for: query).photos.map(\.id) == ["301"])
  }

  @Test func aRefusalIsNotTriedAgain() async {
    let fetcher = ScriptedFetcher(answers: [.success(.text(CommonsFixtures.failure("badvalue")))])
    await #expect(
      throws: PhotoSearchError(
        service: "Wikimedia Commons", reason: .refused(code: "badvalue"),
        message: "Something about it.")
    ) {
      try await search(fetcher).photos(for: query)
    }
    #expect(fetcher.requests.count == 1)
  }

  @Test(arguments: [
    (PhotoSize.square75, "120"), (.pixels100, "120"), (.square150, "250"), (.pixels240, "250"),
    (.pixels320, "330"), (.pixels400, "500"), (.pixels640, "960"), (.pixels800, "960"),
    (.pixels1024, "1280"),
  ])
  func asksForThumbnailsOfTheWidthsThatAreServed(size: PhotoSize, width: String) async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(CommonsFixtures.empty))])
    var query = query
    query.size = size
    _ = try await search(fetcher).photos(for: query)
    #expect(value("iiurlwidth", of: fetcher.requests.first) == width)
  }

  @Test func asksForNoMoreThanTenKilometers() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(CommonsFixtures.empty))])
    var query = query
    query.radius = 12_000
    _ = try await search(fetcher).photos(for: query)
    #expect(value("ggsradius", of: fetcher.requests.first) == "10000")
  }

  @Test func fetchesAllPartsOfAPage() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text(CommonsFixtures.firstPart)), .success(.text(CommonsFixtures.secondPart)),
    ])
    let page = try await search(fetcher).photos(for: query)
    #expect(page.photos.count == 2)
    #expect(page.isLast)
    #expect(fetcher.requests.count == 2)
    #expect(value("cocontinue", of: fetcher.requests[0]) == nil)
    #expect(value("cocontinue", of: fetcher.requests[1]) == "402|7")
    #expect(value("continue", of: fetcher.requests[1]) == "||")
  }

  @Test func aFurtherPageStartsWhereTheOneBeforeEnded() async throws {
    let fetcher = ScriptedFetcher { request, _ in
      switch request.value(for: "ggscontinue") {
      case nil: .text(CommonsFixtures.page(id: 1, next: "a"))
      case "a": .text(CommonsFixtures.page(id: 2, next: "b"))
      default: .text(CommonsFixtures.page(id: 3, next: nil))
      }
    }
    let store = KeepingStore()
    var found: [String] = []
    for number in 1...3 {
      // Each process has the pages before in its store, with their ends.
      let pipeline = PhotoPipeline(search(fetcher), store: store)
      var query = query
      query.page = number
      let page = try await pipeline.photos(for: query)
      found += page.photos.map(\.id)
      #expect(page.isLast == (number == 3))
      #expect(pipeline.calls == 1)
    }
    #expect(found == ["1", "2", "3"])
    #expect(fetcher.requests.count == 3)

    // Without a store, a page is found by way of those before it.
    var query = query
    query.page = 2
    #expect(try await search(fetcher).photos(for: query).photos.map(\.id) == ["2"])
    #expect(fetcher.requests.count == 5)
    query.page = 9
    #expect(try await search(fetcher).photos(for: query) == PhotoPage(photos: [], isLast: true))
  }

  @Test func countsEveryRequest() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .failure(.unreachable("lost")), .success(.text(CommonsFixtures.firstPart)),
      .success(.text("", status: 503)), .success(.text(CommonsFixtures.secondPart)),
    ])
    let picker = PhotoPicker(PhotoPipeline(search(fetcher)))
    for index in 0..<3 { _ = await picker.pick(for: query.center, index: index) }
    #expect(await picker.counts.calls == 4)
    #expect(await picker.counts.saved == 2)
  }

  @Test func aRetryWaitsOnTheClockOfTheTest() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("", status: 503)), .success(.text(CommonsFixtures.mixed)),
    ])
    let clock = VirtualClock()
    let search = CommonsPhotoSearch(userAgent: "Walk/2", fetcher: fetcher, clock: clock)
    let searching = Task { try await search.photos(for: query) }
    try await clock.waitForSleepers(atLeast: 1)
    #expect(fetcher.requests.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await !searching.value.photos.isEmpty)
  }

  @Test func anAnswerWithoutEndFails() async throws {
    let fetcher = ScriptedFetcher { _, number in
      .text(#"{"continue":{"cocontinue":"\#(number)"},"query":{"pages":[]}}"#)
    }
    let pipeline = PhotoPipeline(search(fetcher))
    let picker = PhotoPicker(pipeline)
    for index in 0..<50 {
      let location = Spot.potsdam.destination(distance: Double(index) * 2_000, bearing: 0)
      guard case .failed(let error) = await picker.pick(for: location, index: index) else {
        Issue.record("an endless answer was used")
        continue
      }
      #expect(error.message == "the answer has no end")
    }
    // Eight places in a row, then none.
    #expect(fetcher.requests.count == 8 * 32)
    #expect(await picker.counts.calls == 8 * 32)
  }

  @Test(arguments: [(2, 2 * 16), (100, 100 + 64 + 4 * 100)])
  func pagesWithoutEndAreLeftAlone(places: Int, requests: Int) async {
    // New photos on each page, all too far away.
    let fetcher = ScriptedFetcher { _, number in
      .text(CommonsFixtures.page(id: number, next: "\(number)", at: (1, 1)))
    }
    let picker = PhotoPicker(PhotoPipeline(search(fetcher)))
    for index in 0..<places {
      let location = Spot.potsdam.destination(distance: Double(index) * 2_000, bearing: 0)
      #expect(await picker.pick(for: location, index: index) == .nothing)
    }
    #expect(fetcher.requests.count == requests)
  }

  @Test func honorsRetryAfter() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock,
      answers: [
        .success(.text("<html>", status: 429, headers: ["Retry-After": "5"])),
        .success(.text(CommonsFixtures.failure("maxlag"), headers: ["Retry-After": "3"])),
        .success(.text(CommonsFixtures.mixed)),
      ])
    #expect(try await search(fetcher, clock).photos(for: query).photos.count == 3)
    #expect(fetcher.times == [0, 5, 8].map { .seconds($0) })
  }

  @Test func hasAtMostThreeRequestsUnderWay() async throws {
    let latch = Latch()
    let fetcher = ScriptedFetcher { _, _ in
      await latch.hold()
      return .text(CommonsFixtures.empty)
    }
    let search = search(fetcher, concurrency: 16)
    try await withThrowingTaskGroup(of: PhotoPage.self) { group in
      for _ in 0..<20 { group.addTask { try await search.photos(for: query) } }
      await latch.waitFor(3)
      await latch.open()
      try await group.waitForAll()
    }
    #expect(fetcher.requests.count == 20)
    #expect(fetcher.peak == 3)
  }

  @Test func tellsWhenItCannotBeReached() async {
    let fetcher = ScriptedFetcher(answers: [.failure(.unreachable("the host name is not known"))])
    do {
      _ = try await search(fetcher).photos(for: query)
      Issue.record("photos came from nowhere")
    } catch {
      let error = error as? PhotoSearchError
      #expect(error?.isUnreachable == true)
      #expect(error?.attempts == 4)
      #expect(
        error?.description
          == "Wikimedia Commons cannot be reached: the host name is not known (4 attempts)")
    }
  }
}
