import Cities
import FaketrackServices
import FaketrackTestSupport
import Geodesy
import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct CityViewModelTests {
  private static let article = CitySummary(title: "Potsdam", extract: "A city.")
  private static let down = ServiceError(
    service: "Wikipedia", reason: .unreachable, message: "there is no network", attempts: 4)

  private let index: CityIndex

  init() throws {
    index = try TestIndex.make()
  }

  private func model(
    _ id: Int = TestIndex.potsdam, favorites: StubFavorites = StubFavorites(),
    summaries: any CitySummarizing = StubSummaries(.success(article))
  ) -> CityViewModel {
    CityViewModel(id: id, index: index, favorites: favorites, summaries: summaries)
  }

  @Test func showsTheCityItsNeighborsAndItsSummary() async throws {
    let model = model(favorites: StubFavorites([TestIndex.berlin]))
    #expect(model.state == CityViewModel.State(id: TestIndex.potsdam))
    await model.send(.load)
    let details = try #require(model.state.details.value)
    #expect(details.city.name == "Potsdam")
    #expect(!details.isFavorite)
    #expect(
      details.neighbors.map(\.city.name) == [
        "Berlin", "Caputh", "Dessau", "Erfurt", "Fulda", "Gotha", "Halle", "Jena",
      ])
    #expect(details.neighbors.map(\.isFavorite) == [true] + Array(repeating: false, count: 7))
    for neighbor in details.neighbors {
      #expect(
        neighbor.distance == details.city.coordinate.distance(to: neighbor.city.coordinate))
    }
    #expect(model.state.summary == .loaded(Self.article))
  }

  @Test func noArticleIsNoFailure() async {
    let model = model(summaries: StubSummaries(.success(nil)))
    await model.send(.load)
    #expect(model.state.summary == .loaded(nil))
  }

  @Test func withoutANetworkTheCityIsShownAllTheSame() async {
    let summaries = StubSummaries(.failure(Self.down), .success(Self.article))
    let model = model(summaries: summaries)
    await model.send(.load)
    #expect(model.state.details.value?.city.name == "Potsdam")
    #expect(
      model.state.summary.failure
        == Failure(
          message: "Wikipedia cannot be reached: there is no network (4 attempts)",
          hint: "Check the network and the proxy settings, then try again.",
          kind: .serviceUnavailable))
    await model.send(.load)
    #expect(model.state.summary == .loaded(Self.article))
  }

  @Test func theDetailsAreThereBeforeTheSummary() async {
    let latch = Latch()
    let model = model(summaries: HeldSummaries(latch: latch))
    let loading = Task { await model.send(.load) }
    await latch.waitFor(1)
    #expect(model.state.details.value?.city.name == "Potsdam")
    #expect(model.state.summary == .loading)
    await latch.open()
    await loading.value
    #expect(model.state.summary == .loaded(nil))
  }

  @Test func aCityThatIsNotInTheIndexIsAFailureWithoutACall() async {
    let summaries = StubSummaries(.success(Self.article))
    let model = model(77, summaries: summaries)
    await model.send(.load)
    #expect(
      model.state.details
        == .failed(
          Failure(message: "the index has no city 77", hint: "Search for its name instead.")))
    #expect(model.state.summary == .idle)
    #expect(summaries.script.count == 0)
  }

  @Test func aCityThatIsNotInTheIndexBecomesNoFavorite() async throws {
    let favorites = StubFavorites()
    let model = model(77, favorites: favorites)
    await model.send(.setFavorite(true))
    #expect(model.state.details.failure?.message == "the index has no city 77")
    #expect(try await favorites.favorites() == [])
  }

  @Test func becomesAFavoriteAndNoneAgain() async throws {
    let favorites = StubFavorites([TestIndex.berlin])
    let summaries = StubSummaries(.success(nil))
    let model = model(favorites: favorites, summaries: summaries)
    for isFavorite in [true, true, false, false, true] {
      await model.send(.setFavorite(isFavorite))
      #expect(model.state.details.value?.isFavorite == isFavorite)
      #expect(try await favorites.favorites().contains(TestIndex.potsdam) == isFavorite)
    }
    #expect(try await favorites.favorites() == [TestIndex.potsdam, TestIndex.berlin])
    #expect(summaries.script.count == 0, "a star needs no encyclopedia")
  }

  @Test func brokenFavoritesAreToldAndRetried() async {
    let favorites = StubFavorites(isBroken: true)
    let model = model(favorites: favorites)
    await model.send(.load)
    #expect(model.state.details == .failed(StoreIsBroken().failure))
    #expect(model.state.summary == .idle)
    favorites.isBroken = false
    await model.send(.load)
    #expect(model.state.details.value?.city.name == "Potsdam")
    #expect(model.state.summary == .loaded(Self.article))
  }

  @Test func aStarThatCannotBeStoredIsTold() async {
    let favorites = StubFavorites()
    let model = model(favorites: favorites)
    await model.send(.load)
    favorites.isBroken = true
    await model.send(.setFavorite(true))
    #expect(model.state.details.failure == StoreIsBroken().failure)
    #expect(model.state.details.value?.isFavorite == false, "the details stay")
    #expect(model.state.summary == .loaded(Self.article), "the summary stays")
  }

  @Test func aCancelledSummaryIsNoFailure() async {
    let model = model(summaries: StubSummaries(.failure(CancellationError())))
    await model.send(.load)
    #expect(model.state.details.value != nil)
    #expect(model.state.summary == .idle)
  }
}

/// A summary source that does not respond until it is released.
private struct HeldSummaries: CitySummarizing {
  let latch: Latch

  func summary(of city: City) async -> CitySummary? {
    await latch.hold()
    return nil
  }
}
