import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Watch the sample walk, in the app or on the page.",
    usage: "faketrack demo [<options>]",
    discussion: """
      Examples
        faketrack demo
        faketrack demo --page
        faketrack demo --photos sample

      Opens the app in a terminal, otherwise serves the page. The walk starts at once.
      """)

  @Flag(help: "Serve the page, even in a terminal.")
  var page = false

  @Argument(
    parsing: .allUnrecognized,
    help: .init("Options of app, or of serve for the page.", valueName: "options"))
  var options: [String] = []

  @MainActor
  mutating func run() async throws {
    let showsPage = page || !FullScreen.isPossible(in: ProcessInfo.processInfo.environment)
    try await OwnFolder.withTemporary { folder in
      let name = "faketrack.gpx.gz"
      try folder.replace(name, with: Data(SampleWalk.bytes))
      let command = try Faketrack.parse(
        [showsPage ? "serve" : "app", "\(folder.path)/\(name)"] + options)
      switch command {
      case var command as ServeCommand:
        command.startsAtOnce = true
        try await command.run()
      case var command as AppCommand:
        command.startsAtOnce = true
        try await command.run()
      // A page of the help.
      case var command: try command.run()
      }
    }
  }
}
