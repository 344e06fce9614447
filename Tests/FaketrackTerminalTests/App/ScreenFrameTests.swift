import Cities
import FaketrackFeatures
import FaketrackServices
import GPX
import Geodesy
import Locations
import PhotoSearch
import Testing
import WorldCities

@testable import FaketrackFeatures
@testable import FaketrackTerminal

/// Frames of the screens about cities, of the lists and of About.
@Suite struct ScreenFrameTests {
  private static let failure = Failure(message: "the disk is full", hint: "Make room.")
  private let index = CityIndex.world

  private func row(_ id: Int, isFavorite: Bool = false, distance: Double? = nil) throws -> CityRow {
    CityRow(city: try #require(index[id: id]), isFavorite: isFavorite, distance: distance)
  }

  // MARK: Cities

  private func list(_ query: CityListQuery, starred: Set<Int> = []) -> CityListViewModel.State {
    var search = CityQuery(prefix: query.text, order: query.order, offset: 0, limit: 120)
    search.mergesNamesakes = query.mergesNamesakes
    let page = index.search(search)
    return CityListViewModel.State(
      query: query,
      list: .loaded(
        CityList(
          rows: page.matches.map { CityRow($0, favorites: starred) },
          offset: 0, total: page.total, hasFavorites: false)))
  }

  @Test func cities() throws {
    let query = CityListQuery(text: "pots")
    let view = CitiesView(query: query, index: index)
    try Snapshot.check("cities", view, list(query, starred: [2_852_458]))
    try Snapshot.check(
      "cities-chosen", view, list(query), inputs: [.key(.down), .key(.tab)])
    try Snapshot.check(
      "cities-typing", view, list(query), inputs: [.key(.character("/")), .key(.left)])
    let many = CityListQuery(order: .population)
    try Snapshot.check(
      "cities-many", CitiesView(query: many, index: index), list(many),
      inputs: Array(repeating: .key(.pageDown), count: 2))
  }

  @Test func citiesThatAreNotThere() throws {
    let favorites = CityListQuery(favoritesOnly: true)
    var state = CityListViewModel.State(
      query: favorites, list: .loaded(CityList(rows: [], offset: 0, total: 0, hasFavorites: false)))
    let view = CitiesView(query: favorites, index: index)
    try Snapshot.check("cities-no-favorites", view, state)
    let starred = CityList(rows: [], offset: 0, total: 0, hasFavorites: true)
    let area = CellArea(size: CellSize(columns: 80, rows: 24))
    for (list, isOutdated) in [
      (.loaded(starred), false), (state.list, true), (.failed(Self.failure, last: starred), false),
    ] as [(Loading<CityList>, Bool)] {
      var other = state
      (other.list, other.isOutdated) = (list, isOutdated)
      var frame = Frame(size: area.size)
      view.draw(other, in: &frame, at: area)
      #expect(!frame.text.contains("No favorites yet"))
      #expect(frame.text.contains("No favorite matches.") == (list == .loaded(starred)))
    }
    state.list = .failed(Self.failure)
    try Snapshot.check("cities-failed", view, state)
  }

  // MARK: City

  private func city(_ summary: Loading<CitySummary?>) throws -> CityViewModel.State {
    CityViewModel.State(
      id: 2_852_458,
      details: .loaded(
        CityViewModel.Details(
          city: try #require(index[id: 2_852_458]), isFavorite: true,
          neighbors: [
            try row(2_950_159, distance: 26_600),
            try row(2_867_714, isFavorite: true, distance: 480_123),
          ])), summary: summary)
  }

  @Test func aCity() throws {
    let view = CityView(index: index)
    let article = CitySummary(
      title: "Potsdam", description: "capital of Brandenburg, Germany",
      extract: "Potsdam is a city on the river Havel, south-west of Berlin. " + "It has palaces.",
      url: .init(string: "https://en.wikipedia.org/wiki/Potsdam"))
    try Snapshot.check("city", view, try city(.loaded(article)))
    try Snapshot.check(
      "city-neighbor", view, try city(.loaded(article)), inputs: [.key(.down), .key(.tab)])
    try Snapshot.check("city-no-encyclopedia", view, try city(.failed(Self.failure)))
    try Snapshot.check(
      "city-unknown", view, CityViewModel.State(id: 1, details: .failed(Self.failure)))
  }

  // MARK: Lists

  @Test func lists() throws {
    let files = PathCompletion(in: "/nowhere", home: "/nobody")
    let feed = ListFeed(
      groups: [
        .init(id: 1, items: [.init(id: 684, name: "Item 684"), .init(id: 276, name: "Item 276")]),
        .init(id: 2, items: [.init(id: 9, name: "東京 walk 🚶")]),
      ], blanks: 3)
    for (name, loading) in [
      ("lists", Loading.loaded(feed)), ("lists-loading", .loading), ("lists-none", .idle),
    ] {
      try Snapshot.check(
        name, ListsView(files: files), ListsViewModel.State(order: .text, feed: loading))
    }
    try Snapshot.check(
      "lists-filtered", ListsView(files: files),
      ListsViewModel.State(order: .text, feed: .loaded(feed)),
      inputs: [.key(.character("/")), .paste("WALK")])
    try Snapshot.check(
      "lists-opening", ListsView(files: files),
      ListsViewModel.State(order: .text, feed: .failed(Self.failure)),
      inputs: [.key(.character("n")), .paste("feed.json"), .key(.enter)])
  }

  // MARK: About

  @Test func about() throws {
    var document = About.document(withoutCities: Self.failure)
    // Each release has another version.
    document.lead = document.lead?.replacing(Product.version, with: "1.0.0")
    try Snapshot.check("about", AboutView(), document)
  }
}
