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
      CitiesImportCommand.self, CitiesResetCommand.self,
    ])
}

/// The shared parts of the commands about cities.
extension CompositionRoot {
  /// The favorites; empty, with a warning, if they cannot be read.
  func starred() async -> Set<Int> {
    do {
      return try await store.favorites.favorites()
    } catch {
      console.note("warning: \(Failure(error).message)")
      return []
    }
  }

  func write(
    _ rows: [CityRow], as format: ListingFormat, json: (CityRow) -> JSONValue = \.json
  ) async throws {
    switch format {
    case .text: try await output.write(console.outputStyle.text(rows))
    case .ndjson: try await output.write(rows.map { json($0).serialized + "\n" }.joined())
    case .csv:
      let objects = rows.map(json)
      guard let columns = objects.first?.names else { return }
      try await output.write(
        JSONValue.csvHeader(columns) + objects.map { $0.csvRow(columns) }.joined())
    }
  }

  /// The city with an id or a name.
  ///
  /// If several cities share the name, prints them and explains how to choose.
  ///
  /// - Parameters:
  ///   - favorites: the cities that a name can mean; `nil` for all.
  ///   - takesLargest: whether to take the first city, with a note, if it is ten times larger than the
  ///     next one that has the name in the same way, as its own or as an alternate name.
  ///   - format: the format of the cities that share the name; `nil` for some of them on stderr, for a command
  ///     whose output is no list of cities.
  /// - Throws: `Failure` unless it is exactly one.
  func city(
    _ text: String, among favorites: Set<Int>? = nil, takesLargest: Bool = false, command: String,
    as format: ListingFormat? = .text
  ) async throws -> City {
    let index = try cities().index
    if let id = Int(text) {
      if let city = index[id: id] { return city }
      throw Failure(
        message: "there is no city \(id) in the index",
        hint: "Search for its name: faketrack cities search <prefix>")
    }
    var matches = index.matches(named: text)
    if let favorites, !matches.isEmpty {
      matches.removeAll { !favorites.contains($0.city.id) }
      if matches.isEmpty {
        throw Failure(
          message: "no favorite is named \(text)",
          hint: "See them with their ids: faketrack favorites list")
      }
    }
    let named = matches.map(\.city)
    switch named.count {
    case 0:
      throw Failure(
        message: "there is no city named \(text)", hint: Self.suggestion(for: text, in: index))
    case 1:
      return named[0]
    default:
      let rival = matches.dropFirst().first {
        ($0.matched == nil) == (matches[0].matched == nil)
      }
      if takesLargest, (named[0].population ?? 0) >= max(1, 10 * (rival?.city.population ?? 0)) {
        note(named[0], takenFor: text, among: matches, isBrief: format == nil)
        return named[0]
      }
      let starred = await starred()
      let rows = matches.map { CityRow($0, favorites: starred) }
      if let format {
        try await write(rows, as: format)
      } else {
        note(rows)
      }
      throw Failure(
        message: "\(named.count) \(favorites == nil ? "cities" : "favorites") are named \(text)",
        hint: format == nil
          ? "Name its region, or its id: \"\(named[0].shortName)\" is \(named[0].id)."
          : "Choose one by its id, for example: faketrack \(command) \(named[0].id)")
    }
  }

  private func note(_ rows: [CityRow]) {
    console.note(
      styled: console.noteStyle.text(Array(rows.prefix(10))).trimmingCharacters(in: .newlines))
    if rows.count > 10 { console.note("and \(Quantity.grouped(rows.count - 10)) more") }
  }

  private func note(
    _ city: City, takenFor text: String, among matches: [CityMatch], isBrief: Bool
  ) {
    if isBrief {
      let others = Quantity.count(matches.count - 1, "other has", plural: "others have")
      let other = "\"\(matches[1].city.shortName)\""
      return console.note(
        "note: \(text) is \(city.shortName); \(others) this name\(matches.count > 2 ? ", such as" : ":") \(other)"
      )
    }
    let isLargest = matches.allSatisfy { ($0.city.population ?? 0) <= (city.population ?? 0) }
    let reason = isLargest ? "by far the largest of them" : "which has it as its own name"
    console.note(
      "note: \(matches.count) cities are named \(text); this is \(city.shortName), "
        + "\(reason); the others, by their ids:")
    let others = console.noteStyle.text(matches.dropFirst().map { CityRow($0, favorites: []) })
    console.note(styled: others.trimmingCharacters(in: .newlines))
  }

  private static func suggestion(for text: String, in index: CityIndex) -> String {
    var similar = index.search(CityQuery(prefix: text, order: .population, limit: 3)).cities
    if similar.isEmpty { similar = index.cities(similarTo: text, limit: 3) }
    guard !similar.isEmpty else {
      return "Search for the start of its name: faketrack cities search <prefix>"
    }
    let names = similar.map { "\($0.shortName) (\($0.id))" }.joined(separator: "; ")
    return "Did you mean \(names)?"
  }
}
