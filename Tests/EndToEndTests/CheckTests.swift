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
        failed  enters \(Self.park): entered only before what should come first
        failed  enters 53, 13, 2km: never within 2.0 km; closest 64.5 km from the center, at 7.8 km

        """)
    #expect(
      run.errors == """
        error: faketrack.gpx: enters \(Self.park): entered only before what should come first \
        (2 of 3 failed)

        """)
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
        <testsuites tests="1" failures="1">
          <testsuite name="faketrack.gpx" tests="1" failures="1">
            <testcase classname="faketrack.gpx" name="matches golden.ndjson">
              <failure message="location 1 is 816.6 m away, at 52.404941, 13.026148"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func aPlainNumberIsMeters() async throws {
    let run = try await check("--enters", "52.404,13.026,200")
    #expect(run.output == "ok      enters 52.404,13.026,200 at 823 m\n")
  }

  @Test(arguments: ["", "</trkseg></trk>", "</trk>"])
  func aFileIsReadToItsEnd(closing: String) async throws {
    try home.file("cut.gpx", Track.opening + (0..<5).map(Track.point).joined() + closing)
    let run = try await home.run("check", "cut.gpx", "--enters", "52,13,50m")
    #expect(run.code == 65)
    #expect(run.output == "ok      enters 52,13,50m at 0 m\n")
    #expect(run.errors.hasPrefix("error: cut.gpx:"), "\(run.errors)")
    let part = try await home.run("check", "cut.gpx", "--leaves", "1,1,1m", "--to", "1min")
    #expect(part.code == 65 && part.output.hasPrefix("failed  leaves 1,1,1m"))
  }

  @Test func whatCannotBeCheckedIsSaid() async throws {
    let missing = try await home.run("check", "nosuch.gpx", "--enters", Self.park)
    #expect(missing.code == 1)
    #expect(missing.errors.hasPrefix("error: nosuch.gpx: cannot be read"))
    _ = try home.file("broken.ndjson", "{\"latitude\":52,\"longitude\":13}\nnonsense\n")
    let broken = try await check("--matches", "broken.ndjson")
    #expect(broken.code == 65)
    #expect(broken.errors.hasPrefix("error: broken.ndjson:2: not a record"))
    for arguments in [[], ["--enters", "52,13"], ["--enters", Self.park, "--speed", "2"]] {
      let run = try await home.run(["check", "faketrack.gpx"] + arguments)
      #expect(run.code == 64, "\(arguments)")
    }
    let empty = try await home.run(
      ["check", "-", "--enters", Self.park], .init(input: .text("<gpx version=\"1.1\"/>")))
    #expect(empty.code == 65)
  }
}
