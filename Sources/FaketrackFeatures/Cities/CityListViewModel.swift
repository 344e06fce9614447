import Cities

/// The list of cities: search by prefix, favorites, more on demand.
@MainActor
package final class CityListViewModel {
  package enum Action: Hashable, Sendable {
    case search(String)
    case setFavoritesOnly(Bool)
    case setOrder(CityListQuery.Order)
    case loadMore
    case toggleFavorite(Int)
    case load
    case retry
    case open(Int)
  }

  package struct State: Hashable, Sendable {
    package var query: CityListQuery
    package var list: Loading<CityList> = .idle
  }

  /// Cities that a page has.
  package nonisolated static let pageSize = 50

  package private(set) var state: State {
    didSet { observers.send(state) }
  }
  private let index: CityIndex
  private let favorites: any FavoritesStoring
  private let navigate: @MainActor (Route) -> Void
  private let observers = StateBroadcaster<State>()
  private var pages = 1

  package init(
    query: CityListQuery, index: CityIndex, favorites: any FavoritesStoring,
    navigate: @escaping @MainActor (Route) -> Void = { _ in }
  ) {
    state = State(query: query)
    self.index = index
    self.favorites = favorites
    self.navigate = navigate
  }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package func states() -> AsyncStream<State> {
    observers.stream(startingWith: state)
  }

  package func send(_ action: Action) async {
    switch action {
    case .search(let text):
      await change { $0.text = text }
    case .setFavoritesOnly(let favoritesOnly):
      await change { $0.favoritesOnly = favoritesOnly }
    case .setOrder(let order):
      await change { $0.order = order }
    case .loadMore:
      guard let list = state.list.value, list.rows.count < list.total else { return }
      pages += 1
      await load()
    case .toggleFavorite(let id):
      await toggleFavorite(id)
    case .load, .retry:
      await load()
    case .open(let id):
      navigate(.city(id: id))
    }
  }

  /// Loads so many pages of what the query asks for; no more than there are.
  package func load(pages: Int) async {
    self.pages = min(max(pages, 1), index.count / Self.pageSize + 1)
    await load()
  }

  /// Loads what the query asks for.
  package func load() async {
    state.list.begin()
    let query = state.query
    let list = await Loading { try await self.list(for: query) }
    // A newer query may have come while the favorites were read, and loads its own list.
    if query == state.query { state.list = list }
  }

  private func list(for query: CityListQuery) async throws -> CityList {
    let starred = try await favorites.favorites()
    let page = index.search(
      CityQuery(
        prefix: query.text, ids: query.favoritesOnly ? starred : nil,
        order: query.order == .population ? .population : .name, limit: pages * Self.pageSize))
    return CityList(
      rows: page.cities.map { CityRow(city: $0, isFavorite: starred.contains($0.id)) },
      total: page.total)
  }

  private func change(_ change: (inout CityListQuery) -> Void) async {
    change(&state.query)
    pages = 1
    await load()
  }

  private func toggleFavorite(_ id: Int) async {
    do {
      if try await favorites.addFavorites([id]).isEmpty {
        try await favorites.removeFavorites([id])
      }
      await load()
    } catch {
      state.list = .failed(LoadingFailure(error))
    }
  }
}
