import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackSupport
import Foundation
import WorldCities

struct CitiesResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Go back to the built-in index.",
    discussion: "Removes the index that cities import has made; favorites stay.")

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let path = root.settings.cityIndexFile.path
    if unlink(path) == 0 {
      let count = Quantity.count(CityIndex.world.count, "city", plural: "cities")
      root.console.note("using the built-in \(count) again")
    } else if errno == ENOENT || errno == ENOTDIR {
      root.console.note("the built-in cities are in use already")
    } else {
      throw Failure(
        message: "\(path): cannot be removed: \(FileError(path: path).reason)",
        hint: "Check the permissions of the folder that it is in.")
    }
  }
}
