import FaketrackTestSupport
import Foundation
import Testing

/// The commands in the guides of the documentation site work as shown.
@Suite struct GuideTests {
  /// Commands that are not run, besides the commands of the README, with the reason.
  private static let notRun = [
    "faketrack replay walk.gpx --feed chrome:127.0.0.1:9222/localhost --step --control 127.0.0.1:4000":
      "waits for commands; see ControlTests",
    #"curl -d '{"command": "walk to 1km"}' http://127.0.0.1:4000/commands"#:
      "needs the walk; see Tests/Peers/control.py",
    #"curl -d '{"command": "deny"}' http://127.0.0.1:4000/commands"#:
      "needs the walk; see Tests/Peers/control.py",
    "curl -H 'Origin: http://127.0.0.1:8080' -X POST http://127.0.0.1:8080/tracking/start -d track=1":
      "needs the page; see Tests/Peers/addresses.py",
    "curl -N http://127.0.0.1:8080/tracking/events":
      "needs the page; see Tests/Peers/addresses.py",
    "curl http://127.0.0.1:8080/tracking/walk.geojson":
      "needs the page; see Tests/Peers/addresses.py",
  ]

  private static let folder = Repository.root.appending(path: "docs/guide.docc")
  private static let guides =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".md") }.sorted()

  private static func text(of guide: String) throws -> String {
    try String(contentsOf: folder.appending(path: guide), encoding: .utf8)
  }

  private static func commands(of guide: String) throws -> [ReadmeTests.Command] {
    ReadmeTests.commands(in: try text(of: guide))
  }

  @Test(arguments: guides)
  func itsCommandsPrintWhatIsShown(guide: String) async throws {
    let home = try TemporaryHome()
    for (name, time) in [("gate", "2026:05:01 10:01:00"), ("lake", "2026:05:01 10:10:00")] {
      try home.file("pictures/\(name).jpg", Data(PictureFixture(original: time).jpeg))
    }
    try FileManager.default.createSymbolicLink(
      atPath: home.path("faketrack"), withDestinationPath: Executable.url.path)
    for command in try Self.commands(of: guide) {
      if Self.notRun[command.line] != nil || ReadmeTests.notRun[command.line] != nil { continue }
      let run = try await home.run(
        ["-c", command.line],
        .init(program: "/bin/sh", environment: ["PATH": "\(home.url.path):/usr/bin:/bin"]))
      #expect(run.code == 0, "\(command.line)\n\(run.errors)")
      #expect(run.output == command.output, "\(command.line)")
    }
  }

  @Test(arguments: guides)
  func everyOptionThatItNamesIsOnAHelpPage(guide: String) throws {
    #expect(try ReadmeTests.unknownOptions(in: Self.text(of: guide)) == [])
  }

  @Test func noCommandIsLeftOutWithoutAReason() throws {
    #expect(Self.guides.count > 8)
    let lines = Set(try Self.guides.flatMap { try Self.commands(of: $0).map(\.line) })
    let documented = lines.union(ReadmeTests.commands.map(\.line))
    for line in Self.notRun.keys { #expect(lines.contains(line), "\(line)") }
    for line in ReadmeTests.notRun.keys { #expect(documented.contains(line), "\(line)") }
    #expect(lines.subtracting(Self.notRun.keys).subtracting(ReadmeTests.notRun.keys).count > 8)
  }
}
