import FaketrackTestSupport
import Foundation
import Testing

@Suite struct TerminalTests {
  private static let erase = "\r\u{1B}[K"

  private static func replay(
    _ arguments: [String], environment: [String: String] = [:],
    terminal: ExecutableRun.Terminal = .errors
  ) async throws -> ExecutableRun {
    try await ExecutableRun.run(
      .init(
        ["replay", Repository.walk.path, "--photos", "sample"] + arguments,
        environment: environment.merging(["TERM": "xterm"]) { given, _ in given },
        terminal: terminal))
  }

  @Test func aLiveLineIsShownAndTakenAway() async throws {
    let run = try await Self.replay(["--speed", "1000", "--to", "25min", "--from", "0s"])
    let whole = try await Self.replay(["--speed", "1000", "--distance-filter", "500"])
    for run in [run, whole] {
      #expect(run.code == 0)
      let shown = run.errors.components(separatedBy: Self.erase)
      #expect(shown.count > 5)
      #expect(shown.contains { $0.contains("Potsdam") })
      // The last that is written over the line is the summary.
      #expect(shown.last?.contains(" locations, ") == true)
      #expect(shown.allSatisfy { $0.prefix { $0 != "\r\n" && $0 != "\n" }.count < 110 })
    }
    #expect(whole.errors.contains("━"))
    #expect(whole.errors.contains("%"))
    #expect(!whole.output.contains("\u{1B}"))
  }

  @Test(arguments: [["--quiet"], []])
  func noLineWhereItIsNotWanted(arguments: [String]) async throws {
    let environment = arguments.isEmpty ? ["TERM": "dumb"] : [:]
    let run = try await Self.replay(arguments, environment: environment)
    #expect(run.code == 0)
    #expect(!run.errors.contains("\u{1B}"))
    #expect(!run.errors.contains("┄"))
  }

  @Test func aPipeGetsNoLine() async throws {
    let run = try await Self.replay([], terminal: .none)
    #expect(!run.errors.contains("\u{1B}"))
    #expect(!run.errors.contains("\r"))
  }

  @Test(arguments: [true, false])
  func colorsAreForTerminalsThatWantThem(hasColor: Bool) async throws {
    let run = try await Self.replay(
      ["--format", "list"], environment: hasColor ? [:] : ["NO_COLOR": "1"], terminal: .both)
    #expect(run.code == 0)
    #expect(run.output.contains("\u{1B}[36mPotsdam") == hasColor)
    #expect(run.output.contains("\u{1B}[2m") == hasColor)
    #expect(run.output.contains("Potsdam"))
  }

  @Test func aFileGetsNoColors() async throws {
    let run = try await Self.replay(["--format", "list"])
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func aPipeNamedAsAFileIsReadOnce() async throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe.gpx")
    try #require(mkfifo(pipe, 0o600) == 0)
    let bytes = try Data(contentsOf: Repository.walk)
    let writing = Task.detached {
      try FileHandle(forWritingTo: URL(fileURLWithPath: pipe)).write(contentsOf: bytes)
    }
    let run = try await ExecutableRun.run(
      .init(["replay", pipe, "--photos", "sample"], terminal: .errors, timeout: 60))
    #expect(run.code == 0)
    #expect((80...110).contains(run.lines.count))
    try await writing.value
  }
}
