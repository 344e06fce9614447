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
      abstract: "Add cities to the favorites.",
      discussion:
        "Examples\n  faketrack favorites add 2852458\n  faketrack favorites add Reykjavík\n  faketrack favorites add \"Paris, Texas\""
    )

    @Argument(help: .init("Ids or names of cities.", valueName: "city"))
    var cities: [String]

    @MainActor
    mutating func run() async throws {
      let root = try CompositionRoot()
      var chosen: [City] = []
      for text in cities {
        chosen.append(try await root.city(text, takesLargest: true, command: "favorites add"))
      }
      let added = try await root.store.favorites.addFavorites(Set(chosen.map(\.id)))
      for city in chosen {
        let name = city.shortName.safeForTerminal
        root.console.note(
          added.contains(city.id) ? "added \(name)" : "\(name) is a favorite already")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove cities from the favorites.")

    @Argument(help: .init("Ids or names of cities.", valueName: "city"))
    var cities: [String]

    @MainActor
    mutating func run() async throws {
      let root = try CompositionRoot()
      let index = try root.cities().index
      let starred = try await root.store.favorites.favorites()
      var chosen: [City] = []
      var unknown: [Int] = []
      for text in cities {
        // A favorite may come from an index that has been replaced: its id still removes it.
        if let id = Int(text), starred.contains(id), index[id: id] == nil {
          unknown.append(id)
        } else {
          chosen.append(
            try await root.city(text, among: starred, command: "favorites remove"))
        }
      }
      let removed = try await root.store.favorites.removeFavorites(
        Set(chosen.map(\.id) + unknown))
      for id in unknown { root.console.note("removed \(id)") }
      for city in chosen {
        let name = city.shortName.safeForTerminal
        root.console.note(
          removed.contains(city.id) ? "removed \(name)" : "\(name) is not a favorite")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the favorites by name.")

    @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
    var format = ListingFormat.text

    @MainActor
    mutating func run() async throws {
      let root = try CompositionRoot()
      let index = try root.cities().index
      let starred = try await root.store.favorites.favorites()
      let query = CityListQuery(favoritesOnly: true)
      guard case .cities(let model) = Screen(.cities(query), try root.dependencies()) else {
        return
      }
      await model.send(.load(offset: 0, limit: .max))
      if let failure = model.state.list.failure { throw failure }
      let rows = model.state.list.value?.rows ?? []
      try await root.write(rows, as: format)
      let missing = starred.filter { index[id: $0] == nil }.sorted()
      if !missing.isEmpty {
        let ids = missing.map(String.init).joined(separator: ", ")
        root.console.note("note: not in the index in use: \(ids)")
      }
      if rows.isEmpty, missing.isEmpty {
        root.console.note("no favorites yet; add one: faketrack favorites add <id|name>")
      }
    }
  }
}
