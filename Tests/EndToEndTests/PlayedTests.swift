import FaketrackTestSupport
import Foundation
import Testing

/// The scripts of `--format simctl` and `adb`, and `--feed simulator:`, with programs that keep
/// notes in place of xcrun, adb and sleep.
@Suite struct PlayedTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(3))
    try program(
      "xcrun",
      """
      echo "xcrun $*" >> log
      case "$*" in
        *" nowhere "*) echo "Invalid device: nowhere" >&2; exit 164 ;;
        *" -") cat >> log ;;
      esac
      """)
    try program("adb", #"echo "adb $*" >> log"#)
    try program("sleep", #"echo "sleep $1" >> slept"#)
  }

  private func program(_ name: String, _ script: String) throws {
    try home.file("bin/\(name)", "#!/bin/sh\n\(script)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.path("bin/\(name)"))
  }

  private var environment: [String: String] { ["PATH": home.path("bin") + ":/usr/bin:/bin"] }
  private var log: [String] { home.text(of: "log").split(separator: "\n").map(String.init) }

  private func play(_ format: String, _ arguments: String...) async throws {
    let script = try await home.run("replay", "walk.gpx", "--format", format)
    #expect(script.code == 0)
    try home.file("walk.sh", script.outputData)
    for options in [["-n"], []] {
      let run = try await home.run(
        options + ["walk.sh"] + arguments,
        .init(program: "/bin/sh", environment: environment))
      #expect(run.code == 0)
      #expect(run.output + run.errors == "")
    }
  }

  @Test func simctlPlaysInTheSimulatorAtTheRecordedPace() async throws {
    try await play("simctl")
    #expect(log.first == "xcrun simctl location booted start --speed=2.50 -")
    let points = home.text(of: "walk.sh").split(separator: "\n").filter { $0.hasPrefix("5") }
    #expect(log.dropFirst().elementsEqual(points.map(String.init)))
    #expect(log.count == 122)
    #expect(home.text(of: "slept") == "sleep 120.0\n")
    try await play("simctl", "A; B")
    #expect(log[122] == "xcrun simctl location A; B start --speed=2.50 -")
  }

  @Test func theSimulatorHasNoPositionDuringAnOutage() async throws {
    let script = try await home.run(
      "replay", "walk.gpx", "--format", "simctl", "--outage", "30s-60s")
    let commands = script.output.split(separator: "\n").filter { $0.hasPrefix("play ") }
    #expect(
      commands.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "play 29.0 start", "play 1.0 set", "play 31.0 clear", "play 59.0 start",
      ])
  }

  @Test func adbPlaysInAnEmulatorAtTheRecordedPace() async throws {
    try await play("adb")
    #expect(log.count == 121)
    #expect(log[1] == "adb -s emulator-5554 emu geo fix 13.0000000 52.0000225 0.0 3 4.87")
    #expect(home.text(of: "slept") == String(repeating: "sleep 1.0\n", count: 120))
    try await play("adb", "emulator-5556")
    #expect(log[121].hasPrefix("adb -s emulator-5556 emu geo fix 13"))
  }

  @Test func aScriptEndsWithACommandThatFails() async throws {
    let script = try await home.run("replay", "walk.gpx", "--format", "simctl")
    let run = try await home.run(
      ["-s", "nowhere"],
      .init(
        program: "/bin/sh", environment: environment, input: .data(script.outputData)))
    #expect(run.code == 164)
    #expect(run.errors == "Invalid device: nowhere\n")
  }

  // MARK: A live feed

  private func feed(
    _ target: String, _ options: String..., speed: String = "10"
  ) async throws -> ExecutableRun {
    try await home.run(
      ["replay", "walk.gpx", "--photos", "none", "--speed", speed, "--to", "2s", "--feed", target]
        + options, .init(environment: environment))
  }

  @Test func theSimulatorGetsAPositionThenWalks() async throws {
    let run = try await feed("simulator:booted", speed: "1")
    #expect(run.code == 0)
    #expect(run.errors.contains("feed simulator:booted: "))
    #expect(log.first == "xcrun simctl location booted clear")
    #expect(log[1] == "xcrun simctl location booted set 52.0000000,13.0000000")
    #expect(log.last == "xcrun simctl location booted clear")
    // Fixes that come while a command runs are left out, except for the newest; one soon after
    // another is a jump.
    var position = "52.0000000,13.0000000"
    var steps = log.dropFirst(2).dropLast()
    #expect(!steps.isEmpty)
    while let step = steps.popFirst() {
      if let jump = step.firstMatch(of: #/location booted set (.*)/#)?.1 {
        position = String(jump)
        continue
      }
      #expect(step == "xcrun simctl location booted start --speed=2.50 -")
      #expect(steps.popFirst() == position)
      position = steps.popFirst() ?? ""
    }
    #expect(position == "52.0000450,13.0000000")
  }

  @Test func withoutASignalThereIsNoPositionInTheSimulator() async throws {
    let run = try await feed("simulator:booted", "--outage", "0s-1min")
    #expect(run.code == 0)
    #expect(Set(log) == ["xcrun simctl location booted clear"])
  }

  @Test func whatCannotBeReachedIsAnErrorBeforeTheWalk() async throws {
    let run = try await feed("simulator:nowhere")
    #expect(run.code == 69)
    #expect(
      run.errors.hasSuffix(
        """
        error: feed simulator:nowhere: Invalid device: nowhere
        hint: Boot a simulator, and name its UDID as xcrun simctl list devices shows it.

        """))
    try FileManager.default.removeItem(atPath: home.path("bin/xcrun"))
    let missing = try await feed("simulator:booted")
    #expect(missing.code == 69)
    #expect(
      missing.errors.hasSuffix(
        """
        error: feed simulator:booted: xcrun is not found
        hint: Install Xcode; the iOS simulator needs a Mac.

        """))
  }
}
