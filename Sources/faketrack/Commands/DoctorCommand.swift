import ArgumentParser
import CBuild
import CLibXML2
import CZlib
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackTerminal
import Foundation
import WorldCities

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the home folder, the settings and this computer.",
    discussion: """
      Checks the home folder, the store, the cities, keys, proxies, the terminal, ports and time \
      zones, and says what to do. No service is called. Exits with 1 if there is a problem.

      EXAMPLES
        faketrack doctor
        faketrack doctor --format ndjson
      """)

  @Option(help: .init("Port of the page.", valueName: "n"))
  var port = PageOptions.usualPort

  @Option(help: "The output format.")
  var format = ListingFormat.text

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let findings = await Doctor(root: root, port: port).findings()
    switch format {
    case .text: try await root.output.write(root.console.outputStyle.text(for: findings))
    case .ndjson: try await root.output.write(findings.map { $0.json.serialized + "\n" }.joined())
    }
    func count(_ state: Finding.State) -> Int { findings.count { $0.state == state } }
    root.console.note(
      "\(Quantity.count(findings.count, "check")), \(Quantity.count(count(.warning), "warning")), "
        + "\(Quantity.count(count(.problem), "problem")); no service was called")
    if count(.problem) > 0 { throw ExitCode.failure }
  }
}

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
