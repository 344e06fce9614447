/// The grouped lists.
@MainActor
package final class ListsViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Loads the feed, from a cache if one holds it.
    case load
    /// Loads the feed as it is now.
    case refresh
    case setOrder(ListFeed.Order)
  }

  package struct State: Hashable, Sendable {
    package var order = ListFeed.Order.text
    package var feed: Loading<ListFeed> = .idle
  }

  package nonisolated let store: StateStore<State>
  private let loader: (any FeedLoading)?

  package init(loader: (any FeedLoading)?) {
    store = StateStore(State())
    self.loader = loader
  }

  package func send(_ action: Action) async {
    switch action {
    case .load: await load(isRefresh: false)
    case .refresh: await load(isRefresh: true)
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
