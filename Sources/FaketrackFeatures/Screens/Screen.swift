import Cities
import Foundation

/// The dependencies of all screens.
package struct Dependencies: Sendable {
  package var index: CityIndex
  package var hasImportedIndex: Bool
  package var importDate: Date?
  package var favorites: any FavoritesStoring
  package var summaries: any CitySummarizing
  /// The feed of the lists; `nil` without one.
  package var feed: (any FeedLoading)?
  /// Makes the loader of a feed from its path or address.
  package var feedLoader: FeedLoader.Make?
  package var photos: PhotoSourceSummary
  /// Opens tracks while the screens are shown.
  package var tracks: TrackOpener
  /// The one walk of the process, which all front ends watch.
  package var tracking: TrackingViewModel

  package init(
    index: CityIndex, hasImportedIndex: Bool = false, importDate: Date? = nil,
    favorites: any FavoritesStoring, summaries: any CitySummarizing, feed: (any FeedLoading)? = nil,
    feedLoader: FeedLoader.Make? = nil, photos: PhotoSourceSummary = PhotoSourceSummary(),
    tracks: TrackOpener = TrackOpener(), tracking: TrackingViewModel
  ) {
    self.index = index
    self.hasImportedIndex = hasImportedIndex
    self.importDate = importDate
    self.favorites = favorites
    self.summaries = summaries
    self.feed = feed
    self.feedLoader = feedLoader
    self.photos = photos
    self.tracks = tracks
    self.tracking = tracking
  }
}

/// A screen: the view model of a route, or its content where that never changes.
@MainActor
package enum Screen {
  case home(HomeViewModel)
  case tracking(TrackingViewModel)
  case cities(CityListViewModel)
  case city(CityViewModel)
  case lists(ListsViewModel)
  case about(Document)

  /// Makes the screen of a route; all screens of ``Route/tracking`` share one view model.
  package init(_ route: Route, _ dependencies: Dependencies) {
    switch route {
    case .home:
      self = .home(HomeViewModel(dependencies))
    case .tracking:
      self = .tracking(dependencies.tracking)
    case .cities(let query):
      self = .cities(
        CityListViewModel(
          query: query, index: dependencies.index, favorites: dependencies.favorites))
    case .city(let id):
      self = .city(
        CityViewModel(
          id: id, index: dependencies.index, favorites: dependencies.favorites,
          summaries: dependencies.summaries))
    case .lists:
      self = .lists(ListsViewModel(loader: dependencies.feed, make: dependencies.feedLoader))
    case .about:
      self = .about(About.document(dependencies))
    }
  }

  /// Whether ``load(isRefresh:)`` calls other services.
  package var callsServices: Bool {
    switch self {
    case .city, .lists: true
    case .home, .tracking, .cities, .about: false
    }
  }

  /// Loads the content, except lists of cities, which are loaded in parts.
  ///
  /// - Parameter isRefresh: whether to bypass caches.
  package func load(isRefresh: Bool) async {
    switch self {
    case .home(let model): await model.send(.load)
    case .city(let model): await model.send(.load)
    case .lists(let model): await model.send(isRefresh ? .refresh : .load)
    case .tracking(let model):
      if let track = model.state.track { _ = await model.catalog.shape(of: track) }
    case .cities, .about: break
    }
  }
}
