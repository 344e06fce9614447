import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation

struct HomeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home",
    abstract: "Next steps, and the status of the key, the index and the favorites.",
    usage: "faketrack <command> [<options>]", shouldDisplay: false)

  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("No command.", visibility: .private))
  var words: [String] = []

  /// Rejects an unknown command: this one runs if the first word is not a command.
  mutating func validate() throws {
    guard let word = words.first else { return }
    var distance = EditDistance(to: word.utf8, limit: 2)
    let names = Faketrack.configuration.subcommands.map { $0.configuration }
      .filter(\.shouldDisplay).compactMap(\.commandName)
    let likely = names.compactMap { name in
      distance.edits(from: Array(name.utf8)).map { (name: name, edits: $0) }
    }.min { $0.edits < $1.edits }
    let suggestion = likely.map { " Did you mean '\($0.name)'?" } ?? ""
    throw ValidationError("There is no command '\(word)'.\(suggestion)")
  }

  @MainActor
  mutating func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    if FullScreen.isPossible(in: environment) {
      var app = try AppCommand.parse([])
      return try await app.run()
    }
    let root = try CompositionRoot()
    let model = HomeViewModel(try root.dependencies())
    await model.send(.load)
    try await root.output.write(HomeText.text(for: model.state, style: root.console.outputStyle))
  }
}
