import FaketrackTestSupport
import Foundation
import GPX
import Testing

/// The exit codes that scripts rely on, each with several causes.
@Suite struct ExitCodeTests {
  struct Cause: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let environment: [String: String]
    /// The line of stderr that begins with `error: `; `nil` for success.
    let error: String?
    let hint: String?

    init(
      _ arguments: String, _ environment: [String: String] = [:], error: String? = nil,
      hint: String? = nil
    ) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.environment = environment
      self.error = error
      self.hint = hint
    }

    var testDescription: String {
      (environment.map { "\($0.key)=\($0.value)" } + arguments).joined(separator: " ")
    }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
    try home.file("empty.gpx", "<gpx version=\"1.1\"/>")
    try home.file("cut.gpx", Track.opening + Track.point(0))
    try home.file("bad.gpx", Track.opening + "<trkpt lat=\"x\" lon=\"1\"/>" + Track.closing)
    try home.file("pointless.gpx", "<gpx><rte/><rte/><rte/><trk><trkseg/></trk></gpx>")
    let places = "<wpt lat=\"52\" lon=\"13\"/><wpt lat=\"53\" lon=\"13\"/>"
    try home.file("places.gpx", "<gpx>\(places)<rte/><rte/><rte/></gpx>")
    try home.file(
      "loose.gpx",
      "<gpx><rte><rtept lat=\"52\" lon=\"13\"/></rte><trkpt lat=\"52\" lon=\"13\"/></gpx>")
    try home.file("page.json", "<html></html>")
    try home.file("script", "0s authorized\n300m denied\n")
    try home.file("folder/inner", "")
  }

  private func check(_ cause: Cause, endsWith code: Int32) async throws {
    let run = try await home.run(cause.arguments, .init(environment: cause.environment))
    #expect(run.code == code, "\(run.errors)")
    #expect(run.errorLines.first { $0.hasPrefix("error: ") } == cause.error.map { "error: \($0)" })
    #expect(run.errorLines.first { $0.hasPrefix("hint: ") } == cause.hint.map { "hint: \($0)" })
  }

  static let successes = [
    Cause(""), Cause("--version"), Cause("--help"), Cause("help replay"), Cause("cities"),
    Cause("replay walk.gpx --photos none"), Cause("replay walk.gpx --photos sample"),
    Cause("replay walk.gpx --photos none --outage 0s-9h"),
    Cause("info walk.gpx"), Cause("info empty.gpx"), Cause("cities search xyzzy"),
    Cause("cities nearest 0 -30 --max-distance 1"), Cause("favorites list"),
    Cause("replay walk.gpx", ["FAKETRACK_PHOTOS": "sample"]),
  ]

  @Test(arguments: successes)
  func zeroIsSuccess(cause: Cause) async throws {
    try await check(cause, endsWith: 0)
  }

  private static let unreadable = "Check the name and the permissions of the file."

  static let failures = [
    Cause(
      "replay none.gpx --photos none", error: "none.gpx: cannot be read: No such file or directory",
      hint: unreadable),
    Cause(
      "replay walk.gpx/inner.gpx --photos none",
      error: "walk.gpx/inner.gpx: cannot be read: Not a directory", hint: unreadable),
    Cause(
      "info none.gpx", error: "none.gpx: cannot be read: No such file or directory",
      hint: unreadable),
    Cause(
      "replay walk.gpx --photos none --log /nowhere/log",
      error: "/nowhere/log: No such file or directory", hint: "Name another file with --log."),
    Cause(
      "lists feed.json --log /nowhere/log",
      error: "/nowhere/log: No such file or directory", hint: "Name another file with --log."),
    Cause(
      "replay walk.gpx --photos none --permission-script none",
      error: "none: cannot be read: No such file or directory",
      hint: "Name a file of up to 1 MB with a step on each line, such as 2km denied."),
    Cause(
      "cities show 1", error: "there is no city 1 in the index",
      hint: "Search for its name: faketrack cities search <prefix>"),
    Cause(
      "cities show Guildford", error: "3 cities are named Guildford",
      hint: "Choose one by its id, for example: faketrack cities show 2647793"),
    Cause(
      "favorites add 1", error: "there is no city 1 in the index",
      hint: "Search for its name: faketrack cities search <prefix>"),
    Cause(
      "lists none.json", error: "none.json: the file cannot be read: there is no such file",
      hint: "Check that the file exists and may be read."),
    Cause(
      "serve walk.gpx --tiles none.mbtiles",
      error: "none.mbtiles: cannot be read: No such file or directory", hint: unreadable),
  ]

  @Test(arguments: failures)
  func oneIsWhatCannotBeDone(cause: Cause) async throws {
    try await check(cause, endsWith: 1)
  }

  private static let noAddress = "Set it to an http or https URL, or unset it."

  static let wrongUses = [
    Cause(
      "replay walk.gpx --photos flickr", error: "--photos flickr needs a key",
      hint: "Set FLICKR_API_KEY, or use --photos commons, which needs no key, or --photos sample."),
    Cause(
      "replay walk.gpx --photos flickr", ["FLICKR_API_KEY": " \t"],
      error: "--photos flickr needs a key",
      hint: "Set FLICKR_API_KEY, or use --photos commons, which needs no key, or --photos sample."),
    Cause(
      "replay walk.gpx", ["FAKETRACK_PHOTOS": "picasa"],
      error: "FAKETRACK_PHOTOS is \"picasa\", which is not a photo source",
      hint: "Set it to one of auto, flickr, commons, sample, none, or a folder, or unset it."),
    Cause(
      "replay walk.gpx --photos none", ["FAKETRACK_FLICKR_URL": "ftp://x"],
      error: "FAKETRACK_FLICKR_URL is not the address of a service", hint: noAddress),
    Cause(
      "replay walk.gpx --photos none", ["FAKETRACK_COMMONS_URL": "nope"],
      error: "FAKETRACK_COMMONS_URL is not the address of a service", hint: noAddress),
    Cause(
      "cities show 2852458", ["FAKETRACK_WIKIPEDIA_URL": "nope"],
      error: "FAKETRACK_WIKIPEDIA_URL is not the address of a service", hint: noAddress),
    Cause(
      "replay walk.gpx --photos none --from 20km",
      error: "the start is beyond the end of the track, which is 601 m and 240 s long",
      hint: "Begin nearer to the start with --from."),
    Cause(
      "replay walk.gpx --photos none --from 1h",
      error: "the start is beyond the end of the track, which is 601 m and 240 s long",
      hint: "Begin nearer to the start with --from."),
    Cause(
      "replay walk.gpx --photos none --from 500m --to 150s",
      error: "walk.gpx: --to, at 150.0 s, is before --from, at 199.7 s",
      hint: "Give a --to of 200 s or more."),
    Cause(
      "replay walk.gpx --photos none --from 150s --to 300m --track 1 --interval 7",
      error: "walk.gpx: --to, at 300.0 m, is before --from, at 375.5 m",
      hint: "Give a --to of 376 m or more."),
    Cause(
      "check walk.gpx --enters 52,13,50 --from 500m --to 150s",
      error: "walk.gpx: --to, at 150.0 s, is before --from, at 199.7 s",
      hint: "Give a --to of 200 s or more."),
    Cause(
      "replay walk.gpx --photos sample --download photos",
      error: "--download needs photos that exist, and the sample's are made up",
      hint: "Add --photos commons, which needs no key, or --photos flickr."),
    Cause(
      "replay walk.gpx --photos none --download photos",
      error: "--download needs a source of photos",
      hint: "Add --photos commons, which needs no key, or --photos flickr."),
    Cause(
      "serve --host nowhere.invalid --port 0 --photos none",
      error: "nowhere.invalid is not a numeric address",
      hint: "Give one such as 127.0.0.1 or ::1 with --host."),
  ]

  /// `UsageTests` covers errors of the argument parser.
  @Test(arguments: wrongUses)
  func sixtyFourIsWrongUsage(cause: Cause) async throws {
    try await check(cause, endsWith: 64)
  }

  static let unusable = [
    Cause(
      "replay empty.gpx --photos none",
      error: "empty.gpx: nothing to replay: no tracks, routes or waypoints",
      hint: "Give a file with points."),
    Cause(
      "replay walk.gpx --photos none --source routes",
      error: "walk.gpx: nothing to replay: 1 track with 5 points",
      hint: "Replay its tracks with --source tracks."),
    Cause(
      "replay walk.gpx --photos none --source waypoints",
      error: "walk.gpx: nothing to replay: 1 track with 5 points",
      hint: "Replay its tracks with --source tracks."),
    Cause(
      "replay pointless.gpx --photos none",
      error: "pointless.gpx: nothing to replay: 1 track without points, 3 routes without points",
      hint: "Give a file with points."),
    Cause(
      "replay places.gpx --photos none --source routes",
      error: "places.gpx: nothing to replay: 3 routes without points, 2 waypoints",
      hint: "Replay its waypoints with --source waypoints."),
    Cause(
      "replay places.gpx --photos none --track 1",
      error: "places.gpx: nothing to replay with --track: 3 routes without points, 2 waypoints",
      hint: "Replay its waypoints with --source waypoints, without --track."),
    Cause(
      "replay walk.gpx --photos none --from 10m --to 20s --track 1 --interval off",
      error: "walk.gpx: no point between --from and --to", hint: "Give a longer part."),
    Cause(
      "replay loose.gpx --photos none --source waypoints",
      error: "loose.gpx: nothing to replay: 1 track point, 1 route with 1 point",
      hint: "Replay its tracks with --source tracks."),
    Cause(
      "replay folder --photos none", error: "folder: there is no .gpx or .gpx.gz in this folder",
      hint: "Name a folder with tracks, or the files themselves."),
    Cause(
      "replay bad.gpx --photos none",
      error: "bad.gpx: nothing to replay: 1 track without usable points",
      hint: "Fix the points that the warnings name, or give another file."),
    Cause(
      "lists page.json", error: "page.json: the feed is not JSON",
      hint: "A feed is an array of objects with id, listId and name."),
    Cause(
      "cities import page.json",
      error: "the city data is a web page or XML, which cannot be imported",
      hint: "Give a GeoNames dump (tab-separated text) or a JSON array of cities, plain or gzipped."
    ),
  ]

  /// `BrokenInputTests` covers broken GPX.
  @Test(arguments: unusable)
  func sixtyFiveIsUnusableInput(cause: Cause) async throws {
    try await check(cause, endsWith: 65)
  }

  @Test(
    arguments: [
      (
        ["replay", "walk.gpx", "--photos", "commons"],
        "every photo search failed: Wikimedia Commons cannot be reached: "
          + "the connection was refused (4 attempts)"
      ),
      (
        ["replay", "walk.gpx", "--photos", "flickr"],
        "every photo search failed: Flickr cannot be reached: "
          + "the connection was refused (4 attempts)"
      ),
    ])
  func sixtyNineIsAServiceThatIsNotThere(arguments: [String], error: String) async throws {
    let address = "\(try Port.closed())"
    try home.file("one.gpx", Track.north(1))
    let run = try await home.run(
      ["replay", "one.gpx"] + arguments.dropFirst(2),
      .init(environment: [
        "FAKETRACK_COMMONS_URL": address, "FAKETRACK_FLICKR_URL": address, "FLICKR_API_KEY": "k",
      ]))
    #expect(run.code == 69)
    #expect(run.output.isEmpty)
    #expect(
      run.errorLines.suffix(2) == [
        "error: \(error)",
        "hint: Use --photos none for locations and cities, or --photos sample for made-up photos.",
      ])
  }

  static let denied = [
    Cause(
      "replay walk.gpx --photos none --authorization denied", error: "location permission denied",
      hint: "Allow it with --authorization authorized."),
    Cause(
      "replay walk.gpx --photos none --authorization restricted",
      error: "location permission restricted", hint: "Allow it with --authorization authorized."),
    Cause(
      "replay walk.gpx --photos none --permission-script script",
      error: "location permission denied", hint: "Change the step in script."),
  ]

  @Test(arguments: denied)
  func seventySevenIsPermissionDenied(cause: Cause) async throws {
    try await check(cause, endsWith: 77)
  }
}

