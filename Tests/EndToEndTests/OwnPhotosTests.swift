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

  @Test func pipesAndDownloadsAreRefused() async throws {
    let piped = try await home.run(
      "replay", "-", "--photos", "my photos", input: .init(stringLiteral: Track.north(3)))
    #expect(piped.code == 64 && piped.errors.contains("read more than once"))
    let download = try await home.run(
      "replay", "north.gpx", "--photos", "my photos", "--download", "out")
    #expect(download.code == 64 && download.errors.contains("files already"))
    let missing = try await home.run("replay", "north.gpx", "--photos", "./none")
    #expect(missing.code == 1 && missing.errors.contains("no such folder"))
  }
}
