import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal

struct AboutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "about",
    abstract: "Version, cities in use, credits and licenses, where to report a problem.")

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let about: About
    do {
      about = About(try root.dependencies())
    } catch let error as CitiesError {
      // The address for reports matters most when something is broken.
      about = About(withoutCities: Failure(error))
    }
    try await root.output.write(AboutText.text(for: about, style: root.console.outputStyle))
  }
}
