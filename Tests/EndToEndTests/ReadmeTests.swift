import FaketrackTestSupport
import Foundation
import Testing

/// The commands in README.md work as shown.
@Suite struct ReadmeTests {
  struct Command: Sendable, Hashable, CustomTestStringConvertible {
    /// The command after the prompt, without a comment.
    let line: String
    /// The lines below it, up to the next command.
    let output: String

    var testDescription: String { line }
    var arguments: [String] { line.split(separator: " ").dropFirst().map(String.init) }
  }

  /// Commands that are not run, with the reason.
  static let notRun = [
    "git clone https://github.com/faketrack/faketrack && cd faketrack": "needs the network",
    "script/install": "builds the package; see script/test dist",
    "faketrack demo": "waits; see ServeTests",
    "faketrack replay walk.gpx --photos commons | xargs -r -n1 curl -O":
      "fetches photos from Wikimedia Commons; a stub answers the same in PhotoSourceTests",
    "faketrack replay walk.gpx -o walk.csv": "asks Wikimedia Commons; see UserFilesTests",
    "faketrack serve walk.gpx --photos sample": "waits; see ServeTests",
    "faketrack serve walk.gpx --photos pictures/": "needs pictures; see OwnPhotosTests",
    "faketrack page faketrack.gpx --photos sample -o walk.html": "writes; see FrontDoorTests",
    "faketrack page walk.gpx --photos pictures/ --privacy 52.4009,13.0591,300m -o walk.html":
      "needs pictures; see UserFilesTests",
    "faketrack replay walk.gpx --feed chrome:127.0.0.1:9222/localhost":
      "needs a browser; see Tests/Browser/test_feeds.py",
    "faketrack replay walk.gpx --feed android:5554":
      "needs an emulator; see AndroidFeedTests",
    "faketrack replay walk.gpx --feed nmea:tcp:127.0.0.1:2000":
      "needs a gpsd; see Tests/Peers/feeds.py",
    "faketrack replay gpsd:// --photos none --distance-filter 0 --to 5min -o walk.gpx":
      "needs a gpsd; see Tests/Peers/feeds.py",
  ]

  private static let text =
    (try? String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8))
    ?? ""

  static let commands = commands(in: text)

  /// The commands of all console blocks in a document.
  static func commands(in text: String) -> [Command] {
    text.components(separatedBy: "```console\n").dropFirst().flatMap { block in
      let block = block.components(separatedBy: "```")[0]
      return ("\n" + block).components(separatedBy: "\n$ ").dropFirst().map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let line = lines[0].components(separatedBy: "  #")[0]
        let output = lines.count > 1 ? String(lines[1]) : ""
        return Command(
          line: line.trimmingCharacters(in: .whitespaces),
          output: output.isEmpty || output.hasSuffix("\n") ? output : output + "\n")
      }
    }
  }

  @Test(arguments: commands.filter { notRun[$0.line] == nil })
  func aCommandPrintsWhatIsShown(command: Command) async throws {
    try #require(command.line.hasPrefix("faketrack "))
    // A terminal shows both streams together.
    let terminal = try PseudoTerminal(columns: 200, rows: 100)
    let run = try await TemporaryHome().run(
      command.arguments,
      .init(environment: ["NO_COLOR": "1"], terminal: terminal, terminalStreams: .outputAndErrors))
    #expect(run.code == 0)
    await terminal.finish()
    let shown = terminal.screen
    let expected = command.output.split(separator: "\n").map(String.init)
    #expect(shown.filter(expected.contains) == expected)
    // A block may omit lines of messages, but not of data.
    let data = try await TemporaryHome().run(command.arguments)
    #expect(data.lines.allSatisfy(expected.contains))
  }

  @Test func itIsShort() {
    #expect(Self.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 112)
    let lines = Set(Self.commands.map(\.line))
    #expect(lines.subtracting(Self.notRun.keys).count >= 2)
  }

  @Test func aWordThatFollowsTheExecutableIsACommand() throws {
    let known = Set(HelpPage.all.compactMap(\.words.first)).union(["help"])
    for match in Self.text.matches(of: #/[`$] ?faketrack ([a-z]+)/#) {
      #expect(known.contains(String(match.1)), "\(match.0)")
    }
  }

  @Test func everyOptionThatItNamesIsOnAHelpPage() throws {
    #expect(try Self.unknownOptions(in: Self.text) == [])
  }

  /// The options in a document that no help page has.
  static func unknownOptions(in text: String) throws -> [String] {
    let pages = try (HelpPage.all + HelpPage.topics).map { try $0.text }.joined()
    return text.matches(of: #/(--[a-z][a-z-]+)/#).map { String($0.1) }
      .filter { option in !" \n,".contains { pages.contains("\(option)\($0)") } }
  }

  @Test func theExitCodesOfTheHelpAreThoseThatAreTested() throws {
    let codes = try HelpPage(command: "exit-codes").text
      .matches(of: #/^ +(\d+) /#.anchorsMatchLineEndings()).map { String($0.1) }
    #expect(codes == ["0", "1", "2", "64", "65", "69", "77", "130"])
  }
}
