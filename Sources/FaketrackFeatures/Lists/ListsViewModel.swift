import Foundation

/// Gets the feed of the lists.
package protocol FeedLoading: Sendable {
  /// The bytes of the feed.
  func feed() async throws -> Data
}

/// The grouped lists.
@MainActor
package final class ListsViewModel {
  package enum Action: Hashable, Sendable {
    case load
    case retry
    case setOrder(ListFeed.Order)
  }

  package struct State: Hashable, Sendable {
    package var order: ListFeed.Order
    package var feed: Loading<ListFeed> = .idle
  }

  package private(set) var state: State {
    didSet { observers.send(state) }
  }
  /// `nil` where no feed was named.
  private let loader: (any FeedLoading)?
  private let observers = StateBroadcaster<State>()

  package init(loader: (any FeedLoading)?, order: ListFeed.Order = .text) {
    state = State(order: order)
    self.loader = loader
  }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package func states() -> AsyncStream<State> {
    observers.stream(startingWith: state)
  }

  package func send(_ action: Action) async {
    switch action {
    case .load, .retry:
      await load()
    case .setOrder(let order):
      state.order = order
      if let feed = state.feed.value { state.feed = .loaded(feed.sorted(by: order)) }
    }
  }

  private func load() async {
    guard let loader else { return }
    state.feed.begin()
    var feed = await Loading { try await Self.feed(from: loader) }
    // The order may have been changed in the meantime.
    if let lists = feed.value { feed = .loaded(lists.sorted(by: state.order)) }
    state.feed = feed
  }

  /// Gets and reads the feed, off the main actor.
  private nonisolated static func feed(from loader: any FeedLoading) async throws -> ListFeed {
    try ListFeed(json: try await loader.feed())
  }
}
