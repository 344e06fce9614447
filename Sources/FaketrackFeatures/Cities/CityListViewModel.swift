import Cities

/// A city in a list.
package struct CityRow: Hashable, Sendable {
  package var city: City
  /// The other name that matched a search; `nil` if the city's own name did.
  package var matched: String?
  package var isFavorite: Bool
  /// The distance from the list's position in meters; `nil` in a list without one.
  package var distance: Double?

  package init(city: City, isFavorite: Bool, distance: Double? = nil) {
    self.city = city
    self.isFavorite = isFavorite
    self.distance = distance
  }

  package init(_ city: City, favorites: Set<Int>, distance: Double? = nil) {
    self.init(city: city, isFavorite: favorites.contains(city.id), distance: distance)
  }

  package init(_ match: CityMatch, favorites: Set<Int>) {
    self.init(match.city, favorites: favorites)
    matched = match.matched
  }
}

/// A page of the cities that match a query, and the numbers of matches before it and in all.
package struct CityList: Hashable, Sendable {
  package var rows: [CityRow]
  package var offset: Int
  package var total: Int
  /// Whether any city is a favorite, listed or not.
  package var hasFavorites: Bool
  /// The reason why no row has a star, where the favorites could not be read.
  package var favoritesFailure: Failure?
}

/// A list of cities: those that match a query, a page at a time.
@MainActor
package final class CityListViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Loads at most `limit` rows, starting at `offset`.
    case load(offset: Int, limit: Int)
    /// Shows the first matches of another query.
    case setQuery(CityListQuery)
    /// Adds a city to the favorites, or removes it, and loads the same rows again.
    case setFavorite(Bool, id: Int)
  }

  package struct State: Hashable, Sendable {
    package var query: CityListQuery
    package var list: Loading<CityList> = .idle
    /// Whether the list still answers the previous query.
    package var isOutdated = false

    package var currentList: CityList? { isOutdated ? nil : list.value }
  }

  package nonisolated static let pageSize = 50

  package nonisolated let store: StateStore<State>
  private let index: CityIndex
  private let favorites: any FavoritesStoring
  private var loads = 0
  /// The number of rows in the last request.
  private var limit = CityListViewModel.pageSize

  package init(query: CityListQuery, index: CityIndex, favorites: any FavoritesStoring) {
    store = StateStore(State(query: query))
    self.index = index
    self.favorites = favorites
  }

  package func send(_ action: Action) async {
    switch action {
    case .load(let offset, let limit):
      self.limit = limit
      loads += 1
      let load = loads
      store.update { $0.list.begin() }
      let list = await Loading { try await self.list(offset: offset, limit: limit) }
      // A later load may have overtaken this one while the favorites were read.
      guard load == loads else { return }
      store.update {
        if $0.isOutdated { $0.list = list } else { $0.list.end(list) }
        $0.isOutdated = false
      }
    case .setQuery(let query):
      guard query != state.query else { return }
      store.update {
        $0.query = query
        $0.isOutdated = true
      }
      await send(.load(offset: 0, limit: limit))
    case .setFavorite(let isFavorite, let id):
      do {
        try await favorites.setFavorite(isFavorite, id: id)
      } catch {
        return store.update { $0.list.update { $0.favoritesFailure = Failure(error) } }
      }
      let rows = state.currentList.map { ($0.offset, $0.rows.count) } ?? (0, Self.pageSize)
      await send(.load(offset: rows.0, limit: rows.1))
    }
  }

  private nonisolated func list(offset: Int, limit: Int) async throws -> CityList {
    let query = state.query
    var starred: Set<Int> = []
    var favoritesFailure: Failure?
    do {
      starred = try await favorites.favorites()
    } catch  where !query.favoritesOnly && !(error is CancellationError) {
      // The search is worth more than its stars.
      favoritesFailure = Failure(error)
    }
    var search = CityQuery(
      prefix: query.text, country: query.country, ids: query.favoritesOnly ? starred : nil,
      minimumPopulation: query.minimumPopulation, order: query.order, offset: offset, limit: limit)
    search.mergesNamesakes = query.mergesNamesakes && !query.favoritesOnly
    let page = index.search(search)
    return CityList(
      rows: page.matches.map { CityRow($0, favorites: starred) },
      offset: offset, total: page.total, hasFavorites: !starred.isEmpty,
      favoritesFailure: favoritesFailure)
  }
}
