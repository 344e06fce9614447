import FaketrackTestSupport
import Foundation
import Testing

@Suite struct InfoTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  @Test func tellsTheFactsOfTheWalk() async throws {
    let run = try await home.run("info", "faketrack.gpx")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        faketrack.gpx
          tracks    1, 1 segment
          routes    0
          waypoints 0
          points    7,201
          length    9.4 km
          duration  2 h 00 min, 1 h 57 min of it moving
          ascent    41 m
          descent   38 m
          bounds    52.39971, 13.01580 to 52.42233, 13.09010
          time      2026-05-01 10:00 to 12:00 CEST
          cities    Potsdam

        """)
  }

  @Test func ndjsonHasEveryKey() async throws {
    let run = try await home.run("info", "faketrack.gpx", "--format", "ndjson")
    #expect(run.lines.count == 1)
    let facts = try run.object
    #expect(
      Set(facts.keys) == [
        "file", "tracks", "routes", "waypoints", "segments", "points", "skipped", "length",
        "duration", "movingTime", "ascent", "descent", "bounds", "start", "end", "cities",
      ])
    #expect(facts["file"] as? String == "faketrack.gpx")
    #expect(facts["points"] as? Int == 7_201)
    #expect(facts["duration"] as? Double == 7_200)
    #expect((9_200...9_600).contains(facts["length"] as? Double ?? 0))
    #expect(facts["start"] as? String == "2026-05-01T08:00:00Z")
    #expect(facts["end"] as? String == "2026-05-01T10:00:00Z")
    #expect(facts["cities"] as? [String] == ["Potsdam"])
  }

  @Test func aTrackWithoutTimesHasNoDuration() async throws {
    let file = try home.file("untimed.gpx", Track.potsdam(2))
    let run = try await home.run("info", file, "--format", "ndjson")
    #expect(
      run.output == """
        {"file":"untimed.gpx","tracks":1,"routes":0,"waypoints":0,"segments":1,"points":2,\
        "skipped":0,"length":101.0,"duration":null,"movingTime":null,"ascent":null,"descent":null,\
        "bounds":{"minLatitude":52.4009,"minLongitude":13.0591,"maxLatitude":52.40135382377154,\
        "maxLongitude":13.060385128311177},"start":null,"end":null,"cities":["Potsdam"]}

