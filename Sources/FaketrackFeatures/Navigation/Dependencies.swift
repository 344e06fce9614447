import Cities

/// What the screens are made of.
package struct Dependencies: Sendable {
  package var index: CityIndex
  /// Whether the index is the user's own.
  package var hasImportedIndex: Bool
  package var favorites: any FavoritesStoring
  package var summaries: any CitySummarizing
  /// The feed of the lists; `nil` where none was named.
  package var feed: (any FeedLoading)?
  package var hasFlickrKey: Bool
  /// The walk; `nil` where no track was named.
  package var walk: TrackingViewModel.Parts?

  package init(
    index: CityIndex, hasImportedIndex: Bool = false, favorites: any FavoritesStoring,
    summaries: any CitySummarizing, feed: (any FeedLoading)? = nil, hasFlickrKey: Bool = false,
    walk: TrackingViewModel.Parts? = nil
  ) {
    self.index = index
    self.hasImportedIndex = hasImportedIndex
    self.favorites = favorites
    self.summaries = summaries
    self.feed = feed
    self.hasFlickrKey = hasFlickrKey
    self.walk = walk
  }
}
