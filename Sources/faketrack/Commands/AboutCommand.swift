import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal

struct AboutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "about",
    abstract: "Version, cities in use, credits and licenses, where to report a fault.")

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    guard case .about(let about) = Screen(.about, try root.dependencies()) else { return }
    try await root.output.write(AboutText.text(for: about, style: root.console.outputStyle))
  }
}
