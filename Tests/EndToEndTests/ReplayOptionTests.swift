import FaketrackTestSupport
import Foundation
import Testing

/// The effect of each `replay` option on a track of five points: 52 degrees north and 13 degrees
/// east at 08:00, then 150.2 m to the north each minute.
@Suite struct ReplayOptionTests {
  struct Walk: Sendable, CustomTestStringConvertible {
    let options: [String]
    /// A text for each location: its time, its latitude, and the meters walked so far.
    let locations: [String]
    /// The last line of stderr.
    let summary: String

    init(_ options: String, _ summary: String, _ locations: String...) {
      self.options = options.split(separator: " ").map(String.init)
      self.locations = locations
      self.summary = summary
    }

    var testDescription: String { options.joined(separator: " ") }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
    try home.file("kinds.gpx", Track.ofEachKind)
  }

  private func records(_ arguments: [String]) async throws -> (run: ExecutableRun, [Record]) {
    let recorded = arguments.contains("--interval") ? [] : ["--interval", "off"]
    let run = try await home.run(
      ["replay"] + arguments + recorded + ["--photos", "none", "--format", "ndjson"])
    return (run, try run.records)
  }

  private static func text(_ record: Record) -> String {
    let time = record.time.map { $0.dropFirst("2026-05-01T".count).dropLast() } ?? "-"
    return "\(time) \(record.latitude) \(record.distance)"
  }

  static let walks = [
    Walk(
      "", "5 locations, 601 m", "08:00:00 52.0 0.0", "08:01:00 52.00135 150.211",
      "08:02:00 52.0027 300.422", "08:03:00 52.00405 450.633", "08:04:00 52.0054 600.844"),

    Walk(
      "--distance-filter 301", "2 locations, 451 m", "08:00:00 52.0 0.0",
      "08:03:00 52.00405 450.633"),
    Walk("--distance-filter 601", "1 location, 0 m", "08:00:00 52.0 0.0"),
    Walk("--distance-filter 1000000000", "1 location, 0 m", "08:00:00 52.0 0.0"),

    // The start is the first point at or after it, the end the last point at or before it.
    Walk(
      "--from 3min", "2 locations, 150 m", "08:03:00 52.00405 450.633",
      "08:04:00 52.0054 600.844"),
    Walk(
      "--from 150s", "2 locations, 150 m", "08:03:00 52.00405 450.633",
      "08:04:00 52.0054 600.844"),
    Walk("--from 0h4min", "1 location, 0 m", "08:04:00 52.0054 600.844"),
    Walk(
      "--from 400m", "2 locations, 150 m", "08:03:00 52.00405 450.633",
      "08:04:00 52.0054 600.844"),
    Walk("--from 0.55km", "1 location, 0 m", "08:04:00 52.0054 600.844"),
    Walk("--from 0.3mi", "1 location, 0 m", "08:04:00 52.0054 600.844"),
    Walk(
      "--to 1min", "2 locations, 150 m", "08:00:00 52.0 0.0", "08:01:00 52.00135 150.211"),
    Walk(
      "--to 0.3km", "2 locations, 150 m", "08:00:00 52.0 0.0", "08:01:00 52.00135 150.211"),
    Walk("--to 0s", "1 location, 0 m", "08:00:00 52.0 0.0"),
    Walk(
      "--from 1min --to 2min", "2 locations, 150 m", "08:01:00 52.00135 150.211",
      "08:02:00 52.0027 300.422"),
    Walk("--from 60s --to 60s", "1 location, 0 m", "08:01:00 52.00135 150.211"),

    Walk(
      "--reverse", "5 locations, 601 m", "08:00:00 52.0054 0.0", "08:01:00 52.00405 150.211",
      "08:02:00 52.0027 300.422", "08:03:00 52.00135 450.633", "08:04:00 52.0 600.844"),
    // A lap begins a second after the previous one; the way back to the start is skipped.
    Walk(
      "--loop 2 --distance-filter 500", "4 locations, 1.2 km", "08:00:00 52.0 0.0",
      "08:04:00 52.0054 600.844", "08:04:01 52.0 600.844", "08:08:01 52.0054 1201.688"),
    Walk(
      "--interval 90 --distance-filter 0", "3 locations, 451 m", "08:00:00 52.0 0.0",
      "08:01:30 52.002025000038905 225.316", "08:03:00 52.00405 450.633"),
    Walk(
      "--interval 0.5 --to 1s --distance-filter 0", "3 locations, 3 m", "08:00:00 52.0 0.0",
      "08:00:00.5 52.00001125000128 1.252", "08:00:01 52.00002250000255 2.504"),

    Walk(
      "--outage 1min-3min", "2 locations, 601 m", "08:00:00 52.0 0.0",
      "08:04:00 52.0054 600.844"),
    Walk(
      "--outage 100m-400m", "3 locations, 601 m", "08:00:00 52.0 0.0",
      "08:03:00 52.00405 450.633", "08:04:00 52.0054 600.844"),
    Walk(
      "--outage 0s-1min --outage 0.5km-1km", "2 locations, 451 m", "08:02:00 52.0027 300.422",
      "08:03:00 52.00405 450.633"),
    Walk("--outage 0s-9h", "0 locations, 0 m"),

    Walk(
      "--interval auto --to 250m", "3 locations, 200 m", "08:00:00 52.0 0.0",
      "08:00:39.943827 52.000898736146475 100.0", "08:01:19.88765 52.001797472155026 200.0"),
    Walk("--start 2026-05-01T09:00:00Z --to 0s", "1 location, 0 m", "09:00:00 52.0 0.0"),
    Walk(
      "--max-pause 10s --to 1min", "2 locations, 150 m", "08:00:00 52.0 0.0",
      "08:01:00 52.00135 150.211"),

    // The speed changes the timing, not the output.
    Walk("--speed max --to 0s", "1 location, 0 m", "08:00:00 52.0 0.0"),
    Walk("--speed 0.1 --to 0s", "1 location, 0 m", "08:00:00 52.0 0.0"),
    Walk(
      "--speed 1000 --to 1min", "2 locations, 150 m", "08:00:00 52.0 0.0",
      "08:01:00 52.00135 150.211"),
    Walk(
      "--speed x1000 --to 1min", "2 locations, 150 m", "08:00:00 52.0 0.0",
      "08:01:00 52.00135 150.211"),
    Walk(
      "--speed 1000x --to 1min", "2 locations, 150 m", "08:00:00 52.0 0.0",
      "08:01:00 52.00135 150.211"),
  ]

