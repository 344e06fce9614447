/// The grouped lists.
@MainActor
package final class ListsViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Loads the feed, from a cache if one holds it.
    case load
    /// Loads the feed as it is now.
    case refresh
    /// Loads the feed at a path or address, and shows it in place of the current one.
    case open(String)
    case setOrder(ListFeed.Order)
  }

  package struct State: Hashable, Sendable {
    package var order = ListFeed.Order.text
    package var feed: Loading<ListFeed> = .idle
    /// The location of the shown feed, if the user has opened the feed.
    package var location: String?

    /// The lists with the items whose names match, or why there are none.
    ///
    /// - Parameter matches: whether an item is shown.
    package func document(where matches: (String) -> Bool = { _ in true }) -> Document {
      var document = Document()
      switch feed {
      case .idle: return document
      case .loading: document.sections.append(.init("lists", [.waiting(lines: 6)]))
      case .failed(let failure, _):
        document.sections.append(
          .init("lists", [.failure(title: "The lists cannot be loaded", failure)]))
      case .loaded: break
      }
      if let feed = feed.value {
        document.lead = feed.count == 0 ? "The feed has no item with a name." : feed.summary
        document.sections += feed.sections(where: matches)
      }
      return document
    }
  }

  package nonisolated let store: StateStore<State>
  private var loader: (any FeedLoading)?
  /// The number of feeds that the user has begun to open.
  private var openings = 0
  private let make: FeedLoader.Make?

  /// - Parameter make: makes the loaders of the feeds that the user opens.
  package init(loader: (any FeedLoading)?, make: FeedLoader.Make? = nil) {
    store = StateStore(State())
    self.loader = loader
    self.make = make
  }

  package func send(_ action: Action) async {
    switch action {
    case .load: await load(isRefresh: false)
    case .refresh: await load(isRefresh: true)
    case .open(let location): await open(location)
    case .setOrder(let order):
      store.update { state in
        state.order = order
        state.feed.update { $0 = $0.sorted(by: order) }
      }
    }
  }

  private func load(isRefresh: Bool) async {
    guard let loader else { return }
    await load(\.feed) { try await feed(from: loader, isRefresh) }
  }

  /// Opens a feed; if that fails, the feed that is shown remains.
  private func open(_ location: String) async {
    guard let opened = make?(location) else { return }
    openings += 1
    let opening = openings
    store.update { $0.feed.begin() }
    let outcome = await Loading { try await feed(from: opened, false) }
    // A newer one takes its place.
    guard opening == openings else { return }
    let isShown = outcome.value != nil
    if isShown || state.feed.value == nil { loader = opened }
    store.update { state in
      if isShown { state.location = location }
      state.feed.end(outcome)
    }
  }

  private func feed(from loader: any FeedLoading, _ isRefresh: Bool) async throws -> ListFeed {
    let feed = try await Self.read(loader, isRefresh)
    // The order may have been changed in the meantime.
    return feed.sorted(by: state.order)
  }

  /// Gets and reads the feed, off the main actor.
  private nonisolated static func read(
    _ loader: any FeedLoading, _ isRefresh: Bool
  ) async throws -> ListFeed {
    try ListFeed(json: await loader.feed(isRefresh: isRefresh))
  }
}
