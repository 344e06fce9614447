import FaketrackTestSupport
import Foundation
import Testing

@Suite struct ExitCodeTests {
  private static let walk = Repository.walk.path

  @Test(arguments: [
    ["replay"], ["replay", walk, "--nope"], ["replay", walk, "another.gpx"], ["nope"],
    ["replay", walk, "--photos", "picasa"], ["replay", walk, "--format", "yaml"],
    ["replay", walk, "--distance-filter", "-1"], ["replay", walk, "--distance-filter", "nan"],
    ["replay", walk, "--distance-filter", "far"], ["replay", walk, "--speed", "0"],
    ["replay", walk, "--speed", "1001"], ["replay", walk, "--walking-speed", "0"],
    ["replay", walk, "--interval", "0"], ["replay", walk, "--loop", "0"],
    ["replay", walk, "--radius", "0"], ["replay", walk, "--radius", "32"],
    ["replay", walk, "--size", "o"], ["replay", walk, "--license", "gpl"],
    ["replay", walk, "--seed", "-1"], ["replay", walk, "--concurrency", "0"],
    ["replay", walk, "--concurrency", "65"], ["replay", walk, "--max-city-distance", "0"],
    ["replay", walk, "--authorization", "maybe"], ["replay", walk, "--noise", "-1"],
    ["replay", walk, "--outage", "1km"], ["replay", walk, "--from", "1parsec"],
    ["replay", walk, "--source", "segments"], ["replay", walk, "--from", "2km", "--to", "1km"],
    ["info"], ["info", walk, "--format", "csv"],
  ])
  func wrongUsageEndsWith64(arguments: [String]) async throws {
    let run = try await ExecutableRun.run(.init(arguments))
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("rror: "))
  }

  @Test func aStartBeyondTheEndIsWrongUsage() async throws {
    let run = try await ExecutableRun.run(
      "replay", Self.walk, "--photos", "sample", "--from", "20km")
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("error: the start lies beyond the end of the track"))
  }

  @Test(arguments: [
    ["FAKETRACK_PHOTOS": "picasa"],
    ["FAKETRACK_FLICKR_URL": "ftp://x", "FAKETRACK_PHOTOS": "none"],
  ])
  func aWrongEnvironmentIsWrongUsage(environment: [String: String]) async throws {
    let run = try await ExecutableRun.run("replay", Self.walk, environment: environment)
    #expect(run.code == 64)
    for name in environment.keys where name != "FAKETRACK_PHOTOS" || environment.count == 1 {
      #expect(run.errors.contains(name))
    }
  }

  @Test func theEnvironmentNamesTheDefaultSource() async throws {
    let run = try await ExecutableRun.run(
      "replay", Self.walk, environment: ["FAKETRACK_PHOTOS": "sample"])
    #expect(run.code == 0)
    #expect((80...110).contains(run.lines.count))
  }

  @Test(arguments: ["denied", "restricted"])
  func withoutPermissionItEndsWith77(status: String) async throws {
    let run = try await ExecutableRun.run(
      "replay", Self.walk, "--photos", "sample", "--authorization", status)
    #expect(run.code == 77)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("error: location permission \(status)"))
  }

  @Test func permissionThatIsAskedForIsGranted() async throws {
    let asked = try await ExecutableRun.run(
      "replay", Self.walk, "--photos", "sample", "--authorization", "not-determined")
    let given = try await ExecutableRun.run("replay", Self.walk, "--photos", "sample")
    #expect(asked.code == 0)
    #expect(asked.output == given.output)
  }

  @Test func permissionLostOnTheWayEndsWith77AfterWhatWasWalked() async throws {
    let scratch = try Scratch()
    let script = try scratch.file("script", "# asked, granted, lost\n0s authorized\n2km denied\n")
    let run = try await ExecutableRun.run(
      "replay", Self.walk, "--photos", "sample", "--permission-script", script)
    #expect(run.code == 77)
    #expect((18...20).contains(run.lines.count))
  }

  @Test func aLostSignalIsNoFaultOfTheFile() async throws {
    let run = try await ExecutableRun.run(
      "replay", Self.walk, "--photos", "sample", "--outage", "0s-9h")
    #expect(run.code == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("0 locations, 0 m"))
  }

  @Test(arguments: ["text", "ndjson", "geojson", "gpx", "csv"])
  func aClosedPipeEndsQuietly(format: String) async throws {
    let run = try await ExecutableRun.run(
      .init(
        ["replay", Self.walk, "--photos", "sample", "--distance-filter", "0", "--format", format],
        reading: .beginning))
    #expect(run.code == 0)
    #expect(!run.errors.contains("rror"))
    #expect(!run.errors.contains("locations"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aSignalEndsWithTheSummary(signal: Int32, code: Int32) async throws {
    let process = try ExecutableProcess(
      .init(
        ["replay", Self.walk, "--photos", "sample", "--format", "geojson", "--speed", "0.1"],
        timeout: 30))
    await process.waitFor("Feature\"")
    process.signal(signal)
    let run = await process.result()
    #expect(run.code == code)
    #expect(run.errorLines.last == "1 location, 0 m, 1 photo, 0 calls (1 saved)")
    let read = try #require(JSONSerialization.jsonObject(with: run.outputData) as? [String: Any])
    #expect((read["features"] as? [Any])?.count == 1)
  }

  @Test(arguments: ["ndjson", "geojson"])
  func aSignalEndsARunThatNobodyReads(format: String) async throws {
    let process = try ExecutableProcess(
      .init(
        ["replay", Self.walk, "--photos", "sample", "--format", format, "--distance-filter", "0"],
        reading: .nothing, timeout: 30))
    await process.waitFor("walking: ")
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    #expect(run.errorLines.last?.contains(" location") == true)
  }

  @Test func aLogThatCannotBeWrittenIsAnError() async throws {
    let run = try await ExecutableRun.run(
      .init(["replay", Self.walk, "--photos", "none", "--log", "/nowhere/log"]))
    #expect(run.code == 1)
    #expect(run.errors.contains("error: /nowhere/log: No such file or directory"))
  }

  @Test func theVersionIsOneLine() async throws {
    let run = try await ExecutableRun.run("--version")
    #expect(run.code == 0)
    #expect(run.lines.count == 1)
    #expect(run.lines.first?.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
  }
}