  @Test(arguments: walks)
  func walksAsTheOptionsSay(walk: Walk) async throws {
    let (run, records) = try await records(["walk.gpx"] + walk.options)
    #expect(run.code == 0)
    #expect(records.map(Self.text) == walk.locations)
    #expect(run.errorLines == ["photos: none", "walking: tracks of walk.gpx", walk.summary])
    #expect(records.map(\.index) == Array(0..<records.count))
  }

  @Test(
    arguments: [
      ("auto", 2, "walking: tracks of kinds.gpx"), ("tracks", 2, nil), ("routes", 3, nil),
      ("waypoints", 1, nil),
    ] as [(String, Int, String?)])
  func theSourceIsWhatIsWalked(source: String, count: Int, said: String?) async throws {
    let (run, records) = try await records(["kinds.gpx", "--source", source])
    #expect(run.code == 0)
    #expect(records.count == count)
    #expect(run.errorLines.first { $0.hasPrefix("walking: ") } == said)
  }

  @Test(
    arguments: [
      (
        "<gpx><rte><rtept lat=\"1\" lon=\"2\"/></rte><wpt lat=\"3\" lon=\"4\"/></gpx>", "routes",
        1.0
      ),
      ("<gpx><wpt lat=\"3\" lon=\"4\"/><rte></rte></gpx>", "waypoints", 3.0),
      ("<gpx><wpt lat=\"3\" lon=\"4\"/><trk><trkseg/></trk></gpx>", "waypoints", 3.0),
    ])
  func autoTakesWhatThereIs(text: String, kind: String, latitude: Double) async throws {
    try home.file("some.gpx", text)
    let (run, records) = try await records(["some.gpx"])
    #expect(records.map(\.latitude) == [latitude])
    #expect(run.errorLines.contains("walking: \(kind) of some.gpx"))
  }

  @Test(arguments: [("", "1.3"), ("--walking-speed 10", "10.0"), ("--walking-speed 0.5", "0.5")])
  func theWalkingSpeedIsThatOfPointsWithoutTimes(option: String, speed: String) async throws {
    let options = option.split(separator: " ").map(String.init)
    let (run, records) = try await records(["kinds.gpx"] + options)
    #expect(run.errorLines.contains("note: 2 points without a time: assuming \(speed) m/s"))
    // Missing times are not invented.
    #expect(records.allSatisfy { $0.time == nil && $0.speed == nil })
  }

  @Test func theWalkingSpeedDecidesWhereATimeIs() async throws {
    // At 10 m/s the second point comes after 111 s.
    let options = ["--walking-speed", "10", "--from"]
    let before = try await records(["kinds.gpx"] + options + ["111s"])
    let after = try await records(["kinds.gpx"] + options + ["112s"])
    #expect(before.1.map(\.latitude) == [52.01])
    #expect(after.run.code == 64)
  }

