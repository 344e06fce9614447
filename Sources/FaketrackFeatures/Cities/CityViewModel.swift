import Cities
import Geodesy

/// A city: where it is, what lies around it, and what the encyclopedia says.
@MainActor
package final class CityViewModel {
  package enum Action: Hashable, Sendable {
    case load
    case toggleFavorite
    /// Loads again what failed.
    case retry
    case open(Int)
  }

  /// What the index knows of a city.
  package struct Details: Hashable, Sendable {
    package var city: City
    package var isFavorite: Bool
    /// The nearest other cities, the nearest first.
    package var neighbours: [CityRow]
  }

  package struct State: Hashable, Sendable {
    package var id: Int
    package var details: Loading<Details> = .idle
    /// The encyclopedia's summary; loaded without one where no article matches.
    package var summary: Loading<CitySummary?> = .idle
  }

  /// Neighbours that are shown.
  package static let neighbourCount = 8

  package private(set) var state: State {
    didSet { observers.send(state) }
  }
  private let index: CityIndex
  private let favorites: any FavoritesStoring
  private let summaries: any CitySummarizing
  private let navigate: @MainActor (Route) -> Void
  private let observers = StateBroadcaster<State>()

  package init(
    id: Int, index: CityIndex, favorites: any FavoritesStoring, summaries: any CitySummarizing,
    navigate: @escaping @MainActor (Route) -> Void = { _ in }
  ) {
    state = State(id: id)
    self.index = index
    self.favorites = favorites
    self.summaries = summaries
    self.navigate = navigate
  }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package func states() -> AsyncStream<State> {
    observers.stream(startingWith: state)
  }

  package func send(_ action: Action) async {
    switch action {
    case .load: await load()
    case .retry: await retry()
    case .toggleFavorite: await toggleFavorite()
    case .open(let id): navigate(.city(id: id))
    }
  }

  /// What the index and the favorites know, without the encyclopedia.
  package func loadDetails() async {
    state.details.begin()
    state.details = await Loading { try await details() }
  }

  private func load() async {
    await loadDetails()
    await loadSummary()
  }

  private func retry() async {
    if state.details.value == nil { await loadDetails() }
    if state.summary.value == nil { await loadSummary() }
  }

  private func loadSummary() async {
    guard let city = state.details.value?.city else { return }
    state.summary.begin()
    state.summary = await Loading { try await summaries.summary(of: city) }
  }

  private func details() async throws -> Details {
    guard let city = index[id: state.id] else {
      throw LoadingFailure(
        message: "the index has no city \(state.id)", hint: "Search for its name instead.")
    }
    let starred = try await favorites.favorites()
    let near = index.nearest(to: city.coordinate, count: Self.neighbourCount + 1)
    let neighbours = near.filter { $0.city.id != city.id }.prefix(Self.neighbourCount)
    return Details(
      city: city, isFavorite: starred.contains(city.id),
      neighbours: neighbours.map {
        CityRow(city: $0.city, isFavorite: starred.contains($0.city.id), distance: $0.distance)
      })
  }

  private func toggleFavorite() async {
    guard let details = state.details.value else { return }
    do {
      if details.isFavorite {
        try await favorites.removeFavorites([state.id])
      } else {
        try await favorites.addFavorites([state.id])
      }
      await loadDetails()
    } catch {
      state.details = .failed(LoadingFailure(error))
    }
  }
}
