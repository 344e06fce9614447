import FaketrackTestSupport
import Foundation
import Testing

/// Receivers that send NMEA, and recordings with an end.
@Suite struct ReceiverTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(21))
  }

  /// Runs the body with the port of a server of NMEA along a walk.
  private func serving(
    _ arguments: String..., body: (Int) async throws -> Void
  ) async throws {
    let server = try home.start(
      [
        "replay", "walk.gpx", "--photos", "none", "--feed", "nmea:tcp:127.0.0.1:0", "--hold",
        "forever",
      ]
        + arguments)
    try await server.errors.waitFor("listening on 127.0.0.1:")
    try await server.errors.waitFor("\n")
    let port = try #require(
      server.errors.text.firstMatch(of: #/listening on 127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) })
    try await withCleanup {
      try await body(port)
    } cleanup: {
      server.signal(SIGINT)
      _ = await server.result()
    }
  }

  @Test func aServerOfSentencesIsAReceiver() async throws {
    try await serving("--speed", "50") { port in
      let run = try await home.run(
        "replay", "nmea://127.0.0.1:\(port)", "--photos", "none", "--no-cities", "-f", "ndjson",
        "--distance-filter", "0", "--to", "200m")
      #expect(run.code == 0)
      let lines = run.output.split(separator: "\n")
      #expect(lines.count > 10)
      #expect(lines.first?.contains("\"longitude\":13") == true)
      #expect(run.errorLines.contains("nmea://127.0.0.1:\(port): a fix"))
    }
  }

  @Test func aRecordingEndsAfterATime() async throws {
    try await serving("--speed", "20") { port in
      let run = try await home.run(
        "replay", "nmea://127.0.0.1:\(port)", "--photos", "none", "--no-cities",
        "--distance-filter", "0", "--to", "2s", "-o", "recording.gpx")
      #expect(run.code == 0)
      #expect(home.text(of: "recording.gpx").contains("</gpx>"))
    }
  }

  @Test func aReceiverWithoutAPositionSaysSo() async throws {
    try await serving("--speed", "1", "--authorization", "denied") { port in
      let run = try await home.run(
        "replay", "nmea://127.0.0.1:\(port)", "--photos", "none", "--to", "1s", "-f", "ndjson")
      #expect(run.code == 0)
      #expect(run.errorLines.contains("nmea://127.0.0.1:\(port): no fix; waiting"))
    }
  }

  @Test func aPipeIsADevice() async throws {
    let log = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--to", "300m", "-f", "nmea")
    try home.file("log", log.output)
    try #require(mkfifo(home.path("pipe"), 0o600) == 0)
    let process = try home.start([
      "replay", "nmea://\(home.path("pipe"))", "--photos", "none", "--no-cities", "-f", "ndjson",
      "--distance-filter", "0", "--to", "3s",
    ])
    let (file, pipe) = (home.path("log"), home.path("pipe"))
    let writing = Task.detached {
      let bytes = FileManager.default.contents(atPath: file) ?? Data()
      try FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: bytes)
    }
    let run = await process.result()
    try await writing.value
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count > 100)
  }

  @Test(arguments: [
    ("nmea://127.0.0.1:1", "no receiver at 127.0.0.1:1: connection refused", 69),
    ("nmea:///dev/no-such-port", "/dev/no-such-port: no such file or directory", 69),
    ("nmea://127.0.0.1", "a receiver is named alone", 64),
    ("nmea://", "a receiver is named alone", 64),
  ])
  func whatIsNoReceiverIsTold(address: String, words: String, code: Int32) async throws {
    let run = try await home.run("replay", address, "--photos", "none")
    #expect(run.code == code)
    #expect(run.errors.contains(words))
  }

  @Test func aLogOfSentencesIsATrack() async throws {
    let log = try await home.run("replay", "walk.gpx", "--photos", "none", "-f", "nmea")
    try home.file("walk.nmea", log.output)
    let run = try await home.run("replay", "walk.nmea", "--photos", "none", "-f", "ndjson")
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count == 31)
  }
}

