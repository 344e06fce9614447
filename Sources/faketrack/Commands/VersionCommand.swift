import ArgumentParser
import CBuild
import CLibXML2
import CZlib
import FaketrackServices
import FaketrackStore
import WorldCities

/// `faketrack --version --verbose`.
struct VersionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "version", shouldDisplay: false)

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let xml = Int(String(cString: faketrack_xml_version()).prefix(while: \.isNumber)) ?? 0
    let rows = [
      ("faketrack", Product.version), ("commit", String(cString: build_commit())),
      ("Swift", String(cString: build_swift_version())), ("cities", CityAttribution.date),
      ("libxml2", "\(xml / 10_000).\(xml / 100 % 100).\(xml % 100)"),
      ("zlib", String(cString: zlibVersion())), ("network", NetworkFetcher.library),
      ("SQLite", Store.databaseVersion ?? "unknown"),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    for (name, version) in rows {
      try await root.output.write(
        name.padding(toLength: width, withPad: " ", startingAt: 0) + "  \(version)\n")
    }
  }
}
