/// The grouped lists.
@MainActor
package final class ListsViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Loads the feed, from a cache if one holds it.
    case load
    /// Loads the feed as it is now.
    case refresh
    /// Loads the feed at a path or address in place of the current one.
    case open(String)
    case setOrder(ListFeed.Order)
  }

  package struct State: Hashable, Sendable {
    package var order = ListFeed.Order.text
    package var feed: Loading<ListFeed> = .idle
    /// The location of the feed, if the user has opened it.
    package var location: String?
  }

  package nonisolated let store: StateStore<State>
  private var loader: (any FeedLoading)?
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
    case .open(let location):
      loader = make?(location) ?? loader
      store.update { state in
        state.feed = .loading
        state.location = location
      }
      await load(isRefresh: false)
    case .setOrder(let order):
      store.update { state in
        state.order = order
        state.feed.update { $0 = $0.sorted(by: order) }
      }
    }
  }

  private func load(isRefresh: Bool) async {
    guard let loader else { return }
    await load(\.feed) {
      let feed = try await Self.feed(from: loader, isRefresh)
      // The order may have been changed in the meantime.
      return feed.sorted(by: state.order)
    }
  }

  /// Gets and reads the feed, off the main actor.
  private nonisolated static func feed(
    from loader: any FeedLoading, _ isRefresh: Bool
  ) async throws -> ListFeed {
    try ListFeed(json: await loader.feed(isRefresh: isRefresh))
  }
}
