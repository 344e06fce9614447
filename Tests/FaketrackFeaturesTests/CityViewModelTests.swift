import Cities
import FaketrackFeatures
import Geodesy
import Testing

@MainActor @Suite struct CityViewModelTests {
  private static let article = CitySummary(title: "Potsdam", extract: "A city.")
  private static let down = CitiesError.summaryUnavailable(
    reason: "Wikipedia cannot be reached: there is no network (4 attempts)", isUnreachable: true)

  private let index: CityIndex
  private let destinations = Destinations()

  init() throws {
    index = try TestIndex.make()
  }

  private func model(
    _ id: Int = TestIndex.potsdam, favorites: StubFavorites = StubFavorites(),
    summaries: StubSummaries = StubSummaries(.success(article))
  ) -> CityViewModel {
    CityViewModel(
      id: id, index: index, favorites: favorites, summaries: summaries,
      navigate: destinations.navigate)
  }

  @Test func showsTheCityItsNeighboursAndItsSummary() async throws {
    let model = model(favorites: StubFavorites([TestIndex.berlin]))
    #expect(model.state.id == TestIndex.potsdam)
    #expect(model.state.details == .idle)
    #expect(model.state.summary == .idle)
    await model.send(.load)
    let details = try #require(model.state.details.value)
    #expect(details.city.name == "Potsdam")
    #expect(!details.isFavorite)
    #expect(
      details.neighbours.map(\.city.name) == [
        "Berlin", "Caputh", "Dessau", "Erfurt", "Fulda", "Gotha", "Halle", "Jena",
      ])
    #expect(details.neighbours.map(\.isFavorite) == [true] + Array(repeating: false, count: 7))
    for neighbour in details.neighbours {
      #expect(
        neighbour.distance == details.city.coordinate.distance(to: neighbour.city.coordinate))
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
    #expect(model.state.summary.failure?.message == Self.down.description)
    #expect(model.state.summary.failure?.hint == Self.down.recoverySuggestion)
    #expect(model.state.summary.failure?.kind == .serviceUnavailable)
    await model.send(.retry)
    #expect(model.state.summary == .loaded(Self.article))
  }

  @Test func retryAsksOnlyForWhatFailed() async {
    let summaries = StubSummaries(.success(nil))
    let model = model(summaries: summaries)
    await model.send(.load)
    await model.send(.retry)
    #expect(summaries.script.count == 1)
    await model.send(.load)
    #expect(summaries.script.count == 2)
  }

  @Test func aCityThatIsNotInTheIndexIsAFailureWithoutACall() async {
    let summaries = StubSummaries(.success(Self.article))
    let model = model(77, summaries: summaries)
    await model.send(.load)
    #expect(model.state.details.failure?.message == "the index has no city 77")
    #expect(model.state.details.failure?.hint == "Search for its name instead.")
    #expect(model.state.summary == .idle)
    #expect(summaries.script.count == 0)
  }

  @Test func theDetailsCanBeHadWithoutTheEncyclopedia() async {
    let summaries = StubSummaries(.success(Self.article))
    let model = model(summaries: summaries)
    await model.loadDetails()
    #expect(model.state.details.value != nil)
    #expect(summaries.script.count == 0)
  }

  @Test func becomesAFavoriteAndNoneAgain() async throws {
    let favorites = StubFavorites()
    let model = model(favorites: favorites)
    await model.send(.toggleFavorite)
    #expect(try await favorites.favorites() == [], "nothing is shown that could be one")
    await model.send(.load)
    await model.send(.toggleFavorite)
    #expect(model.state.details.value?.isFavorite == true)
    #expect(try await favorites.favorites() == [TestIndex.potsdam])
    await model.send(.toggleFavorite)
    #expect(model.state.details.value?.isFavorite == false)
    #expect(try await favorites.favorites() == [])
  }

  @Test func brokenFavoritesAreToldAndRetried() async {
    let favorites = StubFavorites()
    favorites.isBroken = true
    let model = model(favorites: favorites)
    await model.send(.load)
    #expect(
      model.state.details.failure?.message == "the favorites in /store cannot be used: disk full")
    favorites.isBroken = false
    await model.send(.retry)
    #expect(model.state.details.value?.city.name == "Potsdam")
    #expect(model.state.summary == .loaded(Self.article))
  }

  @Test func aCancelledSummaryIsNoFailure() async {
    let model = model(summaries: StubSummaries(.failure(CancellationError())))
    await model.send(.load)
    #expect(model.state.details.value != nil)
    #expect(model.state.summary == .idle)
  }

  @Test func opensANeighbour() async {
    await model().send(.open(TestIndex.berlin))
    #expect(destinations.routes == [.city(id: TestIndex.berlin)])
  }
}
