import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import WorldCities

struct CitiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cities",
    abstract: "Search and look up 235,000 cities, without a network.",
    discussion: "\(CityAttribution.notice).",
    subcommands: [
      CitiesSearchCommand.self, CitiesNearestCommand.self, CitiesShowCommand.self,
      CitiesImportCommand.self,
    ])
}

/// What the commands about cities share.
extension CompositionRoot {
  /// The favorites, or none and a warning if they cannot be read: the cities matter more.
  func starred() async -> Set<Int> {
    do {
      return try await store.favorites.favorites()
    } catch {
      console.note("warning: \(Failure(error).message)")
      return []
    }
  }

  /// Prints cities.
  func write(_ rows: [CityRow], as format: ListingFormat) async throws {
    switch format {
    case .text: try await output.write(CityTable(style: console.outputStyle).text(rows))
    case .ndjson: try await output.write(rows.map { $0.json.serialized + "\n" }.joined())
    }
  }

  /// The city that a user means by an id or a name; where several have the name, prints them and says
  /// how to choose.
  ///
  /// - Parameter favorites: where given, a name that only one of these cities has means that one.
  /// - Throws: `Failure` unless it is exactly one.
  func city(
    _ text: String, among favorites: Set<Int> = [], command: String,
    as format: ListingFormat = .text
  ) async throws -> City {
    let index = try cities().index
    if let id = Int(text) {
      if let city = index[id: id] { return city }
      throw Failure(
        message: "there is no city \(id) in the index",
        hint: "Search for its name: faketrack cities search <prefix>")
    }
    let named = index.cities(named: text)
    let known = named.filter { favorites.contains($0.id) }
    if known.count == 1 { return known[0] }
    switch named.count {
    case 0:
      throw Failure(
        message: "there is no city named \(text)", hint: Self.suggestion(for: text, in: index))
    case 1:
      return named[0]
    default:
      let starred = await starred()
      let rows = named.map { CityRow($0, favorites: starred) }
      try await write(rows, as: format)
      throw Failure(
        message: "\(named.count) cities are named \(text)",
        hint: "Choose one by its id, for example: faketrack \(command) \(named[0].id)")
    }
  }

  private static func suggestion(for text: String, in index: CityIndex) -> String {
    let longer = index.search(CityQuery(prefix: text, order: .population, limit: 3)).cities
    let similar = longer.isEmpty ? index.cities(similarTo: text, limit: 3) : longer
    guard !similar.isEmpty else {
      return "Search for the start of its name: faketrack cities search <prefix>"
    }
    let names = similar.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
    return "Did you mean \(names)?"
  }
}
