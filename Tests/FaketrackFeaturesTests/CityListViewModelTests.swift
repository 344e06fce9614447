import Cities
import FaketrackSupport
import FaketrackTestSupport
import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct CityListViewModelTests {
  private let index: CityIndex

  init() throws {
    index = try TestIndex.make()
  }

  private func model(
    _ query: CityListQuery = CityListQuery(), favorites: StubFavorites = StubFavorites()
  ) -> CityListViewModel {
    CityListViewModel(query: query, index: index, favorites: favorites)
  }

  private func names(_ model: CityListViewModel) -> [String]? {
    model.state.list.value?.rows.map(\.city.name)
  }

  private static let firstPage = CityListViewModel.Action.load(
    offset: 0, limit: CityListViewModel.pageSize)

  @Test func startsWithTheQueryOfItsRoute() async {
    let query = CityListQuery(text: "POT")
    let model = model(query, favorites: StubFavorites([TestIndex.potsdam]))
    #expect(model.state == CityListViewModel.State(query: query))
    await model.send(Self.firstPage)
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.list.value?.rows.first?.isFavorite == true)
    #expect(model.state.list.value?.rows.first?.distance == nil)
    #expect(model.state.list.value?.total == 1)
    #expect(model.state.query == query)
  }

  @Test(
    arguments: [
      (CityListQuery(text: "kol"), ["Köln"]),
      (CityListQuery(text: "nowhere"), []),
      (CityListQuery(country: "DE", order: .name), ["Berlin", "Caputh", "Dessau"]),
      (CityListQuery(country: "AR"), ["Villa 100", "Villa 101", "Villa 102"]),
      (CityListQuery(text: "pot", country: "AR"), []),
      (CityListQuery(country: "DE"), ["Berlin", "Köln", "Jena"]),
      (CityListQuery(favoritesOnly: true), ["Potsdam", "Villa 105"]),
      (CityListQuery(text: "v", favoritesOnly: true), ["Villa 105"]),
    ] as [(CityListQuery, [String])])
  func searchesOrdersAndFilters(query: CityListQuery, first: [String]) async {
    let model = model(query, favorites: StubFavorites([TestIndex.potsdam, 1_005]))
    await model.send(.load(offset: 0, limit: 3))
    #expect(names(model) == first)
  }

  @Test(
    arguments: [(0, 50, 50), (50, 50, 20), (69, 50, 1), (70, 50, 0), (1_000, 5, 0), (3, 0, 0)])
  func loadsTheRowsThatAreAskedFor(offset: Int, limit: Int, count: Int) async {
    let model = model()
    await model.send(.load(offset: offset, limit: limit))
    #expect(names(model)?.count == count)
    #expect(model.state.list.value?.offset == offset)
    #expect(model.state.list.value?.total == 70)
  }

  @Test func thePagesTogetherAreTheWholeList() async {
    let model = model()
    await model.send(.load(offset: 0, limit: 70))
    let all = names(model) ?? []
    #expect(all.count == 70)
    var pages: [String] = []
    for offset in stride(from: 0, to: 70, by: 9) {
      await model.send(.load(offset: offset, limit: 9))
      pages += names(model) ?? []
    }
    #expect(pages == all)
  }

  @Test func brokenFavoritesDoNotFailTheSearch() async {
    let model = model(CityListQuery(text: "pot"), favorites: StubFavorites(isBroken: true))
    await model.send(Self.firstPage)
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.list.value?.rows.map(\.isFavorite) == [false])
    #expect(model.state.list.value?.favoritesFailure == StoreIsBroken().failure)
  }

  @Test func brokenFavoritesFailTheListOfFavoritesWhichCanBeRetried() async {
    let favorites = StubFavorites([TestIndex.potsdam], isBroken: true)
    let model = model(CityListQuery(favoritesOnly: true), favorites: favorites)
    await model.send(Self.firstPage)
    #expect(model.state.list == .failed(StoreIsBroken().failure))
    favorites.isBroken = false
    await model.send(Self.firstPage)
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.list.value?.favoritesFailure == nil)
  }

  @Test(arguments: [true, false])
  func aCancelledSearchIsNoFailure(favoritesOnly: Bool) async {
    let favorites = StubFavorites(isBroken: true, error: CancellationError())
    let model = model(CityListQuery(favoritesOnly: favoritesOnly), favorites: favorites)
    await model.send(Self.firstPage)
    #expect(model.state.list == .idle)
  }

  @Test func anotherQueryShowsItsFirstRows() async {
    let model = model(CityListQuery(text: "villa"))
    await model.send(.load(offset: 20, limit: 10))
    #expect(model.state.currentList?.offset == 20)
    let query = CityListQuery(text: "villa 1", order: .name)
    await model.send(.setQuery(query))
    #expect(model.state.query == query)
    #expect(model.state.currentList?.offset == 0)
    #expect(names(model)?.count == 10)
    #expect(names(model)?.first == "Villa 100")
  }

  @Test func theRowsStayUntilThoseOfTheNewQueryAreThere() async {
    let latch = Latch()
    let model = CityListViewModel(
      query: CityListQuery(text: "pot"), index: index, favorites: HeldFavorites(latch: latch))
    await model.send(Self.firstPage)
    let search = Task { await model.send(.setQuery(CityListQuery(text: "berl"))) }
    await latch.waitFor(1)
    #expect(model.state.query.text == "berl")
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.isOutdated && model.state.currentList == nil)
    await latch.open()
    await search.value
    #expect(model.state.currentList?.rows.map(\.city.name) == ["Berlin"])
  }

  @Test func aQueryThatFailsHidesTheRowsOfThePreviousOne() async {
    let favorites = StubFavorites()
    let model = model(CityListQuery(text: "pot"), favorites: favorites)
    await model.send(Self.firstPage)
    favorites.isBroken = true
    await model.send(.setQuery(CityListQuery(favoritesOnly: true)))
    #expect(model.state.list == .failed(StoreIsBroken().failure))
    #expect(model.state.currentList == nil)
  }

  @Test func aStarThatCannotBeStoredKeepsTheRows() async {
    let favorites = StubFavorites()
    let model = model(CityListQuery(text: "pot"), favorites: favorites)
    await model.send(Self.firstPage)
    favorites.isBroken = true
    await model.send(.setFavorite(true, id: TestIndex.potsdam))
    #expect(names(model) == ["Potsdam"])
    #expect(model.state.list.value?.favoritesFailure == StoreIsBroken().failure)
  }
}

/// Favorites that can be read once without waiting, and then wait for a latch.
private final class HeldFavorites: FavoritesStoring {
  let latch: Latch
  private let reads = Locked(0)

  init(latch: Latch) {
    self.latch = latch
  }

  func favorites() async -> Set<Int> {
    let isFirst = reads.withLock { reads in
      reads += 1
      return reads == 1
    }
    if !isFirst { await latch.hold() }
    return []
  }

  func addFavorites(_ ids: Set<Int>) async -> Set<Int> { ids }
  func removeFavorites(_ ids: Set<Int>) async -> Set<Int> { ids }
}
