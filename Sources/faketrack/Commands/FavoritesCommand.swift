import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal

struct FavoritesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorites",
    abstract: "Favorite cities, kept between runs.",
    subcommands: [Add.self, Remove.self, List.self],
    defaultSubcommand: List.self)

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make cities favorites.",
      discussion: "EXAMPLES\n  faketrack favorites add 2852458\n  faketrack favorites add Reykjavík"
    )

    @Argument(help: "Ids or names of cities.")
    var cities: [String]

    @MainActor
    mutating func run() async throws {
      let place = try CityWorkplace()
      let chosen = try await place.cities(cities, command: "favorites add")
      let added = try await place.library.favorites.addFavorites(Set(chosen.map(\.id)))
      for city in chosen {
        let name = CityTable.fullName(of: city)
        place.console.note(
          added.contains(city.id) ? "added \(name)" : "\(name) is a favorite already")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make cities favorites no more.")

    @Argument(help: "Ids or names of cities.")
    var cities: [String]

    @MainActor
    mutating func run() async throws {
      let place = try CityWorkplace()
      let starred = try await place.library.starred()
      // A favorite may come from an index that has been replaced: its id still removes it.
      let unknown = cities.compactMap(Int.init).filter {
        starred.contains($0) && place.library.index[id: $0] == nil
      }
      let named = cities.filter { text in Int(text).map { !unknown.contains($0) } ?? true }
      let chosen = try await place.cities(named, among: starred, command: "favorites remove")
      let ids = Set(chosen.map(\.id) + unknown)
      let removed = try await place.library.favorites.removeFavorites(ids)
      for id in unknown { place.console.note("removed \(id)") }
      for city in chosen {
        let name = CityTable.fullName(of: city)
        place.console.note(
          removed.contains(city.id) ? "removed \(name)" : "\(name) is not a favorite")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the favorites by name.")

    @Option(help: "The form of the output.")
    var format = ListingFormat.text

    @MainActor
    mutating func run() async throws {
      let place = try CityWorkplace()
      let starred = try await place.library.starred()
      let known = place.library.index.search(CityQuery(ids: starred, limit: starred.count)).cities
      try await place.write(known.map { CityRow(city: $0, isFavorite: true) }, as: format)
      let missing = starred.subtracting(known.map(\.id)).sorted()
      if !missing.isEmpty {
        let ids = missing.map(String.init).joined(separator: ", ")
        place.console.note("note: not in the index in use: \(ids)")
      }
      if starred.isEmpty {
        place.console.note("no favorites yet; add one: faketrack favorites add <id|name>")
      }
    }
  }
}

extension CityWorkplace {
  /// The cities that a user means, or an error for the first that is unclear.
  ///
  /// - Parameter starred: Where given, a name that only one of these cities bears means that one.
  fileprivate func cities(
    _ texts: [String], among starred: Set<Int> = [], command: String
  ) async throws -> [City] {
    var cities: [City] = []
    for text in texts {
      let known = library.index.cities(named: text).filter { starred.contains($0.id) }
      cities.append(known.count == 1 ? known[0] : try await city(text, command: command))
    }
    return cities
  }
}
