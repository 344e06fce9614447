import Cities
import FaketrackFeatures
import FaketrackTestSupport
import Testing

@MainActor @Suite struct CityListViewModelTests {
  private let index: CityIndex
  private let destinations = Destinations()

  init() throws {
    index = try TestIndex.make()
  }

  private func model(
    _ query: CityListQuery = CityListQuery(), favorites: StubFavorites = StubFavorites()
  ) -> CityListViewModel {
    CityListViewModel(
      query: query, index: index, favorites: favorites, navigate: destinations.navigate)
  }

  private func names(_ model: CityListViewModel) -> [String]? {
    model.state.list.value?.rows.map(\.city.name)
  }

  @Test func startsWithTheQueryOfItsRoute() async {
    let model = model(CityListQuery(text: "POT"), favorites: StubFavorites([TestIndex.potsdam]))
    #expect(model.state.list == .idle)
    await model.send(.load)
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.list.value?.rows.first?.isFavorite == true)
    #expect(model.state.list.value?.total == 1)
  }

  @Test func searchesOrdersAndFilters() async {
    let model = model(favorites: StubFavorites([TestIndex.potsdam, 1_005]))
    await model.send(.search("kol"))
    #expect(names(model) == ["Köln"])
    await model.send(.search("nowhere"))
    #expect(model.state.list == .loaded(CityList(rows: [], total: 0)))
    await model.send(.search(""))
    #expect(names(model)?.prefix(2) == ["Berlin", "Caputh"])
    await model.send(.setOrder(.population))
    #expect(names(model)?.prefix(2) == ["Berlin", "Köln"])
    await model.send(.setFavoritesOnly(true))
    #expect(names(model) == ["Potsdam", "Villa 105"])
    #expect(
      model.state.query == CityListQuery(text: "", favoritesOnly: true, order: .population))
  }

  @Test func loadsMoreUntilAllAreThere() async {
    let model = model()
    await model.send(.loadMore)
    #expect(model.state.list == .idle, "there is nothing to have more of")
    await model.send(.load)
    #expect(names(model)?.count == 50)
    #expect(model.state.list.value?.total == 70)
    await model.send(.loadMore)
    #expect(names(model)?.count == 70)
    let all = model.state
    await model.send(.loadMore)
    #expect(model.state == all)
    await model.send(.search("villa"))
    #expect(names(model)?.count == 50, "another search starts with its first part")
  }

  @Test func favoritesCanBeToggledInTheList() async throws {
    let favorites = StubFavorites()
    let model = model(CityListQuery(text: "pot"), favorites: favorites)
    await model.send(.load)
    await model.send(.toggleFavorite(TestIndex.potsdam))
    #expect(model.state.list.value?.rows.map(\.isFavorite) == [true])
    #expect(try await favorites.favorites() == [TestIndex.potsdam])
    await model.send(.toggleFavorite(TestIndex.potsdam))
    #expect(model.state.list.value?.rows.map(\.isFavorite) == [false])
    #expect(try await favorites.favorites() == [])
  }

  @Test func brokenFavoritesAreToldAndRetried() async {
    let favorites = StubFavorites()
    favorites.isBroken = true
    let model = model(CityListQuery(text: "pot"), favorites: favorites)
    await model.send(.load)
    #expect(model.state.list == .failed(LoadingFailure(StubFavorites.failure)))
    favorites.isBroken = false
    await model.send(.retry)
    #expect(names(model) == ["Potsdam"])
    favorites.isBroken = true
    await model.send(.toggleFavorite(TestIndex.potsdam))
    #expect(model.state.list == .failed(LoadingFailure(StubFavorites.failure)))
  }

  @Test func anOlderSearchDoesNotReplaceANewerOne() async {
    let latch = Latch()
    let calls = Script<Bool>([.success(true), .success(false)])
    let favorites = StubFavorites {
      if (try? calls.next()) == true { await latch.hold() }
    }
    let model = model(favorites: favorites)
    async let slow: Void = model.send(.search("villa"))
    await latch.waitFor(1)
    await model.send(.search("pot"))
    #expect(names(model) == ["Potsdam"])
    await latch.open()
    await slow
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.query.text == "pot")
  }

  @Test func opensACity() async {
    await model().send(.open(TestIndex.potsdam))
    #expect(destinations.routes == [.city(id: TestIndex.potsdam)])
  }
}
