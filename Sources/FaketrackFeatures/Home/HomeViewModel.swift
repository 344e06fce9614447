import Cities
import Locations

/// What the screens show of the source of photos.
package struct PhotoSourceSummary: Hashable, Sendable {
  /// The provider's name as people know it; `nil` where no photos are searched.
  package var title: String?
  /// Whether its photos are made up.
  package var isSample: Bool
  /// Whether there is a key for Flickr.
  package var hasFlickrKey: Bool

  package init(title: String? = nil, isSample: Bool = false, hasFlickrKey: Bool = false) {
    self.title = title
    self.isSample = isSample
    self.hasFlickrKey = hasFlickrKey
  }
}

/// The home screen: what can be done next, and the state of what it takes.
@MainActor
package final class HomeViewModel: ViewModel {
  package enum Action: Sendable {
    /// Looks at the walk, counts the favorites, and waits until all tracks have been read.
    case load
    /// Adds a file to the tracks and chooses it, unless another one is being walked.
    case open(TrackFile)
  }

  package struct State: Hashable, Sendable {
    package var photos: PhotoSourceSummary
    /// Cities in the index that is in use.
    package var cities: Int
    /// Whether that is the user's own index.
    package var hasImportedIndex: Bool
    package var favorites: Loading<Int> = .idle
    package var tracks: [TrackCatalog.Entry]
    /// The track that was opened last.
    package var opened: Loading<Int> = .idle
    /// The track that is being walked.
    package var walkedTrack: Int?
    package var permission: AuthorizationStatus
  }

  package nonisolated let store: StateStore<State>
  private let favorites: any FavoritesStoring
  private let tracking: TrackingViewModel

  init(_ dependencies: Dependencies) {
    favorites = dependencies.favorites
    tracking = dependencies.tracking
    store = StateStore(
      State(
        photos: dependencies.photos, cities: dependencies.index.count,
        hasImportedIndex: dependencies.hasImportedIndex, tracks: tracking.catalog.entries,
        walkedTrack: tracking.walkedTrack, permission: tracking.permission))
  }

  package func send(_ action: Action) async {
    switch action {
    case .load:
      store.update {
        $0.favorites.begin()
        $0.walkedTrack = tracking.walkedTrack
        $0.permission = tracking.permission
      }
      let count = await Loading { try await favorites.favorites().count }
      store.update { $0.favorites = count }
      for await tracks in tracking.catalog.store.states() {
        store.update { $0.tracks = tracks }
        if !tracks.contains(where: { $0.shape == .loading }) { break }
      }
    case .open(let file):
      store.update { $0.opened = .loading }
      let opened = await Loading {
        try await tracking.catalog.add(file, protecting: tracking.state.track)
      }
      if let track = opened.value { await tracking.send(.choose(track: track)) }
      store.update {
        $0.opened = opened
        $0.tracks = tracking.catalog.entries
      }
    }
  }
}
