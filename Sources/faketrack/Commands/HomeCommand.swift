import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal

struct HomeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home",
    abstract: "What can be done next, and the state of the key, the index and the favorites.",
    usage: "faketrack <command> [<options>]", shouldDisplay: false)

  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("No command.", visibility: .private))
  var words: [String] = []

  /// What is no command ends up here, since this is what runs without one.
  mutating func validate() throws {
    guard let word = words.first else { return }
    let names = Faketrack.configuration.subcommands.compactMap { $0.configuration.commandName }
    let likely = names.min { Self.edits($0, word) < Self.edits($1, word) }
    let suggestion =
      likely.flatMap { Self.edits($0, word) <= 2 ? " Did you mean '\($0)'?" : nil } ?? ""
    throw ValidationError("There is no command '\(word)'.\(suggestion)")
  }

  @MainActor
  mutating func run() async throws {
    let place = try CityWorkplace()
    guard case .home(let model) = Screen(.home, try place.dependencies()) else { return }
    await model.load()
    try await place.output.write(
      HomeText.text(for: model.state, style: place.console.outputStyle))
  }

  /// Letters by which two words differ.
  private static func edits(_ left: String, _ right: String) -> Int {
    let difference = right.difference(from: left)
    return max(difference.insertions.count, difference.removals.count)
  }
}
