import Cities
import FaketrackFeatures
import Foundation
import GPX
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct PageLoadsTests {
  private let city = Route.city(id: Places.potsdam)

  @Test func aSecondRequestJoinsTheLoadThatIsUnderWay() async throws {
    let gate = Gate()
    let summaries = StubSummaries(gate: gate)
    let loads = PageLoads(.make(summaries: summaries))
    let (first, second) = try (#require(loads.load(city)), #require(loads.load(city)))
    #expect(loads.count == 1)
    gate.open()
    await first.wait(atMost: nil)
    await second.wait(atMost: nil)
    #expect(summaries.cities == [Places.potsdam])
    guard case .city(let model) = first.screen, case .city(let other) = second.screen else {
      Issue.record("no city")
      return
    }
    #expect(model === other)
  }

  @Test func theSlowSummaryOfAPageIsAskedOnce() async throws {
    let gate = Gate()
    let summaries = StubSummaries(gate: gate)
    let website = Website.make(summaries: summaries, loadTimeout: .zero)
    let first = try await website.page("/cities/2852458")
    #expect(first.contains("data-waiting") && first.contains("Europe/Berlin"))
    #expect(first.contains("href=\"/cities/2852458?from=%2Fcities&amp;wait=1\""))
    let part = Task { try await website.page("/cities/2852458?part=summary") }
    let whole = Task { try await website.page("/cities/2852458?wait=1") }
    // The tasks of an actor begin in order, so that the gate opens after both have joined.
    await Task { gate.open() }.value
    #expect(try await part.value.contains("A town."))
    #expect(try await !part.value.contains("<html"))
    #expect(try await whole.value.contains("A town."))
    #expect(summaries.cities == [Places.potsdam])
    #expect(website.loads.count == 0)
  }

  @Test func aStalledTrackDelaysOnlyItself() async throws {
    let pipe = Pipe()
    let input = GPXInput.descriptor(pipe.fileHandleForReading.fileDescriptor, name: "stalled.gpx")
    let website = Website.make(
      tracks: [Track(input, name: "stalled.gpx"), Walks.track()], loadTimeout: .zero)
    let reading = await website.get("/tracking")
    #expect(try reading.text.contains("Reading stalled.gpx …") && reading["Refresh"] == "1")
    _ = await website.tracking.catalog.shape(of: 2)
    #expect(try await website.page("/").contains("aria-label=\"Start walk.gpx\""))
    #expect(await website.upload(Array(Walks.gpx(kilometers: 1).utf8)).status == .seeOther)
    #expect(await website.post("/tracking/start", "track=2").status == .seeOther)
    #expect(try await website.page("/tracking").contains("of 1.0 km"))
    await website.tracking.send(.stop)
    try pipe.fileHandleForWriting.close()
    _ = await website.tracking.catalog.shape(of: 1)
  }

  @Test func theSlowFeedIsLoadedOnceWhateverTheOrder() async throws {
    let gate = Gate()
    let feed = StubFeed(
      """
      [{"id":276,"listId":1,"name":"Item 276"},{"id":28,"listId":1,"name":"Item 28"}]
      """, gate: gate)
    let website = Website.make(feed: feed, loadTimeout: .zero)
    #expect(try await website.page("/lists").contains("data-waiting"))
    let byText = Task { try await website.page("/lists?part=lists") }
    let byNumber = Task { try await website.page("/lists?sort=natural&part=lists") }
    await Task { gate.open() }.value
    #expect(try await byText.value.contains("<li>Item 276</li><li>Item 28</li>"))
    #expect(try await byNumber.value.contains("<li>Item 28</li><li>Item 276</li>"))
    #expect(feed.loads == 1)
  }

  @Test func aRefreshJoinsNoLoadThatMayUseACacheAndIsJoinedItself() async throws {
    let gate = Gate()
    let feed = StubFeed("[]", gate: gate)
    let website = Website.make(feed: feed, loadTimeout: .zero)
    #expect(try await website.page("/lists").contains("data-waiting"))
    #expect(try await website.page("/lists?refresh=1").contains("data-waiting"))
    let part = Task { try await website.page("/lists?refresh=1&part=lists") }
    let plain = Task { try await website.page("/lists?part=lists") }
    await Task { gate.open() }.value
    #expect(try await part.value == plain.value)
    #expect(feed.loads == 2 && feed.refreshes == 1)
    #expect(website.loads.count == 0)
  }

  @Test func finishedLoadsAreNotJoined() async throws {
    let summaries = StubSummaries()
    let loads = PageLoads(.make(summaries: summaries))
    for count in 1...3 {
      try await #require(loads.load(city)).wait(atMost: nil)
      #expect(summaries.cities.count == count)
      #expect(loads.count == 0)
    }
  }

  @Test func aFailureIsTriedAgain() async throws {
    let summaries = StubSummaries(nil)
    let website = Website.make(summaries: summaries)
    for count in 1...2 {
      #expect(try await website.page("/cities/2852458").contains("The summary cannot be loaded"))
      #expect(summaries.cities.count == count)
    }
  }

  @Test func differentCitiesAreLoadedApart() async throws {
    let gate = Gate()
    let summaries = StubSummaries(gate: gate)
    let loads = PageLoads(.make(summaries: summaries))
    let (first, second) = try (
      #require(loads.load(city)), #require(loads.load(.city(id: Places.berlin)))
    )
    #expect(loads.count == 2)
    await gate.hasArrivals(2)
    gate.open()
    await first.wait(atMost: nil)
    await second.wait(atMost: nil)
    #expect(Set(summaries.cities) == [Places.potsdam, Places.berlin])
  }

  @Test func forgottenLoadsAreNotJoinedAndClearNothingElse() async throws {
    let gate = Gate()
    let summaries = StubSummaries(gate: gate)
    let loads = PageLoads(.make(summaries: summaries))
    let old = try #require(loads.load(city))
    loads.forget()
    #expect(loads.count == 0)
    let new = try #require(loads.load(city))
    await gate.hasArrivals(2)
    gate.open()
    await old.wait(atMost: nil)
    await new.wait(atMost: nil)
    #expect(summaries.cities.count == 2)
    #expect(loads.count == 0)
  }

  @Test func aStarIsShownAtOnceWhileTheSummaryIsStillLoading() async throws {
    let gate = Gate()
    let website = Website.make(summaries: StubSummaries(gate: gate), loadTimeout: .zero)
    #expect(try await website.page("/cities/2852458").contains("data-waiting"))
    _ = await website.post("/cities/2852458/favorite", "favorite=1")
    let page = try await website.page("/cities/2852458")
    #expect(page.contains("aria-pressed=\"true\""))
    gate.open()
  }

  @Test func noMoreThanTheLimitAreUnderWay() async throws {
    let gate = Gate()
    let loads = PageLoads(.make(summaries: StubSummaries(gate: gate)))
    let all = (0..<PageLoads.limit).compactMap { loads.load(.city(id: $0)) }
    #expect(all.count == PageLoads.limit && loads.count == PageLoads.limit)
    #expect(loads.load(.city(id: PageLoads.limit)) == nil, "one more has to come later")
    #expect(loads.load(.city(id: 0)) != nil, "the loads can be joined")
    #expect(loads.load(.about) != nil, "what is at hand needs no load")
    loads.forget()
    #expect(loads.load(.city(id: 0)) == nil, "forgotten loads go on all the same")
    gate.open()
    for load in all { await load.wait(atMost: nil) }
    let later = try #require(loads.load(.city(id: PageLoads.limit)))
    await later.wait(atMost: nil)
    #expect(loads.count == 0)
  }

  @Test func tooManyPageLoadsAreRefused() async throws {
    let gate = Gate()
    let website = Website.make(summaries: StubSummaries(gate: gate), loadTimeout: .zero)
    let index = website.dependencies.index
    for city in index.search(CityQuery(prefix: "san", limit: PageLoads.limit)).cities {
      #expect(await website.get("/cities/\(city.id)").status == .ok)
    }
    let refusal = await website.get("/cities/\(Places.potsdam)")
    #expect(refusal.status == .serviceUnavailable && refusal["Retry-After"] == "1")
    #expect(await website.get("/cities?q=potsdam").status == .ok)
    gate.open()
  }

  @Test(arguments: [Route.home, .tracking, .cities(CityListQuery()), .about])
  func loadsWithoutServicesAreNotJoined(_ route: Route) async throws {
    let loads = PageLoads(.make())
    let load = try #require(loads.load(route))
    #expect(loads.count == 0)
    await load.wait(atMost: nil)
  }

  @Test func theTimeoutEndsTheWaitAndNotTheLoad() async throws {
    let gate = Gate()
    let summaries = StubSummaries(gate: gate)
    let loads = PageLoads(.make(summaries: summaries))
    let load = try #require(loads.load(city))
    await load.wait(atMost: .zero)
    #expect(loads.count == 1)
    gate.open()
    await load.wait(atMost: nil)
    guard case .city(let model) = load.screen, case .loaded(let summary) = model.state.summary
    else {
      Issue.record("no summary")
      return
    }
    #expect(summary?.extract == "A town.")
  }
}
