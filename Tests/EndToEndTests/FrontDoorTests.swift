import FaketrackTestSupport
import Foundation
import Testing

/// The ways in which people ask for parts, distances, files and tables.
@Suite struct FrontDoorTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func distances(_ arguments: String...) async throws -> [Double] {
    let run = try await home.run(
      ["replay", "faketrack.gpx", "--photos", "none", "--no-cities", "-f", "ndjson"] + arguments)
    #expect(run.code == 0, "\(run.errors)")
    return try run.objects.map { try #require($0["distance"] as? Double) }
  }

  @Test func everyCountsAlongTheWay() async throws {
    #expect(try await distances("--every", "2km") == [0, 2_000, 4_000, 6_000, 8_000])
    #expect(
      try await distances("--every", "1mi", "--from", "3km", "--to", "5km") == [
        3_218.688, 4_828.032,
      ])
  }

  @Test func aLapOfAStadiumHasALocationAtEachMultiple() async throws {
    // An oval of 89 m across, walked for 3.3 km.
    let points = (0...1_200).map { step -> String in
      let angle = Double(step) / 1_200 * 12 * 2 * Double.pi
      return "<trkpt lat=\"\(52 + 0.0004 * sin(angle))\" lon=\"\(13 + 0.00065 * cos(angle))\"/>"
    }
    try home.file(
      "oval.gpx",
      "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
        + points.joined() + "</trkseg></trk></gpx>")
    let arguments = ["replay", "oval.gpx", "--photos", "none", "-f", "ndjson"]
    #expect(try await home.run(arguments).objects.count == 1)
    let run = try await home.run(arguments + ["--every", "500m"])
    #expect(
      try run.objects.compactMap { $0["distance"] as? Double } == [
        0, 500, 1_000, 1_500, 2_000, 2_500, 3_000,
      ])
  }

  @Test func aMinusCountsFromTheEnd() async throws {
    let all = try await distances("--every", "1km")
    let length = 9_390.788
    #expect(
      try await distances("--every", "1km", "--from", "-2km") == all.filter { $0 >= length - 2_000 }
    )
    #expect(
      try await distances("--every", "1km", "--to", "-7km") == all.filter { $0 <= length - 7_000 })
    let bytes = try Data(contentsOf: Repository.root.appendingPathComponent("faketrack.gpx"))
    let piped = try await home.run(
      ["replay", "-", "--photos", "none", "--every", "1km", "--from", "-2km", "-f", "ndjson"],
      .init(input: .data(bytes)))
    #expect(try piped.objects.count == 2)
  }

  @Test func aDateIsTheFirstTimeAtOrAfterIt() async throws {
    let run = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "--interval", "60", "-f", "ndjson",
      "--from", "2026-05-01T08:59:59.5Z", "--to", "2026-05-01 11:02+02:00")
    #expect(
      try run.objects.compactMap { $0["time"] as? String } == [
        "2026-05-01T09:00:00Z", "2026-05-01T09:01:00Z", "2026-05-01T09:02:00Z",
      ])
    let late = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "--from", "2027-01-01T00:00Z")
    #expect(late.code == 64)
    #expect(
      late.errorLines.suffix(2) == [
        "error: --from: the times of the track end at 2026-05-01T10:00:00Z",
        "hint: Give an earlier date, a distance such as 500m, or a track time such as 10min.",
      ])
  }

  @Test func inABatchATrackBeforeTheDateFailsAlone() async throws {
    let sample = Repository.root.appendingPathComponent("faketrack.gpx").path
    try home.file("early.gpx", Track.north(3))
    let run = try await home.run(
      "replay", "early.gpx", sample, "--photos", "none", "--every", "1km", "-f", "ndjson",
      "--from", "2026-05-01T09:50Z")
    #expect(run.code == 65)
    #expect(run.errors.contains("early.gpx: --from: the times of the track end at "))
    #expect(try run.objects.first?["error"] as? String != nil)
    #expect(try run.objects.last?["end"] as? Bool == true)
    let late = try await home.run(
      "replay", sample, "--photos", "none", "--to", "2027-01-01T00:00Z", "--every", "5km", "-f",
      "csv")
    #expect(late.lines.count == 3)
  }

  @Test func everyGoesOnOverLaps() async throws {
    let lap = 9_390.788
    let found = try await distances("--every", "6km", "--loop", "2")
    #expect(found.map { ($0 * 10).rounded() / 10 } == [0, 6_000, 9_390.8, 15_390.8])
    #expect(abs(found[2] - lap) < 0.001)
  }

  @Test func helpForAMistakeIsAnError() async throws {
    for words in [
      ["repaly", "--help"], ["cities", "serach", "-h"], ["replay", "-format", "csv"],
    ] {
      let run = try await home.run(words)
      #expect(run.code == 64 && run.output.isEmpty && run.errorLines.count == 2, "\(words)")
    }
    let literal = try await home.run("cities", "search", "--", "-V")
    #expect(literal.code == 0 && literal.output.isEmpty)
  }

  @Test func ownPhotosOfThePartAreOnItsPage() async throws {
    for (name, time) in [("before", "2026:05:01 10:02:00"), ("within", "2026:05:01 10:18:00")] {
      try home.file("pictures/\(name).jpg", Data(PictureFixture(original: time).jpeg))
    }
    let run = try await home.run(
      "page", "faketrack.gpx", "--photos", "pictures/", "--from", "1km", "--to", "2km", "-o",
      "part.html")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errorLines.contains("photos: 1 picture outside of the part"))
    #expect(run.errorLines.last?.hasSuffix(", 1 photo") == true)
  }

  @Test func anIntervalNeedsNoDistanceFilter() async throws {
    #expect(try await distances("--interval", "60", "--to", "3min").count == 4)
    #expect(
      try await distances("--interval", "60s", "--to", "3min", "--distance-filter", "100").count < 4
    )
  }

  @Test func textWithoutPhotosSaysOnceThatNothingIsPrinted() async throws {
    let run = try await home.run("replay", "faketrack.gpx", "--photos", "none")
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count { $0.contains("--format list") } == 1)
  }

  @Test func tablesAreForSpreadsheets() async throws {
    let info = try await home.run("info", "faketrack.gpx", "-f", "csv")
    #expect(info.lines.count == 2)
    #expect(info.lines[0].hasPrefix("file,tracks,") && info.lines[0].contains(",moving_time,"))
    #expect(info.lines[1].hasSuffix(",2026-05-01T08:00:00Z,2026-05-01T10:00:00Z,Potsdam"))
    let cities = try await home.run("cities", "search", "pots", "-n", "2", "-f", "csv")
    #expect(cities.lines.count == 3 && cities.lines[1].hasPrefix("2852458,Potsdam,DE,Brandenburg,"))
    try home.file("items.json", #"[{"id":1,"listId":2,"name":"a, b"}]"#)
    let lists = try await home.run("lists", "items.json", "-f", "csv")
    #expect(lists.lines == ["list_id,id,name", "2,1,\"a, b\""])
  }

  @Test func milesAndFeetAreForPeople() async throws {
    let run = try await home.run(
      [
        "replay", "faketrack.gpx", "--photos", "none", "--every", "1mi", "--to", "2mi", "-f",
        "list",
      ],
      .init(environment: ["LC_MEASUREMENT": "en_US.UTF-8"]))
    #expect(run.lines.map { $0.prefix(9) } == ["  0.0 mi ", "  1.0 mi ", "  2.0 mi "])
    let records = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "--every", "1mi", "--to", "2mi", "-f",
      "ndjson",
      "--units", "imperial")
    #expect(try records.objects.last?["distance"] as? Double == 3_218.688)
  }

  @Test func aSectionGivesWayToItsCityWherePeopleRead() async throws {
    try home.file(
      "paris.gpx",
      """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="48.892" lon="2.345"/></gpx>
      """)
    let arguments = ["replay", "paris.gpx", "--photos", "none", "-f"]
    #expect(try await home.run(arguments + ["list"]).output.contains("  Paris  "))
    let city = try await home.run(arguments + ["ndjson"]).objects[0]["city"] as? [String: Any]
    #expect(city?["name"] as? String == "Paris 18 Buttes-Montmartre")
  }

  @Test func aPageAndAnExportAreCommands() async throws {
    let page = try await home.run(
      "page", "faketrack.gpx", "--photos", "sample", "-o", "walk.html")
    #expect(page.code == 0, "\(page.errors)")
    #expect(home.text(of: "walk.html").lowercased().hasPrefix("<!doctype html>"))
    let old = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "-f", "simctl", "--from", "1km", "--to", "2km")
    let new = try await home.run(
      "export", "faketrack.gpx", "--to", "simctl", "--from", "1km", "--to", "2km")
    #expect(new.code == 0 && new.output == old.output && !new.output.isEmpty)
  }

  @Test func aPageShowsAPart() async throws {
    let run = try await home.run(
      "page", "faketrack.gpx", "--photos", "sample", "--from", "1km", "--to", "2km", "-o",
      "part.html")
    #expect(run.code == 0, "\(run.errors)")
    let page = home.text(of: "part.html")
    #expect(page.contains("<dt>Distance</dt><dd>998 m</dd>"))
    #expect(page.contains("<title>Sanssouci, Neuer Garten, Havel"))
  }

  @Test func aTrackOnTheWebIsDownloaded() async throws {
    let track = Track.north(3)
    try await StubServer.run({ request in
      request.path == "/walk.gpx"
        ? .answer(body: Data(track.utf8)) : .answer(status: 404)
    }) { server in
      let run = try await home.run(
        "replay", "\(server.url)walk.gpx", "--photos", "none", "-f", "ndjson")
      #expect(run.code == 0 && !run.output.isEmpty, "\(run.errors)")
      let missing = try await home.run("replay", "\(server.url)none.gpx", "--photos", "none")
      #expect(missing.code == 69)
      #expect(missing.errors.contains("none.gpx: "))
    }
  }
}