  @Test func noiseMovesTheFixesAndNotTheWay() async throws {
    let plain = try await records(["walk.gpx"]).1
    let noisy = try await records(["walk.gpx", "--noise", "5"]).1
    let other = try await records(["walk.gpx", "--noise", "5", "--seed", "1"]).1
    let again = try await records(["walk.gpx", "--noise", "5"]).1
    #expect(noisy.map(\.latitude) == again.map(\.latitude))
    #expect(noisy.map(\.latitude) != other.map(\.latitude))
    #expect(noisy.map(\.distance) == plain.map(\.distance))
    for (fix, truth) in zip(noisy, plain) {
      #expect(fix.latitude != truth.latitude)
      #expect(abs(fix.latitude - truth.latitude) < 30 / 111_000)
    }
  }

  @Test(
    arguments: [
      ("", "Niedergörsdorf", "Niedergörsdorf"), ("--no-cities", nil, nil),
      ("--max-city-distance 2.5", "Niedergörsdorf", nil), ("--max-city-distance 2", nil, nil),
      ("--min-population 100000", "Potsdam", "Potsdam"),
      ("--min-population 1000000", "Berlin", "Berlin"),
      ("--min-population 100000 --max-city-distance 40", nil, nil),
    ] as [(String, String?, String?)])
  func theCityIsTheNearestThatIsAllowed(
    option: String, first: String?, second: String?
  ) async throws {
    let options = option.split(separator: " ").map(String.init)
    let (_, records) = try await records(["walk.gpx", "--to", "1min"] + options)
    #expect(records.map { $0.city?.name } == [first, second])
  }

  @Test(arguments: ["s", "q", "t", "m", "n", "w", "z", "c", "b"])
  func theSizeIsPartOfThePhotosAddress(size: String) async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--to", "0s", "--size", size)
    #expect(run.output == "https://photos.faketrack.example/s225441x188964_\(size).jpg\n")
  }

  @Test(
    arguments: [
      ("0.03", 1, "5 locations, 601 m, 1 photo, 4 without a photo"),
      ("0.5", 5, "5 locations, 601 m, 5 photos"),
    ])
  func theRadiusLimitsHowFarAPhotoIs(radius: String, count: Int, summary: String) async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--radius", radius,
      "--format", "ndjson")
    let distances = try run.records.compactMap { $0.photo?.distance }
    #expect(distances.count == count)
    #expect(distances.allSatisfy { $0 <= (Double(radius) ?? 0) * 1_000 })
    #expect(run.errorLines.last == summary)
    // In the text format, a location without a photo prints nothing.
    let text = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--radius", radius)
    #expect(text.lines.count == count)
  }

  @Test(arguments: ["any", "public-domain", "cc", "commercial"])
  func theSamplesAreInThePublicDomain(license: String) async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--license", license)
    #expect(run.code == 0)
    #expect(run.lines.count == 5)
  }

  @Test func theSeedMakesTheChoice() async throws {
    var outputs: [String] = []
    for seed in ["0", "0", "1", "18446744073709551615"] {
      let run = try await home.run(
        "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--seed", seed)
      #expect(run.lines.count == 5)
      outputs.append(run.output)
    }
    let withoutSeed = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample")
    #expect(outputs[0] == outputs[1] && outputs[0] == withoutSeed.output)
    #expect(Set(outputs).count == 3)
  }

  @Test(arguments: [["walk.gpx"], ["walk.gpx", "kinds.gpx"]])
  func aRandomSeedIsSaidAndRepeatsTheRun(tracks: [String]) async throws {
    let options = ["--photos", "sample", "--noise", "5", "--format", "ndjson", "--seed"]
    let run = try await home.run(["replay"] + tracks + options + ["random"])
    let said = run.errorLines.filter { $0.hasPrefix("seed: ") }
    #expect(said.count == 1)
    let seed = try #require(said.first?.wholeMatch(of: /seed: (\d+)/)?.1)
    let again = try await home.run(["replay"] + tracks + options + [String(seed)])
    #expect(again.output == run.output)
    #expect(!again.errors.contains("seed:"))
    let other = try await home.run(["replay"] + tracks + options + ["random"])
    #expect(other.output != run.output)
  }

  @Test(arguments: ["text", "list", "ndjson", "csv", "geojson", "gpx"])
  func theOutputIsTheSameAtAnyConcurrency(format: String) async throws {
    let walk = ["replay", "faketrack.gpx", "--photos", "sample", "--format", format]
    let one = try await home.run(walk + ["--concurrency", "1"])
    let most = try await home.run(walk + ["--concurrency", "64"])
    #expect(one.code == 0)
    #expect(!one.outputData.isEmpty)
    #expect(one.outputData == most.outputData)
  }

  @Test func quietSaysNothingOfARunThatWentWell() async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--quiet")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines.count == 5)
  }

  @Test func quietStillSaysWhatWentWrong() async throws {
    let run = try await home.run("replay", "none.gpx", "--photos", "sample", "--quiet")
    #expect(run.code == 1)
    #expect(
      run.errors == """
        error: none.gpx: cannot be read: No such file or directory
        hint: Check the name and the permissions of the file.

        """)
  }

  @Test func theEnvironmentNamesTheDefaultSource() async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", environment: ["FAKETRACK_PHOTOS": "sample"])
    #expect(run.lines.count == 5)
    let none = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "none",
      environment: ["FAKETRACK_PHOTOS": "sample"])
    #expect(none.output.isEmpty)
    #expect(none.errorLines.first == "photos: none")
  }
}