/// `--feed adb`: an Android device, with a program in the place of adb that writes down its arguments.
@Suite struct AndroidDeviceTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(3))
    try home.file(
      "bin/adb",
      """
      #!/bin/sh
      echo "$@" >>"$ADB_LOG"
      case $* in
        *missing*) echo "adb: device 'missing' not found" >&2; exit 1 ;;
      esac
      """)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.path("bin/adb"))
  }

  private var environment: [String: String] {
    ["PATH": "\(home.path("bin")):/usr/bin:/bin", "ADB_LOG": home.path("calls")]
  }

  @Test func aTestProviderTakesThePlaceOfGPS() async throws {
    try home.file("script", "20s denied\n30s authorized\n")
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--speed", "1000", "--feed-interval", "10s",
      "--outage", "35s-45s", "--script", "script", "--feed", "adb:emulator-5554/org.example.app",
      environment: environment)
    #expect(run.code == 0)
    let calls = home.text(of: "calls").split(separator: "\n").map {
      $0.replacing("-s emulator-5554 ", with: "")
    }
    #expect(
      calls.prefix(5) == [
        "get-state", "shell appops set com.android.shell android:mock_location allow",
        "shell cmd location providers remove-test-provider gps",
        "shell cmd location providers add-test-provider gps --requiresSatellite "
          + "--supportsAltitude --supportsSpeed --supportsBearing",
        "shell cmd location providers set-test-provider-enabled gps true",
      ])
    #expect(
      calls.contains {
        $0.contains(
          "set-test-provider-location gps --location 52.0000000,13.0000000 --accuracy 5.0")
      })
    #expect(calls.last == "shell cmd location providers remove-test-provider gps")
    #expect(run.errors.contains("feed adb:emulator-5554/org.example.app: "))
  }

  @Test func aDenialTakesThePermissionOfTheApp() async throws {
    try home.file("script", "1s denied\n2s authorized\n")
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--speed", "1", "--to", "4s", "--script", "script",
      "--feed", "adb:/org.example.app", environment: environment)
    #expect(run.code == 0)
    let calls = home.text(of: "calls").split(separator: "\n").map(String.init)
    let permissions = calls.filter { $0.contains(" pm ") }
    #expect(
      permissions == [
        "shell pm revoke org.example.app android.permission.ACCESS_FINE_LOCATION",
        "shell pm revoke org.example.app android.permission.ACCESS_COARSE_LOCATION",
        "shell pm grant org.example.app android.permission.ACCESS_FINE_LOCATION",
        "shell pm grant org.example.app android.permission.ACCESS_COARSE_LOCATION",
      ])
  }

  /// The latitude of the last position that a device was set to.
  private func lastLatitude(of device: String) -> Double? {
    home.text(of: "calls").split(separator: "\n")
      .last { $0.hasPrefix("-s \(device) ") && $0.contains(" --location ") }
      .flatMap { $0.split(separator: "--location ").last?.split(separator: ",").first }
      .flatMap { Double($0) }
  }

  @Test func eachDeviceHasItsWalk() async throws {
    try home.file("long.gpx", Track.north(60))
    let run = try await home.run(
      "replay", "walk.gpx", "long.gpx", "--photos", "none", "--no-cities", "--speed", "1000",
      "--format", "ndjson", "--feed", "adb:a", "--feed", "adb:b", environment: environment)
    #expect(run.code == 0)
    #expect(lastLatitude(of: "a") == 52.0027)
    #expect(lastLatitude(of: "b") == 52.07965)
    let tracks = run.output.split(separator: "\n").map { $0.contains(#""walk.gpx""#) }
    // A location each 100 m, and the end of the track.
    #expect(tracks.count { $0 } == 5)
    #expect(tracks.count { !$0 } == 90)
    #expect(run.errors.contains("2 tracks, 93 locations"))
  }

  @Test(arguments: [["long.gpx", "walk.gpx", "long.gpx"], ["both.gpx"]])
  func eachDeviceHasItsTrack(files: [String]) async throws {
    let (first, second) = (Track.north(3), Track.north(5))
    try home.file(
      "both.gpx",
      first.dropLast("</gpx>\n".count)
        + second.split(separator: "<trk>")[1...].map { "<trk>" + $0 }.joined())
    try home.file("long.gpx", second)
    let choices = files.count == 1 ? ["--track", "2", "--track", "1", "--track", "2"] : []
    let run = try await home.run(
      ["replay"] + files + choices + [
        "--photos", "none", "--no-cities", "--speed", "1000", "--format", "csv", "--feed", "adb:a",
        "--feed", "adb:b", "--feed", "adb:c",
      ], .init(environment: environment))
    #expect(run.code == 0)
    #expect(["a", "b", "c"].map(lastLatitude) == [52.0054, 52.0027, 52.0054])
    #expect(run.output.split(separator: "\n").count == 19)
  }

  @Test(arguments: [
    (["walk.gpx", "walk.gpx", "walk.gpx"], "--feed walks one track, or a track for each target"),
    (["bin", "walk.gpx"], "--feed walks one track, or a track for each target"),
    (["walk.gpx", "walk.gpx", "--format", "gpx"], "--format is text, ndjson or csv"),
    (["-", "--track", "1", "--track", "2"], "several --track go with as many --feed"),
    (["-", "-"], "--feed walks one track, or a track for each target"),
    (
      ["--tracks-from", "list", "--track", "1", "--track", "2"],
      "several --track go with as many --feed"
    ),
    (["walk.gpx", "walk.gpx", "--control", "127.0.0.1:0"], "--control steers one track"),
  ])
  func walksAndTargetsThatDoNotMatchAreRefused(arguments: [String], words: String) async throws {
    let run = try await home.run(
      ["replay", "--photos", "none", "--feed", "adb:a", "--feed", "adb:b"] + arguments,
      .init(environment: environment))
    #expect(run.code == 64)
    #expect(run.errors.contains(words))
    #expect(home.text(of: "calls").isEmpty)
  }

  @Test func aDeviceThatIsMissingIsNamed() async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--feed", "adb:missing", environment: environment)
    #expect(run.code == 69)
    #expect(run.errors.contains("feed adb:missing: adb: device 'missing' not found"))
  }
}
