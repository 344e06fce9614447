import FaketrackTestSupport
import Foundation
import Testing

/// `--photos <folder>` of the executable.
@Suite struct OwnPhotosTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("north.gpx", Track.north(60))
    for (name, time) in [
      ("b.jpg", "2026:05:01 10:10:00"), ("a.jpg", "2026:05:01 10:10:10"),
      ("late.jpg", "2026:05:01 12:10:00"),
    ] {
      try home.file("my photos/\(name)", Data(PictureFixture(original: time).jpeg))
    }
  }

  @Test func textPrintsThePathsInTheOrderOfTime() async throws {
    let run = try await home.run("replay", "north.gpx", "--photos", "my photos")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.lines == ["my photos/b.jpg", "my photos/a.jpg"])
    #expect(run.errors.contains("photos: 2 of 3 placed (trackZone 2)"))
    #expect(run.errors.contains("no place: my photos/late.jpg: taken 1 h 11 min after the track"))
  }

  @Test func ndjsonHasARecordForEach() async throws {
    let run = try await home.run(
      "replay", "north.gpx", "--format", "ndjson", "--no-cities",
      environment: ["FAKETRACK_PHOTOS": "./my photos"])
    let photos = try run.objects.compactMap { $0["photo"] as? [String: Any] }
    #expect(photos.map { $0["id"] as? String } == ["b.jpg", "a.jpg"])
    #expect(photos.allSatisfy { $0["placedBy"] as? String == "trackZone" })
    #expect((photos[0]["url"] as? String)?.hasSuffix("/my%20photos/b.jpg") == true)
    #expect(try run.records.map(\.index) == Array(run.lines.indices))
  }

  @Test(arguments: ["ndjson", "csv", "geojson", "gpx", "md", "list", "text", "html"])
  func withAPrivateAreaPathsBeginInTheFolder(format: String) async throws {
    try home.file(
      "my photos/x/ä b.jpg", Data(PictureFixture(original: "2026:05:01 10:20:00").jpeg))
    let run = try await home.run(
      "replay", "north.gpx", "--photos", "my photos", "--format", format, "--no-cities",
      "--privacy", "10,10,1km")
    #expect(run.code == 0, "\(run.errors)")
    for secret in ["file:///", home.url.path, "my photos", "my%20photos"] {
      #expect(!run.output.contains(secret))
    }
    // A page holds the pictures.
    if format != "html" {
      #expect(run.output.contains(format == "text" ? "\nx/ä b.jpg\n" : "x/%C3%A4%20b.jpg"))
    }
  }

  @Test func aReportHasTheFiguresAndThePhotos() async throws {
    let run = try await home.run(
      "replay", "north.gpx", "--photos", "my photos", "--format", "md", "--no-cities")
    #expect(run.code == 0)
    let folder = home.url.appending(path: "my photos").absoluteString
    #expect(
      run.output == """
        # Walk

        - Distance: 8.8 km
        - Time: 2026-05-01 08:00 to 08:58 UTC
        - Duration: 59 min
        - Locations: 89
        - Photos: 2

        ## Photos

        ![b.jpg](<\(folder)/b.jpg>)

        1.5 km, 08:09 UTC: b.jpg

        ![a.jpg](<\(folder)/a.jpg>)

        1.5 km, 08:09 UTC: a.jpg

        """)
  }

  @Test func aPageHasTheWalkAndItsPhotosInside() async throws {
    try home.file("my photos/c.png", Data(PictureFixture(original: "2026:05:01 10:20:00").png))
    let arguments = ["replay", "north.gpx", "--photos", "my photos", "--format", "html"]
    let run = try await home.run(arguments)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("=\"data:image/png;base64,"))
    #expect(!run.output.contains(home.url.path))
    #expect(try await home.run(arguments).outputData == run.outputData)
    let folder = try await home.run(arguments + ["-o", "out"])
    #expect(folder.output == "out/index.html\n")
    #expect(home.names(in: "out").sorted() == ["index.html", "photos"])
    let large = Data(PictureFixture(original: "2026:05:01 10:21:00").png)
    try home.file("my photos/d.png", large.dropLast(12) + Self.pixels(2_000_000) + large.suffix(12))
    let tiny = try await home.run(arguments + ["--size-limit", "1"])
    #expect(tiny.code == 1 && tiny.output.isEmpty, "\(tiny.errors)")
    #expect(tiny.errors.contains("and may take 1.0 MB"))
  }

  /// A part of a PNG with so many bytes of pixels.
  private static func pixels(_ count: Int) -> Data {
    let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    return Data(length) + Data("IDAT".utf8) + Data(count: count + 4)
  }

  @Test func aPageHasHEICPhotosInsideWhereAProgramDecodesThem() async throws {
    let fixture = PictureFixture(original: "2026:05:01 10:20:00")
    try home.file("my photos/c.heic", Data(fixture.heic))
    let stub = try HEICStub(
      in: home, name: "heif-dec", picture: fixture.jpeg(width: 60, height: 40))
    let arguments = ["replay", "north.gpx", "--photos", "my photos", "--format", "html"]
    let path = "\(home.path("bin")):/usr/bin:/bin"
    let run = try await home.run(arguments, .init(environment: ["PATH": path]))
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("src=\"data:image/jpeg;base64,"))
    #expect(stub.arguments.last?.hasSuffix("/picture.jpg") == true)
    let without = try await home.run(
      arguments, .init(environment: ["PATH": home.path("none")]))
    #expect(!without.output.contains("src=\"data:image/jpeg;base64,"))
  }

  @Test func aPageLeavesOutAPrivateArea() async throws {
    let run = try await home.run(
      "replay", "north.gpx", "--photos", "my photos", "--format", "html",
      "--privacy", "52.0135,13,300m")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("no place: my photos/b.jpg: taken in an area of --privacy"))
    let data = try #require(run.output.firstMatch(of: #/id="line">(.*?)</#)?.1)
    let parts = try #require(
      try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [[Double]])
    #expect(parts.count == 2)
    // From 0 in the north, at 52.07965, to 1,000 in the south, at 52.
    let heights = parts.flatMap { part in part.indices.filter { $0 % 3 == 1 }.map { part[$0] } }
    #expect(heights.contains { $0 < 796 } && heights.contains { $0 > 865 })
    #expect(!heights.contains { (798...863).contains($0) })
    #expect(!run.output.contains("b.jpg"))
    let all = try await home.run(
      "replay", "north.gpx", "--photos", "none", "--format", "html", "--privacy", "52,13,100km")
    #expect(all.code == 65 && all.errors.contains("every point is in an area of --privacy"))
    #expect(all.output.isEmpty)
  }

  @Test(
    arguments: [
      (["north.gpx", "north.gpx", "--format", "html"], "one track"),
      (["north.gpx", "--format", "html", "--reverse"], "leave out --reverse"),
      (["north.gpx", "--format", "html", "--loop", "2"], "leave out --reverse"),
      (["gpsd://", "--format", "html"], "of a file"),
      (["north.gpx", "--format", "html", "-o", "out", "--size-limit", "9"], "no limit"),
      (["north.gpx", "--privacy", "52,13,0m"], "more than 0 m"),
      (["north.gpx", "--size-limit", "9"], "needs --format html"),
      (["north.gpx", "--privacy", "52,13"], "--privacy"),
    ])
  func aPageIsOfOneTrack(_ arguments: [String], error: String) async throws {
    let run = try await home.run(["replay", "--photos", "none"] + arguments)
    #expect(run.code == 64 && run.errors.contains(error), "\(run.errors)")
  }

  @Test func aBatchNamesThePicturesWithoutAnyTrack() async throws {
    try home.file("other.gpx", Track.potsdam(3))
    let run = try await home.run("replay", "north.gpx", "other.gpx", "--photos", "my photos")
    #expect(run.lines == ["my photos/b.jpg", "my photos/a.jpg"])
    #expect(run.errors.components(separatedBy: "no place:").count == 2, "\(run.errors)")
  }

  @Test func infoCountsAndSuggests() async throws {
    let run = try await home.run("info", "north.gpx", "--photos", "my photos")
    #expect(run.output.contains("photos    2 of 3 placed (trackZone 2)"))
    try FileManager.default.removeItem(atPath: home.path("my photos/b.jpg"))
    try FileManager.default.removeItem(atPath: home.path("my photos/a.jpg"))
    let late = try await home.run(
      "info", "north.gpx", "--photos", "my photos", "--format", "ndjson")
    let photos = try late.object["photos"] as? [String: Any]
    #expect(photos?["suggestedCameraOffset"] as? Int == -7_200)
  }

  @Test func aTrackFromAPipeIsReadOnceForItsPhotos() async throws {
    let track = home.text(of: "north.gpx")
    let piped = try await home.run(
      "replay", "-", "--photos", "my photos", input: .init(stringLiteral: track))
    let file = try await home.run("replay", "north.gpx", "--photos", "my photos")
    #expect(piped.code == 0 && !piped.output.isEmpty && piped.output == file.output)
  }

  @Test func downloadsAreRefused() async throws {
    let download = try await home.run(
      "replay", "north.gpx", "--photos", "my photos", "--download", "out")
    #expect(download.code == 64 && download.errors.contains("files already"))
    let missing = try await home.run("replay", "north.gpx", "--photos", "./none")
    #expect(missing.code == 1 && missing.errors.contains("no such folder"))
  }
}
