import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal

struct ListsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists",
    abstract: "A feed of named items, grouped by list.",
    discussion: """
      Examples
        faketrack lists https://example.org/items.json
        faketrack lists items.json --sort natural --format ndjson
      """)

  @Argument(help: "A file or an http(s) address.", completion: .file())
  var feed: String

  @Option(
    help: "The order within a list: text puts Item 276 before Item 28, natural the other way round."
  )
  var sort = ListFeed.Order.text

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = ListingFormat.text

  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  @MainActor
  mutating func run() async throws {
    let root = try diagnostics.root()
    let model = ListsViewModel(loader: try root.dependencies(feed: feed).feed)
    await model.send(.setOrder(sort))
    try await Interruption.run { await model.send(.load) }
    if let failure = model.state.feed.failure { throw failure.about(feed) }
    guard let lists = model.state.feed.value else { return }
    switch format {
    case .text:
      try await root.output.write(
        root.console.outputStyle.text(Document(sections: lists.sections())))
    case .ndjson: try await root.output.write(lists.ndjson)
    case .csv: try await root.output.write(lists.csv)
    }
    root.console.note(lists.summary)
  }
}
