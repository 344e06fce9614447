import FaketrackTestSupport
import Foundation
import Testing

/// A run on a terminal: the progress line, colors, and keys.
@Suite struct TerminalTests {
  private static let erase = "\r\u{1B}[K"
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
  }

  /// A run with stderr on a terminal: its stdout, and the terminal's contents.
  private func replay(
    _ arguments: String..., environment: [String: String] = [:],
    streams: ExecutableProcess.TerminalStreams = .errors, columns: Int = 100
  ) async throws -> (run: ExecutableRun, shown: String, terminal: PseudoTerminal) {
    let terminal = try PseudoTerminal(columns: columns)
    let run = try await home.run(
      ["replay"] + arguments,
      .init(environment: environment, terminal: terminal, terminalStreams: streams))
    return (run, await terminal.finish(), terminal)
  }

  @Test func aLiveLineIsShownAndTakenAway() async throws {
    let (run, shown, terminal) = try await replay(
      "faketrack.gpx", "--photos", "sample", "--speed", "1000", "--distance-filter", "500")
    #expect(run.code == 0)
    let states = shown.components(separatedBy: Self.erase)
    #expect(states.count > 5)
    #expect(states.contains { $0.contains("Potsdam") })
    #expect(shown.contains("━") && shown.contains("%"))
    #expect(!run.output.contains("\u{1B}"))
    // The first line, the source and the summary remain.
    #expect(terminal.screen.count == 3)
    #expect(terminal.screen.last?.contains(#/^\d+ locations, 9\.\d km, /#) == true)
  }

  @Test func aPartOfAWalkHasALineToo() async throws {
    let (run, shown, _) = try await replay(
      "faketrack.gpx", "--photos", "sample", "--speed", "1000", "--from", "0s", "--to", "25min")
    #expect(run.code == 0)
    #expect(shown.components(separatedBy: Self.erase).count > 5)
  }

  @Test(arguments: [40, 60, 100, 160])
  func theLineFitsTheTerminal(columns: Int) async throws {
    let (run, shown, _) = try await replay(
      "faketrack.gpx", "--photos", "sample", "--speed", "1000", "--to", "10min",
      environment: ["NO_COLOR": "1"], columns: columns)
    #expect(run.code == 0)
    let lines = shown.components(separatedBy: Self.erase).dropFirst()
      .map { $0.prefix { $0 != "\r\n" && $0 != "\n" } }
      .filter { !$0.contains("locations, ") }
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.count <= columns })
  }

  @Test(
    arguments: [(["--quiet"], [:]), ([], ["TERM": "dumb"])] as [([String], [String: String])])
  func noLineWhereItIsNotWanted(
    options: [String], environment: [String: String]
  ) async throws {
    let terminal = try PseudoTerminal()
    let run = try await home.run(
      ["replay", "walk.gpx", "--photos", "sample"] + options,
      .init(environment: environment, terminal: terminal, terminalStreams: .errors))
    #expect(run.code == 0)
    let shown = await terminal.finish()
    #expect(!shown.contains("\u{1B}"))
    #expect(!shown.contains("┄"))
    #expect(shown.isEmpty == !options.isEmpty)
  }

  @Test func aPipeGetsNoLine() async throws {
    let run = try await home.run("replay", "walk.gpx", "--photos", "sample")
    #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\r"))
  }

  @Test(
    arguments: [([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true)]
      as [([String: String], Bool)])
  func colorsAreForTerminalsThatWantThem(
    environment: [String: String], hasColor: Bool
  ) async throws {
    let (run, shown, terminal) = try await replay(
      "walk.gpx", "--photos", "sample", "--format", "list", environment: environment,
      streams: .outputAndErrors)
    #expect(run.code == 0)
    #expect(shown.contains("\u{1B}[36mNiedergörsdorf") == hasColor)
    #expect(shown.contains("\u{1B}[2m") == hasColor)
    #expect(terminal.screen.contains { $0.hasPrefix("  0.2 km  10:01 CEST  Niedergörsdorf  ") })
  }

  @Test func aFileGetsNoColors() async throws {
    let (run, _, _) = try await replay(
      "walk.gpx", "--photos", "sample", "--format", "list", streams: .errors)
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test(arguments: [([:], true), (["NO_COLOR": "1"], false)] as [([String: String], Bool)])
  func errorsAreRedOnATerminal(environment: [String: String], hasColor: Bool) async throws {
    let (run, shown, terminal) = try await replay(
      "none.gpx", "--photos", "none", environment: environment)
    #expect(run.code == 1)
    #expect(shown.contains("\u{1B}[31merror:") == hasColor)
    #expect(
      terminal.screen.contains("error: none.gpx: cannot be read: No such file or directory"))
  }

  /// The names of the arguments: the failure, and its progress line.
  @Test(
    arguments: [
      (FlickrStub.Fault.tooManyRequests(retryAfter: "1"), 3, "Flickr asks to wait ("),
      (.badGateway, 2, "trying Flickr again ("),
    ])
  func theLineTellsWhyAServiceIsWaitedFor(
    fault: FlickrStub.Fault, period: Int, notice: String
  ) async throws {
    let stub = FlickrStub(photosPerPage: 60, fault: fault, every: period)
    let track = try home.track(12)
    try await StubServer.run(stub.callAsFunction) { server in
      let (run, shown, terminal) = try await replay(
        track, "--photos", "flickr",
        environment: [
          "FAKETRACK_FLICKR_URL": "\(server.url)", "FLICKR_API_KEY": "SECRET", "NO_COLOR": "1",
        ], columns: 200)
      #expect(run.code == 0)
      #expect(!shown.contains("SECRET"))
      let waiting = shown.components(separatedBy: Self.erase).filter { $0.contains(notice) }
      #expect(!waiting.isEmpty, "\(shown)")
      #expect(waiting.allSatisfy { $0.contains("photo") })
      #expect(terminal.screen.last?.contains("12 locations") == true)
    }
  }
}