/// Ctrl-C, termination, and readers that exit or stop reading.
@Suite struct InterruptionTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  @Test(arguments: [
    "text", "list", "ndjson", "csv", "geojson", "gpx", "nmea", "xcode", "simctl", "adb",
  ])
  func aClosedPipeEndsARunQuietlyWith0(format: String) async throws {
    let run = try await home.run(
      [
        "replay", "faketrack.gpx", "--photos", format == "text" ? "sample" : "none",
        "--distance-filter", "0", "--format", format,
      ], .init(reading: .firstPieceThenClose))
    #expect(run.code == 0)
    #expect(!run.errors.contains("rror"))
    #expect(!run.errors.contains(" locations"))
  }

  @Test(
    arguments: [
      ["cities", "search", "", "--limit", "50000"],
      ["cities", "nearest", "52", "13", "--count", "5000", "--format", "ndjson"],
    ])
  func aClosedPipeEndsAListingQuietlyWith0(arguments: [String]) async throws {
    let run = try await home.run(arguments, .init(reading: .firstPieceThenClose))
    #expect(run.code == 0)
    #expect(!run.errors.contains("rror"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aSignalEndsARunWithItsSummary(signal: Int32, code: Int32) async throws {
    let process = try home.start(
      [
        "replay", "faketrack.gpx", "--photos", "sample", "--format", "geojson", "--speed", "0.1",
      ])
    try await process.output.waitFor("Feature\"")
    process.signal(signal)
    let run = await process.result()
    #expect(run.code == code)
    #expect(run.errorLines.last == "1 location, 0 m, 1 photo")
    #expect((try run.object["features"] as? [Any])?.count == 1)
  }

  /// `timeout` sends its signal to the process, and then to its group.
  @Test func twoSignalsAtOnceLoseNothing() async throws {
    for attempt in 1...5 {
      let process = try home.start([
        "replay", "faketrack.gpx", "--photos", "none", "--distance-filter", "0", "--loop", "100000",
        "-o", "walk\(attempt).gpx",
      ])
      try await process.errors.waitFor("walking: ")
      process.signal(SIGTERM)
      process.signal(SIGTERM)
      let run = await process.result()
      #expect(run.code == 143)
      // Before the first location there is nothing to keep.
      if run.errors.contains("\n0 locations") { continue }
      let written = try String(contentsOfFile: home.path("walk\(attempt).gpx"), encoding: .utf8)
      #expect(written.hasSuffix("</gpx>\n"))
    }
  }

  @Test(arguments: ["ndjson", "csv", "geojson", "gpx"])
  func aSignalAmidManyLocationsTellsHowManyWereWritten(format: String) async throws {
    let process = try home.start(
      [
        "replay", "faketrack.gpx", "--photos", "none", "--distance-filter", "0", "--loop", "100000",
        "--format", format,
      ])
    try await process.output.waitFor("52.4", count: 2_000)
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    let written =
      switch format {
      case "geojson": (try run.object["features"] as? [Any])?.count ?? 0
      case "gpx": try GPXDocument(data: Data(run.output.utf8), isStrict: true).fixes.count
      case "csv": run.lines.count - 1
      default: run.lines.count
      }
    #expect(written > 1_000)
    let told = run.errorLines.last?.prefix { $0 != " " }.filter(\.isNumber)
    #expect(told.flatMap { Int($0) } == written)
    #expect(run.output.hasSuffix("\n"))
  }

  @Test(arguments: ["ndjson", "geojson"])
  func aSignalEndsARunThatNobodyReads(format: String) async throws {
    let process = try home.start(
      [
        "replay", "faketrack.gpx", "--photos", "sample", "--format", format,
        "--distance-filter", "0",
      ], .init(reading: .nothing))
    try await process.errors.waitFor("walking: ")
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    #expect(run.errorLines.last?.contains(" location") == true)
  }

  @Test func aSignalEndsASearchThatHangs() async throws {
    let (asked, never) = (Events(), Latch())
    try await StubServer.run({ _ in
      await asked.happened()
      await never.hold()
      return .hangUp
    }) { server in
      let process = try home.start(
        ["replay", "faketrack.gpx", "--photos", "commons"],
        .init(environment: ["FAKETRACK_COMMONS_URL": "\(server.url)"]))
      await asked.waitFor(1, orEndOf: process)
      process.signal(SIGINT)
      let run = await process.result()
      await never.open()
      #expect(run.code == 130)
      #expect(run.errorLines.last?.hasPrefix("0 locations, 0 m, 0 photos") == true)
    }
  }

  @Test func aSignalEndsADownloadOfCities() async throws {
    let (asked, never) = (Events(), Latch())
    try await StubServer.run({ _ in
      await asked.happened()
      await never.hold()
      return .hangUp
    }) { server in
      let process = try home.start(
        ["cities", "import", "\(server.url)cities.json"])
      await asked.waitFor(1, orEndOf: process)
      process.signal(SIGINT)
      let run = await process.result()
      await never.open()
      #expect(run.code == 130)
      #expect(home.names(in: "home").isEmpty)
    }
  }

  /// The list is loaded and its output is not read: the signal has its default action again.
  @Test func afterTheWorkASignalEndsTheProcessAtOnce() async throws {
    let items = (0..<20_000).map { #"{"id":\#($0),"listId":1,"name":"Item \#($0)"}"# }
    try home.file("long.json", "[\(items.joined(separator: ","))]")
    let process = try home.start(
      ["lists", "long.json"], .init(reading: .firstPieceThenPause))
    try await process.output.waitFor("List 1")
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    #expect(!run.timedOut)
  }

  @Test(arguments: [
    ["info", "-"], ["cities", "nearest", "-"], ["replay", "-", "--photos", "none"],
  ])
  func aSignalEndsAWaitForInput(arguments: [String]) async throws {
    let process = try home.start(arguments, .init(input: .later))
    if arguments[0] == "replay" {
      try await process.errors.waitFor("photos: none")
    } else if arguments[0] == "cities" {
      // Once a line has been answered, the process waits for the next.
      try process.type("52.4 13.06\n")
      try await process.output.waitFor("Potsdam")
    }
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    #expect(!run.timedOut)
    try process.endInput()
  }
}
