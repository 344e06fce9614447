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

  @Flag(help: "Serve the page, on a terminal too.")
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
    // As part of the whole, so that an error names the command as it is called.
    let command = try Faketrack.parseAsRoot([showsPage ? "serve" : "app", file.path] + options)
    guard var command = command as? any AsyncParsableCommand else { return }
    try await command.run()
  }
}
