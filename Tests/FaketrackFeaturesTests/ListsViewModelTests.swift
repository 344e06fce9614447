import FaketrackServices
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct ListsViewModelTests {
  private static let down = ServiceError(
    service: "feed.example", reason: .status(503), message: "", attempts: 4)

  @Test func loadsAndOrders() async {
    let model = ListsViewModel(loader: StubFeed(.success(SampleFeed.wrapped)))
    #expect(model.state.order == .text)
    #expect(model.state.feed == .idle)
    await model.send(.load)
    #expect(model.state.feed.value?.count == 320)
    let text = model.state.feed.value
    await model.send(.setOrder(.natural))
    #expect(model.state.order == .natural)
    #expect(model.state.feed.value == text?.sorted(by: .natural))
    #expect(model.state.feed.value != text)
  }

  @Test func theOrderMayBeSetBefore() async {
    let model = ListsViewModel(loader: StubFeed(.success(SampleFeed.bare)))
    await model.send(.setOrder(.natural))
    await model.send(.load)
    let first = model.state.feed.value?.groups.first?.items.map(\.id)
    #expect(first == first?.sorted())
  }

  @Test func aFailureIsToldAndRetried() async {
    let loader = StubFeed(.failure(Self.down), .success(SampleFeed.bare))
    let model = ListsViewModel(loader: loader)
    await model.send(.load)
    #expect(
      model.state.feed.failure
        == Failure(
          message: "feed.example answered HTTP 503 (4 attempts)", hint: "Try again later.",
          kind: .serviceUnavailable))
    await model.send(.load)
    #expect(model.state.feed.value?.count == 320)
    #expect(loader.script.count == 2)
  }

  @Test func refreshesPastTheCache() async {
    let loader = CachingFeed(cached: SampleFeed.bare, current: "[]")
    let model = ListsViewModel(loader: loader)
    await model.send(.load)
    #expect(model.state.feed.value?.count == 320)
    await model.send(.refresh)
    #expect(model.state.feed.value?.count == 0)
  }

  @Test func aFeedWithoutACacheIsLoadedAgain() async {
    let loader = StubFeed(.success("[]"), .success(SampleFeed.bare))
    let model = ListsViewModel(loader: loader)
    await model.send(.load)
    await model.send(.refresh)
    #expect(model.state.feed.value?.count == 320)
  }

  @Test func aWrongShapeIsToldAndRetried() async {
    let model = ListsViewModel(loader: StubFeed(.success("[{}]"), .success("[]")))
    await model.send(.load)
    #expect(model.state.feed.failure?.message == "item 1: id is missing")
    await model.send(.load)
    #expect(model.state.feed == .loaded(ListFeed(groups: [], blanks: 0)))
  }

  @Test func withoutAFeedThereIsNothingToLoad() async {
    let model = ListsViewModel(loader: nil)
    await model.send(.load)
    #expect(model.state.feed == .idle)
  }

  @Test func aCancelledLoadIsNoFailure() async {
    let model = ListsViewModel(loader: StubFeed(.failure(CancellationError())))
    await model.send(.load)
    #expect(model.state.feed == .idle)
  }

  @Test func aRefreshThatFailsKeepsTheLists() async {
    let model = ListsViewModel(
      loader: StubFeed(.success(SampleFeed.bare), .failure(Self.down)))
    await model.send(.load)
    await model.send(.refresh)
    #expect(model.state.feed.failure?.message == "feed.example answered HTTP 503 (4 attempts)")
    await model.send(.setOrder(.natural))
    let feed = model.state.feed.value
    #expect(feed?.count == 320)
    #expect(feed == feed?.sorted(by: .natural))
    #expect(model.state.feed.failure != nil)
  }

  @Test func aFeedThatCannotBeOpenedLeavesTheLists() async {
    let feeds = [
      "good": StubFeed(.success(SampleFeed.bare), .success("[]")),
      "down": StubFeed(.failure(Self.down)),
    ]
    let none = StubFeed(.failure(Self.down))
    let model = ListsViewModel(loader: nil) { feeds[$0] ?? none }
    await model.send(.open("good"))
    await model.send(.open("down"))
    #expect(model.state.feed.failure?.message == "feed.example answered HTTP 503 (4 attempts)")
    #expect(model.state.feed.value?.count == 320)
    #expect(model.state.location == "good")
    await model.send(.refresh)
    #expect(model.state.feed.failure == nil && model.state.feed.value?.count == 0)
  }

  @Test func aSlowFeedDoesNotReplaceOneThatIsOpenedLater() async {
    let latch = Latch()
    let slow: any FeedLoading = HeldFeed(latch: latch, json: "[]")
    let fast: any FeedLoading = StubFeed(.success(SampleFeed.bare))
    let model = ListsViewModel(loader: nil) { $0 == "slow" ? slow : fast }
    let opening = Task { await model.send(.open("slow")) }
    await latch.waitFor(1)
    await model.send(.open("fast"))
    await latch.open()
    await opening.value
    #expect(model.state.location == "fast" && model.state.feed.value?.count == 320)
  }

  @Test func aFirstFeedThatCannotBeOpenedIsRetried() async {
    let feed = StubFeed(.failure(Self.down), .success(SampleFeed.bare))
    let model = ListsViewModel(loader: nil) { _ in feed }
    await model.send(.open("down"))
    #expect(model.state.feed.failure != nil && model.state.feed.value == nil)
    await model.send(.refresh)
    #expect(model.state.feed.value?.count == 320)
  }

  @Test func anOrderThatIsSetWhileTheFeedLoadsCounts() async {
    let latch = Latch()
    let model = ListsViewModel(loader: HeldFeed(latch: latch, json: SampleFeed.bare))
    let loading = Task { await model.send(.load) }
    await latch.waitFor(1)
    #expect(model.state.feed == .loading)
    await model.send(.setOrder(.natural))
    await latch.open()
    await loading.value
    let feed = model.state.feed.value
    #expect(feed?.count == 320)
    #expect(feed == feed?.sorted(by: .natural))
  }

  @Test func observersSeeTheNewestState() async {
    let model = ListsViewModel(loader: StubFeed(.success("[]")))
    var states = model.states().makeAsyncIterator()
    #expect(await states.next()?.feed == .idle)
    await model.send(.load)
    #expect(await states.next()?.feed == .loaded(ListFeed(groups: [], blanks: 0)))
  }
}

/// A feed that does not arrive until it is released.
private struct HeldFeed: FeedLoading {
  let latch: Latch
  let json: String

  func feed(isRefresh: Bool) async -> Data {
    await latch.hold()
    return Data(json.utf8)
  }
}

/// A feed that a cache holds in an older version.
private struct CachingFeed: FeedLoading {
  let cached: String
  let current: String

  func feed(isRefresh: Bool) async -> Data { Data((isRefresh ? current : cached).utf8) }
}
