import Cities

/// A city: its facts, its neighbors and its summary from Wikipedia.
@MainActor
package final class CityViewModel: ViewModel {
  package enum Action: Hashable, Sendable {
    /// Loads the details, then the summary.
    case load
    case loadDetails
    /// Adds the city to the favorites, or removes it, and loads the details.
    case setFavorite(Bool)
  }

  package struct Details: Hashable, Sendable {
    package var city: City
    package var isFavorite: Bool
    /// The nearest other cities, the nearest first.
    package var neighbors: [CityRow]
  }

  package struct State: Hashable, Sendable {
    package var id: Int
    package var details: Loading<Details> = .idle
    /// The summary from Wikipedia; loaded as `nil` where no article matches.
    package var summary: Loading<CitySummary?> = .idle

    /// The city with its facts, the summary, and the cities nearby.
    package var document: Document {
      guard let details = details.value else {
        let block: Document.Block =
          details.failure.map { .failure(title: "This city cannot be shown", $0) }
          ?? .waiting(lines: 4)
        return Document(sections: [.init("city", [block])])
      }
      let city = details.city
      let facts = [
        ("Region", city.fullPlace.isEmpty ? nil : city.fullPlace),
        ("Population", city.shownPopulation),
        ("Position", Quantity.position(city.coordinate, places: 5)),
        ("Time zone", city.timezone),
        ("GeoNames id", "\(city.id)"),
      ].compactMap { name, value in value.map { Document.Fact(name, $0) } }
      let failure = self.details.failure.map {
        Document.Block.failure(title: "The favorites cannot be used", $0)
      }
      return Document(
        title: city.shortName, isStarred: details.isFavorite,
        sections: [
          .init("facts", [failure, .facts(facts)].compactMap(\.self)),
          .init("summary", title: "About", summaryBlocks),
          .init("nearby", title: "Nearby", [.cities(details.neighbors)]),
        ])
    }

    private var summaryBlocks: [Document.Block] {
      switch summary {
      case .idle, .loading: [.waiting(lines: 4)]
      case .failed(let failure, _):
        [.failure(title: "The summary cannot be loaded", failure)]
      case .loaded(nil):
        [.text("Wikipedia has no article that is certain to be about this city.", isMuted: true)]
      case .loaded(.some(let summary)):
        [
          summary.description.map { .text($0, isMuted: true) }, .text(summary.extract),
          .paragraph(
            [
              .init(text: "\(summary.title) on Wikipedia", link: summary.url),
              .init(text: ", CC BY-SA"),
            ], isMuted: true),
        ].compactMap(\.self)
      }
    }
  }

  nonisolated static let neighborCount = 8

  package nonisolated let store: StateStore<State>
  private let id: Int
  private let index: CityIndex
  private let favorites: any FavoritesStoring
  private let summaries: any CitySummarizing

  package init(
    id: Int, index: CityIndex, favorites: any FavoritesStoring, summaries: any CitySummarizing
  ) {
    store = StateStore(State(id: id))
    self.id = id
    self.index = index
    self.favorites = favorites
    self.summaries = summaries
  }

  package func send(_ action: Action) async {
    switch action {
    case .load:
      await load(\.details) { try await details() }
      guard let city = state.details.value?.city else { return }
      await load(\.summary) { try await summaries.summary(of: city) }
    case .loadDetails:
      await load(\.details) { try await details() }
    case .setFavorite(let isFavorite):
      await load(\.details) { try await details(settingFavorite: isFavorite) }
    }
  }

  private nonisolated func details(
    settingFavorite isFavorite: Bool? = nil
  ) async throws -> Details {
    guard let city = index[id: id] else {
      throw Failure(
        message: "the index has no city \(id)", hint: "Search for its name instead.")
    }
    if let isFavorite { try await favorites.setFavorite(isFavorite, id: id) }
    let starred = try await favorites.favorites()
    let near = index.nearest(Self.neighborCount + 1, to: city.coordinate)
    let neighbors = near.filter { $0.city.id != city.id }.prefix(Self.neighborCount)
    return Details(
      city: city, isFavorite: starred.contains(city.id),
      neighbors: neighbors.map { CityRow($0.city, favorites: starred, distance: $0.distance) })
  }
}
