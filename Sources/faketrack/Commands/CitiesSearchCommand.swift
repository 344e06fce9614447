import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal

struct CitiesSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Cities whose name starts with the prefix, whatever its case and accents.",
    discussion: """
      EXAMPLES
        faketrack cities search pots
        faketrack cities search "san " --country us --sort population --limit 5
      """)

  @Argument(help: "The start of the name; an empty one matches every city.")
  var prefix: String

  @Option(help: ArgumentHelp("How many to show.", valueName: "n"))
  var limit = 20

  @Option(help: ArgumentHelp("How many to skip.", valueName: "n"))
  var offset = 0

  @Option(help: ArgumentHelp("Only this country, by its two-letter code.", valueName: "code"))
  var country: String?

  @Flag(help: "Only favorites.")
  var favorites = false

  @Option(help: ArgumentHelp("By name, or by population, the greatest first.", valueName: "order"))
  var sort = CityQuery.Order.name

  @Option(help: "The form of the output.")
  var format = ListingFormat.text

  mutating func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit takes a number of 0 or more.") }
    guard offset >= 0 else { throw ValidationError("--offset takes a number of 0 or more.") }
  }

  @MainActor
  mutating func run() async throws {
    let place = try CityWorkplace()
    let starred = favorites ? try await place.library.starred() : await place.starred()
    let page = place.library.index.search(
      CityQuery(
        prefix: prefix, country: country, ids: favorites ? starred : nil, order: sort,
        offset: offset, limit: limit))
    let rows = page.cities.map { CityRow(city: $0, isFavorite: starred.contains($0.id)) }
    try await place.write(rows, as: format)
    place.console.note(
      "\(Quantity.grouped(rows.count)) of \(Quantity.count(page.total, "match", plural: "matches"))"
    )
  }
}

extension CityQuery.Order: ExpressibleByArgument {}