        """)
    let text = try await home.run("info", file)
    #expect(!text.lines.contains { $0.hasPrefix("  duration") || $0.hasPrefix("  time") })
  }

  @Test(
    arguments: [
      "<gpx version=\"1.1\"/>", "<gpx></gpx>", "<gpx><trk><trkseg/></trk></gpx>",
    ])
  func aFileWithoutPointsIsFine(text: String) async throws {
    let run = try await home.run("info", "-", "--format", "ndjson", input: .text(text))
    #expect(run.code == 0)
    let facts = try run.object
    #expect(facts["file"] as? String == "-")
    #expect(facts["points"] as? Int == 0)
    #expect(facts["length"] as? Double == 0)
    #expect(facts["bounds"] is NSNull)
    #expect(facts["cities"] as? [String] == [])
  }

  @Test func countsEachKind() async throws {
    let run = try await home.run(
      "info", "-", "--format", "ndjson", "--no-cities", input: .text(Track.ofEachKind))
    let facts = try run.object
    #expect(facts["tracks"] as? Int == 1)
    #expect(facts["routes"] as? Int == 1)
    #expect(facts["waypoints"] as? Int == 1)
    #expect(facts["points"] as? Int == 2)
    #expect(facts["cities"] is NSNull)
  }

  @Test func aFileWithRoutesOnlyIsMeasuredByThem() async throws {
    let route = """
      <gpx version="1.1"><rte><rtept lat="52.4009" lon="13.0591"/>
      <rtept lat="52.4109" lon="13.0591"/></rte><trk><trkseg/></trk></gpx>
      """
    let run = try await home.run("info", "-", "--format", "ndjson", input: .text(route))
    let facts = try run.object
    #expect(facts["points"] as? Int == 0)
    #expect((1_112...1_113).contains(facts["length"] as? Double ?? 0))
    #expect(facts["cities"] as? [String] == ["Potsdam"])
    let walked = route.replacingOccurrences(
      of: "<trkseg/>", with: "<trkseg><trkpt lat=\"48.2\" lon=\"16.37\"/></trkseg>")
    let other = try await home.run("info", "-", "--format", "ndjson", input: .text(walked)).object
    #expect(other["length"] as? Double == 0)
    #expect((other["cities"] as? [String])?.contains("Potsdam") == false)
  }

  @Test func withoutCitiesTheLineIsLeftOut() async throws {
    let run = try await home.run("info", "faketrack.gpx", "--no-cities")
    #expect(run.code == 0)
    #expect(run.lines.last == "  time      2026-05-01 08:00 to 10:00 UTC")
  }

  @Test func timesAreThoseOfTheCitiesAtTheEndsUnlessUTCIsAskedFor() async throws {
    let points = [(52.4, 13.06, 8), (48.0, -5.1, 10), (51.5, -0.12, 22)].map { place in
      let hour = place.2 < 10 ? "0\(place.2)" : "\(place.2)"
      return "<trkpt lat=\"\(place.0)\" lon=\"\(place.1)\">"
        + "<time>2026-05-01T\(hour):30:00Z</time></trkpt>\n"
    }
    try home.file("flight.gpx", Track.opening + points.joined() + Track.closing)
    func time(_ options: String...) async throws -> String? {
      try await home.run(["info", "flight.gpx"] + options).lines.first { $0.contains("  time ") }
    }
    #expect(try await time() == "  time      2026-05-01 10:30 CEST to 23:30 BST")
    #expect(try await time("--utc") == "  time      2026-05-01 08:30 to 22:30 UTC")
    #expect(try await time("--no-cities") == "  time      2026-05-01 08:30 to 22:30 UTC")
    let records = try await home.run("info", "flight.gpx", "--utc", "--format", "ndjson")
    #expect(
      records.output.contains(#""start":"2026-05-01T08:30:00Z","end":"2026-05-01T22:30:00Z""#))
  }

  @Test func everyFileHasItsObject() async throws {
    let files = try [2, 3].map { try home.file("\($0).gpx", Track.north($0)) }
    let run = try await home.run(["info", "--format", "ndjson"] + files)
    #expect(try run.objects.map { $0["points"] as? Int } == [2, 3])
    #expect(try run.objects.map { $0["file"] as? String } == files)
  }

  @Test func gzipIsReadAsPlain() async throws {
    let packed = try home.file("walk.gpx.gz", Data(Track.north(3).utf8).gzipped)
    let run = try await home.run("info", packed, "--format", "ndjson")
    #expect(try run.object["points"] as? Int == 3)
  }

  @Test func badPointsAreReportedAndCounted() async throws {
    let bad = "<trkpt lat=\"91\" lon=\"7\"/>\n"
    let text =
      Track.opening + Track.point(0) + String(repeating: bad, count: 13) + Track.point(1)
      + Track.closing
    let run = try await home.run("info", try home.file("bad.gpx", text), "--format", "ndjson")
    #expect(run.code == 0)
    #expect(try run.object["points"] as? Int == 2)
    #expect(try run.object["skipped"] as? Int == 13)
    #expect(run.warnings.count == 11)
    #expect(run.warnings.first?.hasPrefix("warning: bad.gpx:5:") == true)
    #expect(run.warnings.last?.hasSuffix(": 3 more") == true)
  }

  @Test(
    arguments: [
      ("page.gpx", "<html></html>", "error: page.gpx"),
      ("empty.gpx", "", "error: empty.gpx: this is an empty file, not GPX"),
      ("start.gpx", "<gpx version=\"1.1\">", "error: start.gpx:1:20: the file ends in the middle"),
    ])
  func aFileOfWhichNothingCanBeReadEndsWith65(
    name: String, text: String, error: String
  ) async throws {
    let run = try await home.run("info", try home.file(name, text))
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.first?.hasPrefix(error) == true)
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
  }

  private static let cut = Track.opening + (0..<3).map(Track.point).joined()

  @Test func aTruncatedFileHasTheFactsOfWhatWasRead() async throws {
    let whole = try home.file("whole.gpx", Self.cut + Track.closing)
    let cut = try home.file("cut.gpx", Self.cut)
    let packed = try home.file("cut.gpx.gz", Data(Self.cut.utf8).gzipped)
    for format in ["text", "ndjson"] {
      let expected = try await home.run("info", whole, "--format", format)
      #expect(expected.code == 0)
      for (file, place) in [(cut, "cut.gpx:7:1"), (packed, "cut.gpx.gz:7:1")] {
        let run = try await home.run("info", file, "--format", format)
        #expect(run.code == 65)
        #expect(run.output == expected.output.replacingOccurrences(of: whole, with: file))
        #expect(
          run.errors == """
            error: \(place): the file ends in the middle
            hint: Copy or download the file again; what comes before the break has been read.

