import ArgumentParser
import CSampleWalk
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

  @Flag(help: "Open the page in a terminal as well.")
  var page = false

  @Argument(
    parsing: .allUnrecognized,
    help: .init("Options of app, or of serve for the page.", valueName: "options"))
  var options: [String] = []

  @MainActor
  mutating func run() async throws {
    let showsPage = page || !FullScreen.isPossible(in: ProcessInfo.processInfo.environment)
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "faketrack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(component: "faketrack.gpx.gz")
    try Data(bytes: sample_walk_bytes(), count: sample_walk_count()).write(to: file)
    let words = [file.path] + options
    var command: any AsyncParsableCommand =
      showsPage ? try ServeCommand.parse(words) : try AppCommand.parse(words)
    try await command.run()
  }
}
