import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal
import Foundation

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the home folder, the settings and this computer.",
    discussion: """
      Checks the home folder, the store, the cities, keys, proxies, the terminal, ports and time \
      zones, and says what to do. No service is called. Exits with 1 if there is a problem.

      Examples
        faketrack doctor
        faketrack doctor --format ndjson
      """)

  @Option(
    help: .init("Port of the page. (default: 8080)", valueName: "n"),
    transform: Expected.value("a port, 1 to 65535") { UInt16($0).flatMap { $0 > 0 ? $0 : nil } })
  var port = PageOptions.usualPort

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = TextFormat.text

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
