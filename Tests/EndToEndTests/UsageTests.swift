import FaketrackTestSupport
import Foundation
import Testing

/// Command lines with a mistake, stored in `Mistakes.txt`: each ends with 64, one error and one
/// remedy, and prints nothing else.
///
/// After an intended change, update the file and review the diff:
///
///     FAKETRACK_UPDATE_HELP=1 script/test --filter UsageTests
struct Mistake: Sendable, CustomTestStringConvertible {
  let line: String
  /// The error and the remedy.
  let answer: String

  var testDescription: String { line }

  static let file = Repository.root.appendingPathComponent("Tests/EndToEndTests/Mistakes.txt")

  static let all: [Mistake] = {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return ("\n" + text).components(separatedBy: "\n$ ").dropFirst().map { block in
      let lines = block.split(separator: "\n").map(String.init)
      return Mistake(line: lines[0], answer: lines.dropFirst().joined(separator: "\n"))
    }
  }()

  var block: String { "$ \(line)\n\(answer)\n" }
}

@Suite struct UsageTests {
  @Test(arguments: Mistake.all)
  func wrongUsageEndsWith64(mistake: Mistake) async throws {
    let run = try await TemporaryHome().run(mistake.line.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 2)
    #expect(run.errorLines.first?.hasPrefix("error: ") == true)
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
    if ProcessInfo.processInfo.environment["FAKETRACK_UPDATE_HELP"] == nil {
      #expect(run.errorLines.joined(separator: "\n") == mistake.answer)
    }
  }

  @Test func thereAreManyMistakes() async throws {
    #expect(Mistake.all.count >= 200)
    guard ProcessInfo.processInfo.environment["FAKETRACK_UPDATE_HELP"] != nil else { return }
    var blocks: [String] = []
    for mistake in Mistake.all {
      let run = try await TemporaryHome().run(mistake.line.split(separator: " ").map(String.init))
      let answer = run.errorLines.joined(separator: "\n")
      blocks.append(Mistake(line: mistake.line, answer: answer).block)
    }
    try Data(blocks.joined(separator: "\n").utf8).write(to: Mistake.file)
  }

  @Test func aFileThatLooksLikeOptionsIsNamedWithItsFolder() async throws {
    let home = try TemporaryHome()
    try home.file("-dash.gpx", Track.north(3))
    let run = try await home.run("replay", "-dash.gpx", "--photos", "none")
    #expect(run.code == 64)
    #expect(
      run.errorLines == [
        "error: -dash.gpx looks like an option", "hint: For a file of that name: ./-dash.gpx",
      ])
    #expect(try await home.run("info", "./-dash.gpx").code == 0)
  }

  /// Extreme numbers: an option accepts or rejects them, and no run ends with a trap.
  @Test(
    arguments: [
      "--interval=1e30", "--from=99999999999999999999h", "--to=99999999999999999999h",
      "--from=99999999999999999999km", "--to=99999999999999999999km", "--walking-speed=1e-300",
      "--walking-speed=1e300", "--distance-filter=1e300", "--max-city-distance=1e300",
      "--outage=0s-99999999999999999999h", "--noise=0.0000000001",
      "--seed=18446744073709551615",
    ])
  func hugeNumbersEndNoRunWithATrap(option: String) async throws {
    let home = try TemporaryHome()
    let track = try home.file("untimed.gpx", Track.potsdam(3))
    let run = try await home.run("replay", track, "--photos", "none", option)
    #expect([0, 64].contains(run.code), "\(run.code) \(run.errors)")
  }
}
