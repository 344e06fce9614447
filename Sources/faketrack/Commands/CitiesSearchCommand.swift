import ArgumentParser
import Cities
import FaketrackFeatures

struct CitiesSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search cities by the start of a name, ignoring case and accents.",
    discussion: """
      Names in other languages and scripts, former names and abbreviations match too. What follows \
      a comma narrows the search to a region or a country, by English name or code. Names that are the \
      prefix itself come first, then the names of cities that start with it, then their other names.

      Examples
        faketrack cities search pots
        faketrack cities search München --sort population
        faketrack cities search "Portland, Oregon"
        faketrack cities search "san " --country us --sort population --limit 5
      """)

  @Argument(help: "The start of the name; an empty one matches every city.")
  var prefix: String

  @Option(
    name: [.customShort("n"), .customLong("limit")],
    help: .init("Number of cities to show. (default: 20)", valueName: "n"),
    transform: Expected.count(0 ... .max))
  var limit = 20

  @Option(
    help: .init("Number of cities to skip. (default: 0)", valueName: "n"),
    transform: Expected.count(0 ... .max))
  var offset = 0

  @Option(
    help: .init("Only this country, by its English name or its code.", valueName: "country"))
  var country: String?

  @Flag(help: "Only favorites.")
  var favorites = false

  @OptionGroup var size: CitySizeOptions

  @Option(help: .init("By name, or by population, the largest first.", valueName: "order"))
  var sort = CityQuery.Order.name

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = ListingFormat.text

  mutating func validate() throws {
    if let country {
      let code = CountryNames.code(of: country)
      try require(
        code != nil, "--country takes a country's English name or its code, such as Germany or DE.")
      self.country = code
    }
  }

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let query = CityListQuery(
      text: prefix, country: country, favoritesOnly: favorites,
      minimumPopulation: size.minPopulation, mergesNamesakes: false, order: sort)
    guard case .cities(let model) = Screen(.cities(query), try root.dependencies()) else { return }
    await model.send(.load(offset: offset, limit: limit))
    if let failure = model.state.list.failure { throw failure }
    guard let list = model.state.list.value else { return }
    if let failure = list.favoritesFailure { root.console.note("warning: \(failure.message)") }
    try await root.write(list.rows, as: format, json: \.searchJSON)
    let matches = Quantity.count(list.total, "match", plural: "matches")
    root.console.note("\(Quantity.grouped(list.rows.count)) of \(matches)")
  }
}
