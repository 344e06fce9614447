import FaketrackTestSupport
import Foundation
import GPX
import Geodesy
import Testing

@Suite struct MakeTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private static func document(_ text: String) throws -> GPXDocument {
    try GPXDocument(data: Data(text.utf8), isStrict: true)
  }

  @Test func aWayLeadsFromCityToCity() async throws {
    let run = try await home.run("make", "Potsdam", "Berlin", "-o", "walk.gpx")
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.errors.hasPrefix(
        "note: Potsdam is Potsdam, Brandenburg, DE; 1 other has this name: \"Potsdam, New York, US\"\n"
      ))
    #expect(run.errors.split(separator: "\n").count == 2)
    let check = try await home.run(
      "check", "walk.gpx", "--enters", "52.52437,13.41053,20m", "--leaves",
      "52.39886,13.06566,20m", "--within", "6h")
    #expect(check.code == 0, "\(check.output)")
    let info = try await home.run("info", "walk.gpx", "--format", "ndjson")
    #expect(try info.objects.first?["skipped"] as? Int == 0)
  }

  @Test func aWayAroundIsWalkedByOtherCommands() async throws {
    let made = try await home.run("make", "2852458", "--distance", "2km", "--seed", "7")
    let fixes = try Self.document(made.output).fixes
    #expect(fixes.first?.coordinate == fixes.last?.coordinate)
    let walk = try await home.run(
      "replay", "-", "--photos", "none", "-f", "ndjson", input: .text(made.output))
    #expect(walk.code == 0)
    #expect(try abs((walk.records.last?.distance ?? 0) - 2_000) < 100)
    #expect(try walk.records.allSatisfy { $0.latitude != 0 })
    let again = try await home.run("make", "2852458", "--distance", "2km", "--seed", "7")
    #expect(again.output == made.output)
  }

  @Test func positionsMayBeNegative() async throws {
    let run = try await home.run(
      "make", "-33.86,151.2", "-33.87, 151.2", "--start", "2026-01-02T03:04:05Z", "--interval",
      "10s",
      "--by", "run")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let document = try Self.document(run.output)
    #expect(document.tracks.map(\.name) == ["-33.86,151.2 to -33.87,151.2"])
    #expect(run.output.contains(#"lat="-33.86" lon="151.2"><time>2026-01-02T03:04:05Z"#))
    #expect(run.output.contains("<time>2026-01-02T03:04:15Z"))
  }

  @Test func theSignalIsThatOfAReceiver() async throws {
    let words = ["make", "52.4,13.06", "52.42,13.06", "--seed", "1"]
    let clean = try Self.document(try await home.run(words).output)
    let tunnel = try Self.document(try await home.run(words + ["--reception", "tunnel"]).output)
    #expect(tunnel.tracks[0].segments.count == 2)
    let lost = clean.fixes.count - tunnel.fixes.count
    #expect((250...330).contains(lost))
    let noisy = try Self.document(
      try await home.run(words + ["--noise", "20", "--outage", "1km-1.2km"]).output)
    #expect(noisy.tracks[0].segments.count == 2)
    let errors = zip(clean.fixes, noisy.fixes).prefix(300).map {
      $0.coordinate.distance(to: $1.coordinate)
    }
    #expect((2...60).contains(errors.reduce(0, +) / Double(errors.count)))
    // The error drifts: neighbors have nearly the same.
    #expect(zip(errors, errors.dropFirst()).allSatisfy { abs($0 - $1) < 20 })
  }

  @Test func photosGiveTheirPositionsInTheOrderOfTheirTimes() async throws {
    var picture = PictureFixture(original: "2026:05:01 10:10:00")
    picture.position = (52.4, 13.06)
    try home.file("trip/b.jpg", Data(picture.jpeg))
    picture = PictureFixture(original: "2026:05:01 09:00:00")
    picture.position = (52.41, 13.07)
    try home.file("trip/c.jpg", Data(picture.jpeg))
    try home.file("trip/a.jpg", Data(PictureFixture(original: "2026:05:01 08:00:00").jpeg))
    let run = try await home.run("make", "--from-photos", "trip")
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.errors == """
        photos: 2 of 3 have a position and a time
        no place: trip/a.jpg: no position

        """)
    let fixes = try Self.document(run.output).fixes
    #expect(fixes.map(\.coordinate.latitude) == [52.41, 52.4])
    // The cameras' clocks are local: CEST.
    #expect(run.output.contains("<time>2026-05-01T07:00:00Z</time>"))
    let none = try await home.run("make", "--from-photos", home.url.path)
    #expect(none.code == 0)
    try home.file("empty/a.jpg", Data(PictureFixture(original: "2026:05:01 08:00:00").jpeg))
    let empty = try await home.run("make", "--from-photos", "empty", "-o", "walk.gpx")
    #expect(empty.code == 65)
    #expect(empty.errors.contains("error: empty: no photo has a position and a time\n"))
    #expect(!FileManager.default.fileExists(atPath: home.url.appending(path: "walk.gpx").path))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: home.url.appending(path: name).path, withDestinationPath: target)
  }

  @Test func aPhotoIsNoOutput() async throws {
    var picture = PictureFixture(original: "2026:05:01 10:10:00")
    picture.position = (52.4, 13.06)
    try home.file("trip/b.jpg", Data(picture.jpeg))
    try link("walk.gpx", to: "trip/b.jpg")
    let run = try await home.run("make", "--from-photos", "trip", "-o", "walk.gpx", "--overwrite")
    #expect(run.code == 65)
    #expect(
      run.errors.hasSuffix(
        "error: trip/b.jpg: is also the output\nhint: Name another file with -o.\n"))
    #expect(try Data(contentsOf: home.url.appending(path: "trip/b.jpg")) == Data(picture.jpeg))
  }

  @Test func aPhotoThatCannotBeReadIsNoOutput() async throws {
    try home.file("trip/b.jpg", "no picture")
    try link("walk.gpx", to: "trip/b.jpg")
    let run = try await home.run("make", "--from-photos", "trip", "-o", "walk.gpx", "--overwrite")
    #expect(run.code == 65)
    #expect(
      try String(contentsOf: home.url.appending(path: "trip/b.jpg"), encoding: .utf8)
        == "no picture")
  }

  @Test func aFileOfOthersStays() async throws {
    try home.file("notes.gpx", "notes")
    let run = try await home.run("make", "2852458", "--distance", "1km", "-o", "notes.gpx")
    #expect(run.code == 1)
    #expect(
      try String(contentsOf: home.url.appending(path: "notes.gpx"), encoding: .utf8) == "notes")
  }

  static let mistakes: [(words: [String], code: Int32, message: String)] = [
    (["Potsdam"], 64, "name another place, or give --distance for a way around this one"),
    (["--distance", "5km"], 64, "name two places, or one and --distance, or give --from-photos"),
    (["1", "2", "--distance", "5km"], 64, "--distance makes a way around one place"),
    (
      ["--from-photos", "x", "--seed", "1"], 64,
      "--from-photos takes what is in the photos: leave out places and options of the way"
    ),
    (["52.4,13", "52.4, 13"], 64, "52.4,13 and 52.4, 13 are the same place"),
    (
      ["0,0", "0,90", "--by", "bike"], 64, "this would be 1,9"
    ),
    (["91,0", "0,0"], 64, "latitude 91.0, longitude 0.0 is not a position on Earth"),
    (
      ["52.4", "13.06"], 64,
      "'52.4' is half a position: join latitude and longitude with a comma, as in 52.4,13.06"
    ),
    (["0,0", "1,1", "-o", "walk.csv"], 64, "-o takes the name of a GPX file"),
    (["0,0", "1,1", "-o", "walk.gpx.gz"], 64, "-o takes the name of a GPX file"),
    (["0,0", " "], 64, "a place is empty"),
    (["0,0", "0.001,0", "--outage", "0km-100km"], 64, "there is no signal on the whole way"),
    (["0,0", "1,1", "--start", "9999-12-31T23:59:59Z"], 64, "the way ends after the year 9999"),
    (["--from-photos", "nowhere"], 1, "--from-photos nowhere: there is no such folder"),
    (["Xyzzyxy", "Berlin"], 1, "there is no city named Xyzzyxy"),
    (
      ["0,0", "--distance", "5"], 64,
      "--distance 5: expected a distance of 100 m to 10,000 km, such as 5km"
    ),
    (["0,0", "1,1", "--by", "boat"], 64, "--by boat: "),
    (["0,0", "1,1", "-y"], 64, "unknown option -y"),
  ]

  @Test(arguments: mistakes)
  func saysWhatIsWrong(words: [String], code: Int32, message: String) async throws {
    let run = try await home.run(["make"] + words)
    #expect(run.code == code)
    #expect(run.errors.contains("error: \(message)"), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func manyCitiesOfAName() async throws {
    let run = try await home.run("make", "Springfield", "Berlin")
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("Springfield, Missouri, US"))
    #expect(run.errors.contains("error: 34 cities are named Springfield\n"))
    #expect(
      run.errors.contains(
        "hint: Name its region, or its id: \"Springfield, Missouri, US\" is 4409896."))
  }
}
