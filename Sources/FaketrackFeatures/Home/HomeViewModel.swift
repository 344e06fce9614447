import Cities
import Dispatch
import FaketrackSupport
import Locations
import PhotoSearch

/// The photo source, as the screens describe it.
package struct PhotoSourceSummary: Hashable, Sendable {
  /// The provider's display name; `nil` where no photos are searched.
  package var title: String?
  /// Whether its photos are generated.
  package var isSample: Bool
  package var hasFlickrKey: Bool
  /// Whether the photos are the user's own, which no service is asked for.
  package var isOwn: Bool

  package init(
    title: String? = nil, isSample: Bool = false, hasFlickrKey: Bool = false, isOwn: Bool = false
  ) {
    self.title = title
    self.isSample = isSample
    self.hasFlickrKey = hasFlickrKey
    self.isOwn = isOwn
  }

  /// The service that learns the positions of a walk; `nil` where none does.
  package var service: String? { isSample ? nil : title }

  /// The source with a name that was chosen while a walk is shown; without a name, this source.
  func choosing(_ name: String?) -> PhotoSourceSummary {
    guard let choice = name.flatMap(PhotoSourceChoice.init) else { return self }
    var provider: PhotoProvider? = hasFlickrKey ? .flickr : .commons
    if case .provider(let chosen) = choice { provider = chosen }
    if case .none = choice { provider = nil }
    return PhotoSourceSummary(
      title: provider?.title, isSample: provider?.isMadeUp == true, hasFlickrKey: hasFlickrKey)
  }

  package var words: String {
    if isSample { return "Generated samples" }
    if isOwn { return "Your own" }
    guard let title else { return "None" }
    return hasFlickrKey ? title : "\(title); Flickr needs a key"
  }
}

