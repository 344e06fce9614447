import Cities
import Foundation

/// What the screens are made of.
package struct Dependencies: Sendable {
  package var index: CityIndex
  /// Whether the index is the user's own.
  package var hasImportedIndex: Bool
  /// When the user imported it, if that is known.
  package var importDate: Date?
  package var favorites: any FavoritesStoring
  package var summaries: any CitySummarizing
  /// The feed of the lists; `nil` where none was named.
  package var feed: (any FeedLoading)?
  /// What is known of the source of photos.
  package var photos: PhotoSourceSummary
  /// The one walk of the process, which all front ends watch.
  package var tracking: TrackingViewModel

  package init(
    index: CityIndex, hasImportedIndex: Bool = false, importDate: Date? = nil,
    favorites: any FavoritesStoring, summaries: any CitySummarizing, feed: (any FeedLoading)? = nil,
    photos: PhotoSourceSummary = PhotoSourceSummary(), tracking: TrackingViewModel
  ) {
    self.index = index
    self.hasImportedIndex = hasImportedIndex
    self.importDate = importDate
    self.favorites = favorites
    self.summaries = summaries
    self.feed = feed
    self.photos = photos
    self.tracking = tracking
  }
}

/// A screen: the view model of a route, or what it shows where that never changes.
@MainActor
package enum Screen {
  case home(HomeViewModel)
  case tracking(TrackingViewModel)
  case cities(CityListViewModel)
  case city(CityViewModel)
  case lists(ListsViewModel)
  case about(About)

  /// Makes the screen of a route; the one of ``Route/tracking`` is always the same.
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
      self = .lists(ListsViewModel(loader: dependencies.feed))
    case .about:
      self = .about(About(dependencies))
    }
  }
}
