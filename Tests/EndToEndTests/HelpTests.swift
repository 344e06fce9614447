import FaketrackTestSupport
import Foundation
import Testing

/// The help pages, stored in the folder `Help`, one file for each command.
///
/// After an intended change, update the files and review the diff:
///
///     FAKETRACK_UPDATE_HELP=1 script/test --filter HelpTests
struct HelpPage: Sendable, CustomTestStringConvertible {
  /// The command's words; empty for the executable.
  let command: String

  var testDescription: String { command.isEmpty ? "faketrack" : "faketrack \(command)" }
  var words: [String] { command.split(separator: " ").map(String.init) }

  static let all = [
    "", "replay", "info", "check", "make", "demo", "serve", "app", "page", "cities",
    "cities search",
    "cities nearest", "cities show", "cities import", "cities reset", "favorites", "favorites add",
    "favorites remove", "favorites list", "export", "lists", "doctor", "about",
    "completion",
  ].map(HelpPage.init)

  /// The pages that belong to several commands.
  static let topics = ["feeds", "control", "formats", "environment", "exit-codes", "keys"].map(
    HelpPage.init)

  private static let folder = Repository.root.appendingPathComponent("Tests/EndToEndTests/Help")

  private var file: URL {
    let name = command.isEmpty ? "faketrack" : command.replacing(" ", with: "-")
    return Self.folder.appendingPathComponent("\(name).txt")
  }

  /// The expected page.
  var text: String {
    get throws { try String(contentsOf: file, encoding: .utf8) }
  }

  /// Records the lines in which an output differs from this page.
  func expect(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let difference = lineDifference(from: try text, to: output)
    if difference.isEmpty { return }
    Issue.record("\(testDescription):\n\(difference)", sourceLocation: sourceLocation)
  }

  func replace(with text: String) throws {
    try Data(text.utf8).write(to: file)
  }

  /// The names of files in the folder.
  static var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
  }

  static var namesExpected: Set<String> {
    Set((all + topics).map(\.file.lastPathComponent)).union(["replay-h.txt"])
  }
}

@Suite struct HelpTests {
  private let home = try? TemporaryHome()
  private static let updates =
    ProcessInfo.processInfo.environment["FAKETRACK_UPDATE_HELP"] != nil

  @Test(arguments: HelpPage.all + HelpPage.topics)
  func everyHelpPageIsAsItIsKept(page: HelpPage) async throws {
    let run = try await #require(home).run(["help"] + page.words)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    if Self.updates { try page.replace(with: run.output) }
    try page.expect(run.output)
  }

  @Test(arguments: HelpPage.all)
  func theOptionShowsTheSamePage(page: HelpPage) async throws {
    let run = try await #require(home).run(page.words + ["--help"])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    try page.expect(run.output)
  }

  @Test(arguments: HelpPage.all)
  func theShortPageFitsAScreen(page: HelpPage) async throws {
    let run = try await #require(home).run(page.words + ["-h"])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines.count <= 30)
    for line in run.lines { #expect(line.count <= 80, "\(line)") }
    #expect(run.output.contains("Usage: faketrack"))
  }

  @Test func theShortPageOfReplayIsAsItIsKept() async throws {
    let page = HelpPage(command: "replay-h")
    let run = try await #require(home).run("replay", "-h")
    if Self.updates { try page.replace(with: run.output) }
    try page.expect(run.output)
    #expect(run.lines.count { $0.hasPrefix("  faketrack replay") } == 5)
  }

  @Test func thereIsAFileForEveryPageAndNoOther() throws {
    #expect(try HelpPage.names == HelpPage.namesExpected)
  }

  /// No page is missing: the commands are those listed in the pages.
  @Test(arguments: ["", "cities", "favorites"])
  func everyCommandThatAPageListsHasAPage(group: String) throws {
    let lines = try HelpPage(command: group).text.split(separator: "\n")
    let known = HelpPage.all.map(\.words).filter {
      $0.dropLast() == group.split(separator: " ").map(String.init)[...] && !$0.isEmpty
    }.compactMap(\.last)
    let listed = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { !$0.hasPrefix("-") && $0 != "faketrack" }
    #expect(listed.filter(known.contains) == known)
    if group.isEmpty { #expect(listed == known) }
  }

  @Test(arguments: HelpPage.all + HelpPage.topics)
  func noLineOfAPageIsWiderThanATerminal(page: HelpPage) throws {
    for line in try page.text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test(arguments: [["--version"], ["-V"], ["replay", "--version"], ["cities", "search", "-V"]])
  func theVersionIsOneLine(arguments: [String]) async throws {
    let run = try await #require(home).run(arguments)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.wholeMatch(of: #/faketrack \d+\.\d+\.\d+\n/#) != nil)
  }

  @Test(arguments: [["--version", "--verbose"], ["--verbose", "--version"]])
  func theVersionOfEachPartHasALine(arguments: [String]) async throws {
    let home = try #require(home)
    let version = try await home.run("--version").output.trimmingCharacters(in: .newlines)
    let run = try await home.run(arguments)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let rows = run.lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    #expect(
      rows.map(\.first) == [
        "faketrack", "commit", "Swift", "cities", "libxml2", "zlib", "network", "SQLite",
      ])
    #expect(rows.first.map { $0.joined(separator: "") } == version)
    #expect(rows[1].last?.contains(#/^ *([0-9a-f]{40}(-dirty)?|unknown)$/#) == true)
    for row in rows.dropFirst(3) { #expect(row.last?.contains(#/\d/#) == true, "\(row)") }
  }
}
