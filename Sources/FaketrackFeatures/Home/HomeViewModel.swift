import Cities

/// What can be done next, and the state of what it needs.
@MainActor
package final class HomeViewModel {
  package struct State: Hashable, Sendable {
    /// Whether there is a key for Flickr.
    package var hasFlickrKey: Bool
    /// Cities in the index that is in use.
    package var cities: Int
    /// Whether that is the user's own index.
    package var hasImportedIndex: Bool
    package var favorites: Loading<Int> = .idle
  }

  package private(set) var state: State
  private let favorites: any FavoritesStoring

  package init(
    hasFlickrKey: Bool, index: CityIndex, hasImportedIndex: Bool, favorites: any FavoritesStoring
  ) {
    state = State(
      hasFlickrKey: hasFlickrKey, cities: index.count, hasImportedIndex: hasImportedIndex)
    self.favorites = favorites
  }

  package func load() async {
    state.favorites.begin()
    state.favorites = await Loading { try await favorites.favorites().count }
  }
}