/// The keys of a replay: space, `+`, `-`, `q` and Ctrl-C.
@Suite struct KeyTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  /// Runs the body with a replay that waits for a minute between its first two locations.
  private func replay(
    _ options: String..., body: (PseudoTerminal, ExecutableProcess) async throws -> Void
  ) async throws -> (run: ExecutableRun, terminal: PseudoTerminal) {
    try home.file("walk.gpx", Track.north(5))
    let terminal = try PseudoTerminal()
    let process = try home.start(
      [
        "replay", "walk.gpx", "--photos", "none", "--no-cities", "--speed", "1", "--format",
        "ndjson",
      ] + options,
      .init(environment: ["NO_COLOR": "1"], terminal: terminal))
    // A key pressed before the walk has started has no effect.
    try await terminal.transcript.waitFor("\"index\":0")
    try await withCleanup {
      do {
        try await body(terminal, process)
      } catch {
        process.signal(SIGKILL)
        throw error
      }
    } cleanup: {
      _ = await process.result()
      // Checked before the terminal is released.
      #expect(terminal.isRestored)
      await terminal.finish()
    }
    return (await process.result(), terminal)
  }

  @Test func qEndsTheWalkInOrder() async throws {
    let (run, terminal) = try await replay { terminal, _ in try terminal.press("q") }
    #expect(run.code == 0)
    #expect(terminal.screen.last == "1 location, 0 m")
  }

  @Test func qEndsADocumentInOrder() async throws {
    let (run, terminal) = try await replay("--format", "geojson") { terminal, _ in
      try terminal.press("q")
    }
    #expect(run.code == 0)
    #expect(terminal.screen.contains("]}"))
  }

  @Test func spacePausesAndPlusAndMinusChangeTheSpeed() async throws {
    let (run, terminal) = try await replay { terminal, _ in
      try terminal.press(" ")
      try await terminal.transcript.waitFor("paused")
      try terminal.press(" +")
      try await terminal.transcript.waitFor("speed: x2.0")
      try terminal.press("+")
      try await terminal.transcript.waitFor("speed: x5.0")
      try terminal.press("-")
      try await terminal.transcript.waitFor("speed: x2.0", count: 2)
      try terminal.press("q")
    }
    #expect(run.code == 0)
    #expect(terminal.screen.last == "1 location, 0 m")
  }

  @Test func qEndsAPausedWalk() async throws {
    let (run, _) = try await replay { terminal, _ in
      try terminal.press(" ")
      try await terminal.transcript.waitFor("paused")
      try terminal.press("q")
    }
    #expect(run.code == 0)
  }

  @Test func ctrlCEndsTheWalkWithItsSummary() async throws {
    let (run, terminal) = try await replay { terminal, _ in
      // A key that takes effect shows that the keyboard is being read.
      try terminal.press(" ")
      try await terminal.transcript.waitFor("paused")
      #expect(terminal.isRaw)
      try terminal.press("\u{3}")
    }
    #expect(run.code == 130)
    #expect(terminal.screen.last == "1 location, 0 m")
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
  func aSignalGivesTheTerminalBack(signal: Int32, code: Int32) async throws {
    let (run, _) = try await replay { _, process in process.signal(signal) }
    #expect(run.code == code)
  }

  @Test func ctrlZSuspendsTheWalkUntilItIsTakenUpAgain() async throws {
    let (run, _) = try await replay { terminal, process in
      process.signal(SIGTSTP)
      await process.stopped()
      #expect(terminal.isRestored)
      process.signal(SIGCONT)
      // The keyboard is being read once the key has taken effect.
      try terminal.press(" ")
      try await terminal.transcript.waitFor("paused")
      #expect(terminal.isRaw)
      try terminal.press("q")
    }
    #expect(run.code == 0)
  }

  @Test func aQuietRunLeavesTheTerminalAlone() async throws {
    let terminal = try PseudoTerminal()
    let process = try home.start(
      ["replay", "faketrack.gpx", "--photos", "sample", "--speed", "1", "--quiet"],
      .init(terminal: terminal))
    try await terminal.transcript.waitFor("https://")
    #expect(!terminal.isRaw && terminal.isRestored)
    process.signal(SIGINT)
    #expect(await process.result().code == 130)
    await terminal.finish()
  }
}
