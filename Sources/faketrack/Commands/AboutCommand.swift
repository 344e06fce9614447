import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal

struct AboutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "about",
    abstract: "Version, cities in use, credits and licenses, where to report a fault.")

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let about: About
    do {
      guard case .about(let ready) = Screen(.about, try root.dependencies()) else { return }
      about = ready
    } catch let error as CitiesError {
      // Where to report a fault is worth telling then all the more.
      about = About(withoutCities: Failure(error))
    }
    try await root.output.write(AboutText.text(for: about, style: root.console.outputStyle))
  }
}
