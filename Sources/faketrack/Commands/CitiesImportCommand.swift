import ArgumentParser
import Cities
import Dispatch
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackSupport
import FaketrackTerminal
import Foundation
import WorldCities

struct CitiesImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Replace the built-in index with your own data.",
    discussion: """
      Reads a GeoNames dump (tab-separated) or a JSON array of cities, plain or gzipped. Rows that \
      are not cities are counted and skipped. The new index replaces the old one in one step or \
      not at all; favorites stay. cities reset goes back to the built-in one.

      Examples
        faketrack cities import cities500.txt
        faketrack cities import https://example.org/cities.json.gz
      """)

  @Argument(help: "A file or an http(s) address.", completion: .file())
  var source: String

  @Option(
    help: .init(
      "A table of region codes and names, tab-separated.", valueName: "file", visibility: .hidden))
  var regions: String?

  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  @MainActor
  mutating func run() async throws {
    let root = try diagnostics.root()
    let console = root.console
    let destination = root.settings.cityIndexFile
    let (source, environment) = (source, root.services)
    // Only the owner can read files in the home folder.
    umask(0o077)
    let names =
      try regions.map { try CityImport.regions(contentsOf: URL(fileURLWithPath: $0)) }
      ?? CityIndex.world.regionNames
    let report = try await Interruption.run {
      try await Self.replaceIndex(
        at: destination, reading: source, regions: names, environment, console)
    }
    console.show(progress: "")
    for line in report.lines { console.note(line) }
    console.note("in use from now on: \(destination.path)")
    console.note("note: faketrack cities reset goes back to the built-in cities")
  }

  private nonisolated static func replaceIndex(
    at destination: URL, reading source: String, regions: [String: String],
    _ services: ServiceEnvironment, _ console: Console
  ) async throws -> CityImportReport {
    let home = OwnFolder(destination.deletingLastPathComponent().path)
    do { try home.make() } catch {
      throw StoreError(error, contents: "cities", path: destination.path)
    }
    home.removeLeftovers()
    guard let url = URL(string: source), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme)
    else {
      // A pipe or a disk may never answer.
      return try await DispatchQueue(label: "faketrack.import").blocking {
        try CityImport.replaceIndex(
          at: destination, reading: URL(fileURLWithPath: source), regions: regions
        ) { console.show(progress: Self.line($0)) }
      }
    }
    console.show(progress: "downloading \(url.host ?? source)")
    let client = ServiceClient(
      ServiceProfile(
        name: url.host ?? "the service", concurrency: 1,
        userAgent: Product.userAgent(library: "Cities")),
      in: services)
    let bytes = try await client.send(.file(url, maximumSize: 256 << 20)) { response in
      guard !response.isMarkup else { throw AttemptFailure(.brokenAnswer, "it is a web page") }
      return response.body
    }
    var cities = CityImport(regions: regions)
    for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
      try Task.checkCancellation()
      let piece = bytes[start..<min(start + 1 << 18, bytes.count)]
      try piece.withUnsafeBytes { try cities.consume($0) }
      console.show(progress: Self.line(cities.progress))
    }
    let (builder, report) = try cities.finish()
    try Task.checkCancellation()
    try builder.write(to: destination)
    return report
  }

  private static func line(_ progress: CityImportProgress) -> String {
    let percent = progress.totalBytes.map { total in
      total > 0 ? "\(progress.bytes * 100 / total)%  " : ""
    }
    return "importing  \(percent ?? "")\(Quantity.count(progress.rows, "row"))"
  }
}

struct CitiesResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Go back to the built-in index.",
    discussion: "Removes the index that cities import has made; favorites stay.")

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let file = root.settings.cityIndexFile
    let wasImported: Bool
    do {
      wasImported = try OwnFolder(file.deletingLastPathComponent().path)
        .remove(file.lastPathComponent)
    } catch {
      throw Failure(
        message: "\(error.path): cannot be removed: \(error.reason)",
        hint: "Check the permissions of the folder that it is in.")
    }
    let count = Quantity.count(CityIndex.world.count, "city", plural: "cities")
    root.console.note(
      wasImported ? "using the built-in \(count) again" : "the built-in cities are in use already")
  }
}
