import ArgumentParser
import Cities
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
    parsing: .allUnrecognized, help: .init("No command.", visibility: .private))
  var words: [String] = []

  /// Rejects words that are not a command.
  mutating func validate() throws {
    if let word = words.first { throw ValidationError("Unknown option '\(word)'") }
  }

  @MainActor
  mutating func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    if FullScreen.isPossible(in: environment) {
      var app = try AppCommand.parse([])
      app.hasSample = true
      return try await app.run()
    }
    let root = try CompositionRoot()
    let model = HomeViewModel(try root.dependencies())
    await model.send(.load)
    try await root.output.write(root.console.outputStyle.text(model.state.commands))
  }
}

struct AboutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "about",
    abstract: "Version, credits and licenses, where to report a problem.",
    discussion: "For the versions of libraries, run faketrack --version --verbose.")

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let about: Document
    do {
      about = About.document(try root.dependencies())
    } catch let error as CitiesError {
      // The address for reports matters most when something is broken.
      about = About.document(withoutCities: Failure(error))
    }
    try await root.output.write(root.console.outputStyle.text(about))
  }
}
