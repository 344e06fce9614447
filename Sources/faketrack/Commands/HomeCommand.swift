import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation

struct HomeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home",
    abstract: "What can be done next, and the state of the key, the index and the favorites.",
    usage: "faketrack <command> [<options>]", shouldDisplay: false)

  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("No command.", visibility: .private))
  var words: [String] = []

  /// A word that is not a command ends up here, since this is what runs without one.
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
    guard case .home(let model) = Screen(.home, try root.dependencies()) else { return }
    await model.send(.load)
    try await root.output.write(HomeText.text(for: model.state, style: root.console.outputStyle))
  }
}
