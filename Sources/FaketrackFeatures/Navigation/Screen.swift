/// A screen: the view model of a route.
@MainActor
package enum Screen {
  case home(HomeViewModel)
  case tracking(TrackingViewModel?)
  case cities(CityListViewModel)
  case city(CityViewModel)
  case lists(ListsViewModel)
  case about

  /// Makes the screen of a route.
  package init(
    _ route: Route, _ dependencies: Dependencies,
    navigate: @escaping @MainActor (Route) -> Void = { _ in }
  ) {
    switch route {
    case .home:
      self = .home(
        HomeViewModel(
          hasFlickrKey: dependencies.hasFlickrKey, index: dependencies.index,
          hasImportedIndex: dependencies.hasImportedIndex, favorites: dependencies.favorites))
    case .tracking:
      self = .tracking(dependencies.walk.map(TrackingViewModel.init))
    case .cities(let query):
      self = .cities(
        CityListViewModel(
          query: query, index: dependencies.index, favorites: dependencies.favorites,
          navigate: navigate))
    case .city(let id):
      self = .city(
        CityViewModel(
          id: id, index: dependencies.index, favorites: dependencies.favorites,
          summaries: dependencies.summaries, navigate: navigate))
    case .lists:
      self = .lists(ListsViewModel(loader: dependencies.feed))
    case .about:
      self = .about
    }
  }
}