/// The home screen: the tracks, and the status of permission, photos, cities and favorites.
@MainActor
package final class HomeViewModel: ViewModel {
  package enum Action: Sendable {
    /// Reads the status of the walk, counts the favorites, and waits until all tracks have been read, unless they are
    /// followed.
    case load
    /// Keeps the status of the walk and the tracks current, until the task is canceled.
    case follow
    /// Adds a track and chooses it, unless another one is being walked.
    case open(Track)
    /// Adds the track of a file, or all tracks in a folder, and chooses the first one in the same way.
    case openPath(String)
    /// Makes a track, adds it and chooses it in the same way.
    case make(MadeTrack)
    /// Controls the walk, such as starting it on a track of the list.
    case walk(TrackingViewModel.Action)
  }

  package struct State: Hashable, Sendable {
    package var photos: PhotoSourceSummary
    /// The number of cities in the index.
    package var cities: Int
    package var hasImportedIndex: Bool
    package var favorites: Loading<Int> = .idle
    package var tracks: [TrackCatalog.Entry]
    /// The tracks that were uploaded, opened or made while it runs.
    package var added: Set<Int> = []
    /// The day of each track with times, as `24 April 2026`, local time.
    package var days: [Int: String] = [:]
    /// The track that was opened last.
    package var opened: Loading<Int> = .idle
    package var walkedTrack: Int?
    /// Whether the walk runs, is paused or waits for its permission.
    package var isUnderWay = false
    package var permission: AuthorizationStatus

    package var indexWords: String {
      Quantity.count(cities, "city", plural: "cities")
        + (hasImportedIndex ? ", imported" : ", built in")
    }

    /// The tracks with the added ones first, the newest on top.
    package var newestFirst: [TrackCatalog.Entry] {
      tracks.filter { added.contains($0.id) }.reversed()
        + tracks.filter { !added.contains($0.id) }
    }
  }

  package nonisolated let store: StateStore<State>
  private let favorites: any FavoritesStoring
  private let index: CityIndex
  /// The photo source of walks for which none was chosen.
  private let photos: PhotoSourceSummary
  private let opener: TrackOpener
  private let tracking: TrackingViewModel
  private var isFollowing = false

  package init(_ dependencies: Dependencies) {
    favorites = dependencies.favorites
    index = dependencies.index
    photos = dependencies.photos
    opener = dependencies.tracks
    tracking = dependencies.tracking
    store = StateStore(
      State(
        photos: photos.choosing(tracking.state.photoSource), cities: dependencies.index.count,
        hasImportedIndex: dependencies.hasImportedIndex, tracks: tracking.catalog.entries,
        walkedTrack: tracking.walkedTrack, isUnderWay: tracking.state.isUnderWay,
        permission: tracking.state.permission))
    show(tracking.catalog.entries)
  }

  package func send(_ action: Action) async {
    switch action {
    case .load:
      showWalk()
      await load(\.favorites) { try await favorites.favorites().count }
      if !isFollowing { await showTracks() }
    case .follow where isFollowing: break
    case .follow:
      isFollowing = true
      defer { isFollowing = false }
      async let walks: Void = followWalk()
      await followTracks()
      await walks
    case .open(let track): await open { [track] }
    case .openPath(let path): await open { [opener] in try await opener.tracks(at: [path]) }
    case .make(let words):
      await open { [index] in
        try await DispatchQueue(label: "faketrack.make").blocking { [try words.track(in: index)] }
      }
    case .walk(let action):
      await tracking.send(action)
      if case .remove = action { show(tracking.catalog.entries) }
      showWalk()
    }
  }

  private func open(_ files: () async throws -> [Track]) async {
    store.update { $0.opened = .loading }
    let opened = await Loading { try await add(files()) }
    if let track = opened.value { await tracking.send(.choose(track: track)) }
    show(tracking.catalog.entries)
    store.update { $0.opened = opened }
  }

  /// Adds tracks, and returns the first of them.
  ///
  /// - Throws: ``Failure`` if the only track cannot be replayed; one of several stays with its failure.
  private func add(_ tracks: [Track]) async throws -> Int {
    if tracks.count > 1 { return tracking.catalog.add(tracks) }
    guard let track = tracks.first else { throw Failure(message: "there is no track") }
    return try await tracking.catalog.add(track, protecting: tracking.state.track)
  }

  private func followWalk() async {
    for await walk in tracking.states()
    where tracking.walkedTrack != state.walkedTrack || walk.isUnderWay != state.isUnderWay
      || walk.permission != state.permission || photos.choosing(walk.photoSource) != state.photos
    {
      showWalk()
    }
  }

  private func followTracks() async {
    for await _ in tracking.catalog.store.states() {
      let tracks = tracking.catalog.entries
      if tracks != state.tracks { show(tracks) }
      // Very many tracks may be read one after the other.
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Shows the tracks until all of them have been read.
  private func showTracks() async {
    for await tracks in tracking.catalog.store.states() {
      show(tracks)
      if !tracks.contains(where: { $0.shape == .loading }) { break }
    }
  }

  private func show(_ tracks: [TrackCatalog.Entry]) {
    let added = tracks.map(\.id).filter(tracking.catalog.isAddition)
    // A city is searched for each day that is new.
    let known = state.days
    let days = tracks.compactMap { track in
      (known[track.id] ?? day(of: track)).map { (track.id, $0) }
    }
    store.update {
      $0.tracks = tracks
      $0.added = Set(added)
      $0.days = Dictionary(days) { first, _ in first }
    }
  }

  private func day(of track: TrackCatalog.Entry) -> String? {
    guard let start = track.shape.value?.points.first, let time = start.time else { return nil }
    let city = index.nearest(to: start.coordinate, within: Clocks.farthestCity)?.city
    return tracking.state.clocks.time(time, near: city)?.longDate
  }

  private func showWalk() {
    let walk = tracking.state
    store.update {
      $0.walkedTrack = tracking.walkedTrack
      $0.isUnderWay = walk.isUnderWay
      $0.permission = walk.permission
      $0.photos = photos.choosing(walk.photoSource)
    }
  }
}

extension HomeViewModel.State {
  /// The tracks with what can be done with them, which the app draws; then the status.
  package var document: Document {
    let isOnlyTrack = tracks.count == 1 && walkedTrack == nil
    let hints: [Document.Fact] = [
      .init("s", "walk it"), .init("n", "add a GPX file, or Potsdam to Berlin"),
      .init("3", "search \(indexWords)"),
    ]
    let status: [Document.Fact] = [
      .init("Location", permission.words), .init("Photos", photos.words),
      .init("Cities", indexWords),
      .init(
        "Favorites",
        favoritesWords(loading: "…") { Quantity.count($0, "city", plural: "cities") }),
    ]
    return Document(
      lead: "For every 100 meters of a walk, a photo taken there and the city you are near.",
      sections: [
        .init(
          "tracks", title: "Tracks",
          tracks.isEmpty
            ? [
              .text(
                "No track yet: press n to add a GPX file, or to type Potsdam to Berlin.",
                isMuted: true)
            ] : isOnlyTrack ? [.hints(hints)] : []),
        .init("status", title: "Status", [.facts(status)]),
      ])
  }

  /// The commands to try next, and the status.
  package var commands: Document {
    let key =
      photos.hasFlickrKey
      ? "set: photos come from Flickr"
      : "not set: photos come from Wikimedia Commons, which needs none"
    return Document(
      lead:
        "faketrack walks any GPX track: for every 100 meters, a photo taken there and the city you "
        + "are near.",
      sections: [
        .init(
          "commands", title: "Try next",
          [
            .hints([
              .init("faketrack demo", "the sample walk, in the terminal or on a local web page"),
              .init("faketrack replay walk.gpx", "a photo URL for every 100 meters of a walk"),
              .init("faketrack cities search pots", "cities whose names start with “pots”"),
            ])
          ]),
        .init(
          "status", title: "Status",
          [
            .facts([
              .init("Flickr key", key), .init("city index", indexWords),
              .init("favorites", favoritesWords(loading: "", Quantity.grouped)),
            ])
          ]),
        .init("help", [.text("All commands: faketrack --help")]),
      ])
  }

  private func favoritesWords(loading: String, _ words: (Int) -> String) -> String {
    switch favorites {
    case .loaded(let count): words(count)
    case .failed(let failure, _): failure.message
    case .idle, .loading: loading
    }
  }
}

extension AuthorizationStatus {
  package var words: String {
    switch self {
    case .authorizedAlways, .authorizedWhenInUse: "Allowed"
    case .notDetermined: "Not asked yet"
    case .denied: "Denied"
    case .restricted: "Restricted"
    }
  }
}

extension TrackCatalog.Entry {
  /// The facts of a track that has been read; `nil` before that.
  package func summary(in units: Units = .preferred) -> String? {
    guard let shape = shape.value else { return nil }
    let facts = shape.count > 0 ? shape.summary(in: units) : nil
    return [isLive ? "Live receiver" : nil, facts].compactMap(\.self).joined(separator: " · ")
  }
}

extension TrackShape {
  /// The length, the duration and the ascent where known, and the number of points.
  package func summary(in units: Units = .preferred) -> String {
    "\(facts(in: units)) · \(Quantity.count(count, "point"))"
  }

  /// The length, and the duration and the ascent where known.
  package func facts(in units: Units = .preferred) -> String {
    var words = [Quantity.distance(length, in: units)]
    if let duration, duration > 0 { words.append(Quantity.duration(duration)) }
    if ascent >= 1 { words.append("\(Quantity.height(ascent, in: units)) up") }
    return words.joined(separator: " · ")
  }
}
