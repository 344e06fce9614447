import Cities
import FaketrackFeatures
import Testing

@MainActor @Suite struct HomeViewModelTests {
  @Test(arguments: [true, false], [true, false])
  func tellsWhatThereIs(hasKey: Bool, isImported: Bool) async throws {
    let model = HomeViewModel(
      hasFlickrKey: hasKey, index: try TestIndex.make(), hasImportedIndex: isImported,
      favorites: StubFavorites([1, 2, 3]))
    #expect(model.state.favorites == .idle)
    await model.load()
    #expect(model.state.hasFlickrKey == hasKey)
    #expect(model.state.hasImportedIndex == isImported)
    #expect(model.state.cities == 70)
    #expect(model.state.favorites == .loaded(3))
  }

  @Test func brokenFavoritesAreToldAndRetried() async throws {
    let favorites = StubFavorites()
    favorites.isBroken = true
    let model = HomeViewModel(
      hasFlickrKey: false, index: try TestIndex.make(), hasImportedIndex: false,
      favorites: favorites)
    await model.load()
    #expect(model.state.favorites == .failed(LoadingFailure(StubFavorites.failure)))
    favorites.isBroken = false
    await model.load()
    #expect(model.state.favorites == .loaded(0))
  }
}
