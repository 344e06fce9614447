import FaketrackTestSupport
import Foundation
import Testing

@Suite struct CheckTests {
  /// A circle that the walk enters after 11 minutes and leaves after 13.
  private static let park = "52.404,13.026,200m"

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func check(_ arguments: String...) async throws -> ExecutableRun {
    try await home.run(["check", "faketrack.gpx"] + arguments)
  }

  @Test func regionsAreEnteredAndLeft() async throws {
    let run = try await check(
      "--enters", Self.park, "--leaves", Self.park, "--within", "15min", "--order")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        ok      enters \(Self.park) at 823 m
        ok      leaves \(Self.park) at 1.2 km

        """)
  }

  @Test func whatDifferedFirstIsTold() async throws {
    let run = try await check(
      "--leaves", Self.park, "--enters", Self.park, "--enters", "53, 13, 2km", "--order")
    #expect(run.code == 1)
    #expect(
      run.output == """
        ok      leaves \(Self.park) at 1.2 km
        failed  enters \(Self.park): entered only before what should come first, at 823 m, \
        2026-05-01T08:10:47Z, 52.40499,13.02355
        failed  enters 53, 13, 2km: never entered; closest 62.5 km away, at 7.8 km, \
        2026-05-01T09:39:49Z, 52.42233,13.07243

        """)
    #expect(run.errors == "error: 2 of 3 expectations not met\n")
    let late = try await check("--enters", Self.park, "--within", "10min")
    #expect(late.code == 1)
    #expect(late.output.contains("entered after 10 min 47 s"))
  }

  @Test func aWalkMatchesItsRecords() async throws {
    let golden = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "--format", "ndjson")
    _ = try home.file("golden.ndjson", golden.output)
    let same = try await check("--matches", "golden.ndjson")
    #expect(same.code == 0)
    #expect(same.output == "ok      matches golden.ndjson, 92 locations\n")
    let part = try await check(
      "--matches", "golden.ndjson,5m", "--from", "1km", "--format", "junit")
    #expect(part.code == 1)
    #expect(
      part.output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="1" failures="1" errors="0">
          <testsuite name="faketrack.gpx" tests="1" failures="1" errors="0">
            <testcase classname="faketrack.gpx" name="matches golden.ndjson,5m">
              <failure message="location 1 is not passed; 817 m away, at 1.0 km, 2026-05-01T08:12:48Z, \
        52.40494,13.02615"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func aPlainNumberIsMeters() async throws {
    let run = try await check("--enters", "52.404,13.026,200")
    #expect(run.output == "ok      enters 52.404,13.026,200 at 823 m\n")
  }

  @Test func areasSpeedsAndLinesAreChecked() async throws {
    let run = try await check(
      "--enters", "Potsdam,5km", "--avoids", "Berlin", "--stays", "\(Self.park),1min", "--passes",
      "52.404,13.026,200m,52.42,13.07,1km", "--max-speed", "20km/h", "--max-gap", "1km",
      "--within-corridor", "faketrack.gpx,1m", "--matches", "faketrack.gpx")
    #expect(run.code == 0, "\(run.output)")
    #expect(
      run.output.split(separator: "\n").map { $0.split(separator: " ")[1] } == [
        "enters", "avoids", "stays", "passes", "max-speed", "max-gap", "within-corridor", "matches",
      ])
    let failed = try await check(
      "--avoids", Self.park, "--stays", "\(Self.park),1h", "--max-speed", "1km/h", "--max-gap",
      "1m",
      "--passes", "Berlin,Potsdam", "--format", "tap")
    #expect(failed.code == 1)
    #expect(failed.output.hasPrefix("TAP version 14\n1..5\nnot ok 1 - faketrack.gpx: avoids "))
    #expect(failed.errors.contains("(5 of 5 expectations not met)"))
  }

  @Test func recordingsOfEveryFormatAreChecked() async throws {
    for format in ["ndjson", "geojson", "gpx", "nmea"] {
      let run = try await home.run(
        "replay", "faketrack.gpx", "--photos", "none", "--distance-filter", "0", "-f", format, "-o",
        "recorded.\(format)")
      #expect(run.code == 0)
      let recorded = try await home.run(
        "check", "recorded.\(format)", "--matches", "faketrack.gpx,3m", "--enters", Self.park)
      #expect(recorded.code == 0, "\(format): \(recorded.output)\(recorded.errors)")
      let golden = try await check("--matches", "recorded.\(format),3m")
      #expect(golden.code == 0, "\(format): \(golden.output)\(golden.errors)")
    }
    let noise = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "--distance-filter", "0", "-f", "gpx", "-o",
      "noise.gpx", "--noise", "3")
    #expect(noise.code == 0)
    let near = try await home.run("check", "noise.gpx", "--matches", "faketrack.gpx,12m")
    #expect(near.code == 0, "\(near.output)")
    let far = try await home.run("check", "noise.gpx", "--matches", "faketrack.gpx,1m")
    #expect(far.code == 1)
  }

  @Test func severalTracksAreChecked() async throws {
    try home.file("walks/a.gpx", Track.opening + (0..<5).map(Track.point).joined() + Track.closing)
    try home.file("walks/b.gpx", "plain text")
    let run = try await home.run(
      "check", "walks", "nosuch.gpx", "--enters", "52,13,50m", "--leaves", "1,1,1m", "-f", "json")
    #expect(run.code == 2)
    #expect(run.errors.contains("error: walks/b.gpx: this is plain text, not GPX"))
    #expect(run.errors.contains("error: nosuch.gpx: cannot be read"))
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["met"] as? Bool } == [true, false, nil, nil])
    #expect(rows[0]["latitude"] as? Double == 52 && rows[0]["distance"] as? Double == 0)
    #expect((rows[1]["reason"] as? String)?.hasPrefix("never entered; closest ") == true)
    #expect((rows[3]["error"] as? String)?.hasPrefix("nosuch.gpx: cannot be read") == true)
    let junit = try await home.run(
      "check", "walks", "--enters", "52,13,50m", "--format", "junit")
    #expect(junit.output.contains("<testsuites tests=\"2\" failures=\"0\" errors=\"1\">"))
    #expect(junit.output.contains("<error message=\"walks/b.gpx: this is plain text"))
    let text = try await home.run("check", "walks/a.gpx", "walks/a.gpx", "--enters", "52,13,50m")
    let line = "ok      walks/a.gpx: enters 52,13,50m at 0 m, where the walk begins\n"
    #expect(text.output == line + line)
  }

  @Test(arguments: ["", "</trkseg></trk>", "</trk>"])
  func aFileIsReadToItsEnd(closing: String) async throws {
    try home.file("cut.gpx", Track.opening + (0..<5).map(Track.point).joined() + closing)
    let run = try await home.run("check", "cut.gpx", "--enters", "52,13,50m")
    #expect(run.code == 65)
    #expect(run.output == "ok      enters 52,13,50m at 0 m, where the walk begins\n")
    #expect(run.errors.hasPrefix("error: cut.gpx:"), "\(run.errors)")
    let part = try await home.run("check", "cut.gpx", "--leaves", "1,1,1m", "--to", "1min")
    #expect(part.code == 65 && part.output.hasPrefix("failed  leaves 1,1,1m"))
  }

  @Test func whatCannotBeCheckedIsSaid() async throws {
    let missing = try await home.run("check", "nosuch.gpx", "--enters", Self.park)
    #expect(missing.code == 2)
    #expect(missing.errors.hasPrefix("error: nosuch.gpx: cannot be read"))
    _ = try home.file("broken.ndjson", "{\"latitude\":52,\"longitude\":13}\nnonsense\n")
    let broken = try await check("--matches", "broken.ndjson")
    #expect(broken.code == 65)
    #expect(broken.errors.hasPrefix("error: broken.ndjson:2: not a record"))
    #expect(try await check("--matches", "nosuch.ndjson").code == 2)
    #expect(try await check("--within-corridor", "nosuch.gpx,5m").code == 2)
    #expect(try await check("--enters", "Xanadu Nowhere").code == 2)
    for arguments in [[], ["--enters", "52,13"], ["--enters", Self.park, "--speed", "2"]] {
      let run = try await home.run(["check", "faketrack.gpx"] + arguments)
      #expect(run.code == 64, "\(arguments)")
    }
    let empty = try await home.run(
      ["check", "-", "--enters", Self.park], .init(input: .text("<gpx version=\"1.1\"/>")))
    #expect(empty.code == 65)
  }
}
