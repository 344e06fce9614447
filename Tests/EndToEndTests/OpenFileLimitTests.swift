import FaketrackTestSupport
import Foundation
import Testing

/// Running out of file descriptors or threads is an error, never a crash.
@Suite struct OpenFileLimitTests {
  private static let commands = [
    "replay walk.gpx --photos sample",
    "replay walk.gpx --photos flickr --concurrency 64",
    "info walk.gpx", "cities nearest 52 13", "favorites add Potsdam", "cities show Potsdam",
  ]

  private func run(_ command: String, openFileLimit: Int) async throws -> ExecutableRun {
    let home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(80))
    return try await home.run(
      command.split(separator: " ").map(String.init),
      .init(
        environment: [
          "FLICKR_API_KEY": "key", "FAKETRACK_FLICKR_URL": "http://127.0.0.1:9/",
          "FAKETRACK_WIKIPEDIA_URL": "http://127.0.0.1:9/",
        ], openFileLimit: openFileLimit))
  }

  @Test(arguments: ["info walk.gpx", "serve --port 0 --photos none"], [9, 12, 24])
  func saysThatThereAreTooFew(command: String, limit: Int) async throws {
    let run = try await run(command, openFileLimit: limit)
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.hasPrefix("error: only "),
      "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        "more files can be open at once, and 32 are needed\nhint: Raise the limit with \"ulimit -n 256\".\n"
      ))
  }

  @Test(arguments: commands, [36, 40, 48, 64, 96])
  func runsWithFew(command: String, limit: Int) async throws {
    let run = try await run(command, openFileLimit: limit)
    #expect([0, 1, 69].contains(run.code), "\(run.errors)")
  }

  @Test(arguments: ["info faketrack.gpx", "serve --port 0 --photos none"])
  func saysThatThereAreTooFewThreads(command: String) async throws {
    // The stacks of 12 threads take more than this.
    let shell = "ulimit -s 65536; ulimit -v 600000; exec \"$0\" \(command)"
    let run = try await TemporaryHome().run(
      ["-c", shell, Executable.url.path], .init(program: "/bin/sh"))
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: only "), "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        """
         threads can be started, and 12 are needed
        hint: Raise the limits with "ulimit -u" and "ulimit -v".

        """))
  }

  @Test func aCrashIsDescribed() async throws {
    let process = try TemporaryHome().start(["serve", "--port", "0", "--photos", "none"])
    try await process.errors.waitFor("http")
    process.signal(SIGILL)
    let run = await process.result()
    #expect(run.code == 128 + SIGILL)
    #expect(run.errors.contains("error: faketrack stopped unexpectedly\nhint: "), "\(run.errors)")
  }
}
