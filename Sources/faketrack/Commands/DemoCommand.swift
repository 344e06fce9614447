import ArgumentParser
import CSampleWalk
import FaketrackSupport
import FaketrackTerminal
import Foundation

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "The built-in sample walk, in the app or on the page.",
    discussion: """
      EXAMPLES
        In the app; outside of a terminal, on the page:
          faketrack demo

        On the page, without any network:
          faketrack demo --page --photos sample
      """)

  @Flag(help: "Serve the page, on a terminal too.")
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
      try folder.replace(name, with: Data(bytes: sample_walk_bytes(), count: sample_walk_count()))
      // As part of the whole, so that an error names the command as it is called.
      let command = try Faketrack.parseAsRoot(
        [showsPage ? "serve" : "app", "\(folder.path)/\(name)"] + options)
      guard var command = command as? any AsyncParsableCommand else { return }
      try await command.run()
    }
  }
}