/// `--authorization` and `--permission-script`: permission as on a phone.
@Suite struct PermissionTests {
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let code: Int32
    /// The indices of the delivered points.
    let points: [Int]

    init(_ name: String, _ text: String, code: Int32, points: [Int]) {
      (testDescription, self.text, self.code, self.points) = (name, text, code, points)
    }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
  }

  static let scripts = [
    Script("granted", "0s authorized\n", code: 0, points: [0, 1, 2, 3, 4]),
    Script("granted late", "0s not-determined\n60s authorized\n", code: 0, points: [1, 2, 3, 4]),
    Script("lost by distance", "0s authorized\n400m denied\n", code: 77, points: [0, 1, 2]),
    Script("lost by time", "0s authorized\n2min restricted\n", code: 77, points: [0, 1]),
    Script(
      "lost and found", "0s authorized\n1min denied\n3min authorized\n", code: 0,
      points: [0, 3, 4]),
    Script(
      "comments and blanks", "# a comment\n\n  0s   authorized  \n", code: 0,
      points: [0, 1, 2, 3, 4]),
    Script("no line's end at the end", "0s authorized\n400m denied", code: 77, points: [0, 1, 2]),
    Script(
      "lines that end as on Windows", "# asked\r\n0s authorized\r\n400m denied\r\n", code: 77,
      points: [0, 1, 2]),
  ]

  @Test(arguments: scripts)
  func aScriptIsPlayed(script: Script) async throws {
    try home.file("script", script.text)
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "none", "--format", "ndjson",
      "--permission-script",
      "script")
    #expect(run.code == script.code, "\(run.errors)")
    let points = try run.records.map { Int((($0.latitude - 52) / 0.00135).rounded()) }
    #expect(points == script.points)
  }

  @Test func aScriptMayComeFromAPipe() async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "none", "--permission-script",
      "/dev/stdin", input: "0s authorized\n400m denied\n")
    #expect(run.code == 77, "\(run.errors)")
  }

  @Test(
    arguments: [
      ("authorized\n", 1), ("0s authorized\n5 denied\n", 2), ("\n# a comment\n1km maybe\n", 3),
      ("0s authorized denied\n", 1), ("0s authorized\r\n1parsec denied\r\n", 2),
    ])
  func whatIsNoStepIsToldWithItsLine(text: String, line: Int) async throws {
    try home.file("script", text)
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "none", "--permission-script", "script"
    )
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    #expect(
      run.errorLines.suffix(2) == [
        "error: script:\(line): not a step of a script",
        "hint: Write a position and what happens there, such as 3s authorized or 2km outage 30s; "
          + "a step is one of speed, authorized, denied, restricted, not-determined, allow, deny, "
          + "accuracy, outage, teleport, return.",
      ])
  }

  @Test(
    arguments: [
      ("authorized", 0, 5), ("not-determined", 0, 5), ("denied", 77, 0), ("restricted", 77, 0),
    ] as [(String, Int32, Int)])
  func theSimulatedPermissionDecides(status: String, code: Int32, count: Int) async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--authorization", status)
    #expect(run.code == code)
    #expect(run.lines.count == count)
    if code != 0 {
      #expect(
        run.errorLines.suffix(2) == [
          "error: location permission \(status)",
          "hint: Allow it with --authorization authorized.",
        ])
    }
  }

  @Test func permissionThatIsAskedForChangesNothingOfTheOutput() async throws {
    let asked = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--photos", "sample", "--authorization",
      "not-determined")
    let given = try await home.run("replay", "walk.gpx", "--interval", "off", "--photos", "sample")
    #expect(asked.output == given.output)
  }
}
