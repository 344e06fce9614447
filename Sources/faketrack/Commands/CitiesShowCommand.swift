import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal

struct CitiesShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "One city's details with its encyclopedia summary.",
    discussion: """
      The name can be in any language. If several cities share it, one that is ten times larger than \
      the next is shown, and the others are listed on stderr. A region or a country, by English name \
      or code, can follow after a comma.

      Without a network the city is still shown, and stderr says why there is no summary.

      Examples
        faketrack cities show 2852458
        faketrack cities show "Sydney, AU"
      """)

  @Argument(help: "The id or the name of a city.")
  var city: String

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = TextFormat.text

  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  @MainActor
  mutating func run() async throws {
    let root = try diagnostics.root()
    let id = try await root.city(
      city, takesLargest: true, command: "cities show", as: format.listing
    ).id
    guard case .city(let model) = Screen(.city(id: id), try root.dependencies()) else { return }
    try await Interruption.run { await model.send(.load) }
    if let failure = model.state.details.failure { throw failure }
    var document = model.state.document
    if model.state.summary.failure != nil { document.sections.removeAll { $0.id == "summary" } }
    let text =
      switch format {
      case .text: root.console.outputStyle.text(document)
      case .ndjson: model.state.json.serialized + "\n"
      }
    try await root.output.write(text)
    if let failure = model.state.summary.failure {
      root.console.note("no summary: \(failure.message)")
      if let hint = failure.hint { root.console.note("hint: \(hint)") }
    }
  }
}