            """)
      }
    }
  }

  @Test func theFilesBehindABrokenOneAreReadToo() async throws {
    let files = [
      try home.file("cut.gpx", Self.cut), try home.file("walk.gpx", Track.north(2)),
      try home.file("page.gpx", "<html/>"), "none.gpx", try home.file("last.gpx", Track.north(4)),
    ]
    let run = try await home.run(["info", "--format", "ndjson"] + files)
    #expect(run.code == 65)
    #expect(try run.objects.map { $0["track"] as? String } == files)
    #expect(
      try run.objects.map { $0["file"] as? String } == [files[0], files[1], nil, nil, files[4]])
    #expect(try run.objects.map { $0["points"] as? Int } == [3, 2, nil, nil, 4])
    #expect(
      try run.objects.map { $0["error"] as? String } == [
        "cut.gpx:7:1: the file ends in the middle", nil,
        "page.gpx: this is a web page (HTML), not GPX",
        "none.gpx: cannot be read: No such file or directory", nil,
      ])
    #expect(
      run.errorLines.filter { $0.hasPrefix("error: ") } == [
        "error: cut.gpx:7:1: the file ends in the middle",
        "error: page.gpx: this is a web page (HTML), not GPX",
        "error: none.gpx: cannot be read: No such file or directory",
      ])
  }

  @Test func theFilesAroundAMissingOneAreReadToo() async throws {
    let file = try home.file("walk.gpx", Track.north(2))
    let run = try await home.run("info", file, "none.gpx", file, "--format", "ndjson")
    #expect(run.code == 65)
    #expect(
      try run.objects.map { $0["points"] as? Int } == [2, nil, 2])
    #expect(
      run.errors == """
        error: none.gpx: cannot be read: No such file or directory
        hint: Check the name and the permissions of the file.

        """)
  }

  @Test func pointsOffTheTrackAreTold() async throws {
    var points = (0..<60).map(Track.point)
    points[20] = points[20].replacing(#/lat="[^"]*" lon="13"/#, with: #"lat="0" lon="0""#)
    try home.file("walk.gpx", Track.opening + points.joined() + Track.closing)
    let info = try await home.run("info", "walk.gpx", "--no-cities", "--format", "ndjson")
    #expect(
      info.errors.wholeMatch(
        of:
          #/note: 1 position off the track in line 24: 1\d{4}\.\d km with it, 8\.9 km without; replay --skip-outliers leaves it out\n/#
      ) != nil, "\(info.errors)")
    let all = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "-f", "ndjson", "--no-cities")
    #expect(
      all.errors.contains(
        "note: 1 position off the track in line 24: replay --skip-outliers leaves it out"))
    #expect(try all.records.contains { $0.latitude == 0 })
    let rest = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "-f", "ndjson", "--no-cities", "--skip-outliers")
    #expect(rest.errors.contains("note: 1 position off the track in line 24: left out"))
    #expect(try rest.records.allSatisfy { $0.latitude > 51 })
    #expect(try abs((rest.records.last?.distance ?? 0) - 8_870) < 150)
  }

  @Test func elevationsFarFromTheOthersAreNoAscent() async throws {
    let points = (0..<30).map { number in
      Track.point(number).replacing("<time>", with: "<ele>\(number < 3 ? 0 : 500)</ele><time>")
    }
    try home.file("walk.gpx", Track.opening + points.joined() + Track.closing)
    let info = try await home.run("info", "walk.gpx", "--no-cities", "--format", "ndjson")
    #expect(
      info.errors
        == "note: 3 elevations far from the others, the first in line 4: not counted as ascent\n")
    #expect(try info.objects.first?["ascent"] as? Double == 0)
  }

  @Test func tracksAreWalkedInTheOrderOfTheirTimes() async throws {
    let (first, last) = ((0..<20).map(Track.point).joined(), (20..<40).map(Track.point).joined())
    let text =
      Track.opening + last + "</trkseg></trk><trk><trkseg>" + first + Track.closing
    try home.file("walk.gpx", text)
    let asRecorded = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "-f", "ndjson", "--no-cities")
    #expect(asRecorded.errors.contains("--sort-by-time walks in the order of the times"))
    let sorted = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "-f", "ndjson", "--no-cities", "--sort-by-time")
    #expect(!sorted.errors.contains("back in time"))
    let times = try sorted.records.compactMap(\.time)
    #expect(times.first == "2026-05-01T08:00:00Z" && times.count > 40)
    #expect(times == times.sorted())
    let check = try await home.run(
      "check", "walk.gpx", "--sort-by-time", "--enters", "52.053,13,50m", "--within", "41min")
    #expect(check.code == 0, "\(check.output)")
  }

  @Test func waypointsHaveTheLengthThatReplayWalks() async throws {
    try home.file(
      "places.gpx",
      "<gpx version=\"1.1\" creator=\"t\">"
        + (0..<5).map { "<wpt lat=\"\(52 + Double($0) / 100)\" lon=\"13\"/>" }.joined() + "</gpx>")
    let info = try await home.run("info", "places.gpx", "--no-cities", "--format", "ndjson")
    let walk = try await home.run(
      "replay", "places.gpx", "--photos", "none", "-f", "ndjson", "--no-cities")
    let length = try #require(info.objects.first?["length"] as? Double)
    #expect(try abs(length - (walk.records.last?.distance ?? 0)) < 0.01)
  }
}
