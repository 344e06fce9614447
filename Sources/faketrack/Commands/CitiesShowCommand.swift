import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal

struct CitiesShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "One city's details with its encyclopedia summary.",
    discussion: """
      Without a network the city is shown all the same, and why there is no summary.

      EXAMPLES
        faketrack cities show 2852458
        faketrack cities show "New York City"
      """)

  @Argument(help: "The id or the name of a city.")
  var city: String

  @Option(help: "The form of the output.")
  var format = ListingFormat.text

  @MainActor
  mutating func run() async throws {
    let place = try CityWorkplace()
    let id = try await place.city(city, command: "cities show", as: format).id
    guard case .city(let model) = Screen(.city(id: id), try place.dependencies()) else { return }
    try await Interruption().run { await model.send(.load) }
    if let failure = model.state.details.failure {
      throw CommandFailure(failure)
    }
    let text =
      switch format {
      case .text: CityDetailsText(style: place.console.outputStyle).text(for: model.state)
      case .ndjson: model.state.json.serialized + "\n"
      }
    try await place.output.write(text)
    if let failure = model.state.summary.failure {
      place.console.note("no summary: \(failure.message)")
      if let hint = failure.hint { place.console.note("hint: \(hint)") }
    }
  }
}
