import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackTerminal
import Foundation

struct CitiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cities",
    abstract: "Search, name and look up 235,000 cities, without a network.",
    discussion: "\(CityAttribution.notice).",
    subcommands: [
      CitiesSearchCommand.self, CitiesNearestCommand.self, CitiesShowCommand.self,
      CitiesImportCommand.self,
    ])
}

/// The values of `--format` where there are two.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson
}

/// What every command about cities starts from.
@MainActor
struct CityWorkplace {
  let console: Console
  let output: StandardOutput
  let settings: Settings
  let library: CityLibrary

  init() throws {
    let environment = ProcessInfo.processInfo.environment
    console = Console(isQuiet: false, environment: environment)
    output = StandardOutput(console: console)
    settings = Settings(environment: environment)
    library = try CityLibrary(settings)
  }

  /// What the screens about cities and lists are made of.
  ///
  /// - Parameter feed: a file or an address, for the lists.
  func dependencies(feed: String? = nil) throws -> Dependencies {
    let environment = ServiceEnvironment()
    let documents = KeptDocuments(StoreFile(at: settings.storeFile))
    return Dependencies(
      index: library.index, hasImportedIndex: library.isImported, favorites: library.favorites,
      summaries: WikipediaSummaries(
        endpoint: try settings.wikipediaURL(), in: environment, cache: documents),
      feed: feed.map { FeedLoader($0, in: environment, cache: documents) },
      hasFlickrKey: settings.flickrKey != nil)
  }

  /// The favorites, or none with a warning where they cannot be read: a star is not worth failing.
  func starred() async -> Set<Int> {
    do {
      return try await library.starred()
    } catch {
      console.note("warning: \(error)")
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

  /// The city that a user means; where several bear the name, prints them and says how to pick.
  ///
  /// - Throws: `CommandFailure` unless it is exactly one.
  func city(_ text: String, command: String, as format: ListingFormat = .text) async throws -> City
  {
    do {
      return try library.city(text)
    } catch let unclear as UnclearCity {
      let starred = await starred()
      let rows = unclear.cities.map { CityRow(city: $0, isFavorite: starred.contains($0.id)) }
      try await write(rows, as: format)
      throw CommandFailure(
        "\(unclear.cities.count) cities are named \(unclear.name)",
        hint: "Pick one by its id, for example: faketrack \(command) \(unclear.cities[0].id)")
    }
  }
}
