import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

/// Every command and option that writes, run among files of the user: all that faketrack did not make is
/// the same afterwards.
@Suite struct UserFilesTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("trip/walk.gpx", Track.north(60))
    // A track that faketrack has written looks like its output.
    let ours = #"<?xml version="1.0" encoding="UTF-8"?>\#n<gpx version="1.1" creator="faketrack">"#
    let points = Track.north(60).dropFirst(Track.opening.count)
    try home.file("trip/ours.gpx", ours + "<trk><trkseg>" + points)
    try home.file("trip/tracks.txt", "ours.gpx\n")
    for name in ["photos/0001.jpeg", "photos/0100.jpeg", "pics/a.jpg", "deep/photos/0001.jpeg"] {
      try home.file("trip/\(name)", Data(PictureFixture(original: "2026:05:01 10:10:00").jpeg))
    }
    for name in ["photos/0001.svg", "photos/0002.png", "pics/c.png", "behind/0001.png"] {
      try home.file("trip/\(name)", Data(PictureFixture(original: "2026:05:01 10:20:00").png))
    }
    for name in [
      "notes.txt", "notes.csv", "site/index.html", "credits/credits.csv", "behind/index.html",
      "page.html",
      "log.ndjson", "manifest/.faketrack-files", "part/.faketrack.part", "old.ndjson",
    ] {
      try home.file("trip/\(name)", "mine: \(name)\n")
    }
    for (target, name) in [
      ("walk.gpx", "soft.gpx"), ("notes.csv", "soft.csv"), ("nowhere", "lost.csv"),
      ("site", "linked"),
    ] {
      #expect(symlink(target, home.path("trip/\(name)")) == 0)
    }
    try home.file("trip/album/readme", "mine")
    #expect(symlink("../behind", home.path("trip/album/photos")) == 0)
    #expect(link(home.path("trip/ours.gpx"), home.path("trip/hard.gpx")) == 0)
    #expect(link(home.path("trip/notes.csv"), home.path("trip/hard.csv")) == 0)
  }

  /// All files in the folder, with their contents, the targets of links, and permissions.
  private func files() throws -> [String: String] {
    let root = home.path("trip")
    var files: [String: String] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      let path = "\(root)/\(name)"
      var status = stat()
      #expect(lstat(path, &status) == 0)
      let content =
        switch status.st_mode & S_IFMT {
        case S_IFLNK: try FileManager.default.destinationOfSymbolicLink(atPath: path)
        case S_IFREG: FileManager.default.contents(atPath: path)?.base64EncodedString() ?? "?"
        default: ""
        }
      files[name] = "\(status.st_mode) \(content)"
    }
    return files
  }

  /// The differences from before in what was there before.
  private func changes(from before: [String: String]) throws -> [String] {
    let after = try files()
    return before.filter { after[$0.key] != $0.value }.keys.sorted()
  }

  /// Runs a command in the folder, as a user would.
  private func run(_ command: String, _ service: String = "") async throws -> ExecutableRun {
    try await home.run(
      ["-c", "cd trip && exec \"$0\" \(command)", Executable.url.path],
      .init(program: "/bin/sh", environment: ["FAKETRACK_COMMONS_URL": service]))
  }

  /// Commands that are refused before they write anything, and a word of the reason.
  @Test(
    arguments: [
      // A page in a folder.
      ("replay walk.gpx --photos photos --format html -o .", "./photos, where photos/0001.jpeg is"),
      ("replay walk.gpx --photos pics --format html -o .", "./photos was not made by faketrack"),
      ("replay walk.gpx --photos none --format html -o $PWD/", "/photos was not made"),
      ("replay walk.gpx --photos . --format html -o .", "./photos, where"),
      (
        "replay walk.gpx --photos deep --format html -o deep",
        "deep/photos, where deep/photos/0001.jpeg is"
      ),
      (
        "replay walk.gpx --photos behind --format html -o album",
        "album/photos, where behind/0001.png is"
      ),
      ("replay walk.gpx --photos pics --format html -o album", "album/photos was not made"),
      ("replay walk.gpx --photos pics --format html -o site", "site/index.html was not written"),
      (
        "replay walk.gpx --photos pics --format html -o linked", "linked/index.html was not written"
      ),
      ("replay walk.gpx --photos pics --format html -o manifest", "has not written"),
      ("replay walk.gpx --photos pics --format html -o part", "part/.faketrack.part was not"),
      ("replay walk.gpx --photos commons --download part", "part/.faketrack.part was not"),
      ("replay walk.gpx --photos commons --download credits", "has not written"),
      ("replay walk.gpx --photos commons --download walk.gpx", "is a file, not a folder"),
      ("replay walk.gpx --photos pics --format html -o lost.csv/x", "lost.csv/x: "),
      (
        "replay walk.gpx --photos commons --format html -o site2 --download site2",
        "the same folder"
      ),
      (
        "replay walk.gpx --photos commons --format html -o a/b --download a/b/photos",
        "where a/b/photos is"
      ),
      // A file.
      ("replay walk.gpx -o walk.gpx", "also the output"),
      ("replay walk.gpx -o soft.gpx --overwrite", "also the output"),
      ("replay ours.gpx -o ours.gpx", "also the output"),
      ("replay ours.gpx -o hard.gpx --overwrite", "also the output"),
      ("replay - -o ours.gpx <ours.gpx", "/dev/stdin: is also the output"),
      ("replay . -o ours.gpx", "also the output"),
      ("replay --tracks-from tracks.txt --format gpx -o hard.gpx", "also the output"),
      ("replay --tracks-from tracks.txt --format csv -o tracks.txt --overwrite", "also the output"),
      ("replay ours.gpx --photos pics --format csv -o pics/a.jpg --overwrite", "also the output"),
      ("replay ours.gpx --log notes.txt -o out.csv", "other text than log records"),
      ("replay walk.gpx -o notes.txt", "--overwrite"),
      ("replay walk.gpx -o notes.csv", "--overwrite"),
      ("replay walk.gpx -o soft.csv", "--overwrite"),
      ("replay walk.gpx -o hard.csv", "--overwrite"),
      ("replay walk.gpx -o page.html", "--overwrite"), ("replay walk.gpx -o lost.csv", "no file"),
      ("replay walk.gpx --format html -o photos/0001.jpeg", "--overwrite"),
      ("replay walk.gpx --format csv -o photos", "is a folder"),
      ("replay walk.gpx --format ndjson --resume old.ndjson -o old.ndjson", "would overwrite"),
      ("replay - --format csv <walk.gpx >>walk.gpx", "also the output"),
      ("replay --tracks-from tracks.txt >>tracks.txt", "also the output"),
      ("replay ours.gpx --photos pics --format csv -o /dev/fd/3 3>>pics/a.jpg", "also the output"),
      ("replay walk.gpx --format ndjson --resume old.ndjson >>old.ndjson", "not a record"),
      // A log.
      ("replay walk.gpx --log walk.gpx", "other text than log records"),
      ("replay walk.gpx --log photos/0001.jpeg", "other text than log records"),
      ("cities show 2852458 --log log.ndjson", "other text than log records"),
      ("lists walk.gpx --log hard.csv", "other text than log records"),
      ("serve walk.gpx --port 0 --log walk.gpx", "other text than log records"),
      ("cities import walk.gpx --log walk.gpx", "other text than log records"),
      ("cities import walk.gpx", "the city data is"),
    ])
  func isRefused(command: String, reason: String) async throws {
    let before = try files()
    for _ in 0..<2 {
      let run = try await run(
        command.hasPrefix("replay") && !command.contains("--photos")
          ? command.replacing("replay", with: "replay --photos none") : command)
      #expect([1, 64, 65].contains(run.code) && run.errors.contains("error: "), "\(run.errors)")
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
    #expect(try changes(from: before).isEmpty)
    let made = Set(try files().keys).subtracting(before.keys)
    #expect(made.isEmpty, "\(made)")
  }

  /// Commands that write beside the user's files.
  @Test(
    arguments: [
      (
        "replay walk.gpx --photos pics --format html -o page",
        ["page/index.html", "page/photos/0002.png"]
      ),
      ("replay walk.gpx --photos pics -o walk.html", ["walk.html"]),
      ("replay walk.gpx -o out.csv", ["out.csv"]), ("replay . -o all.ndjson", ["all.ndjson"]),
      ("replay walk.gpx ours.gpx -o ours2.gpx", ["ours2.gpx"]),
      ("replay walk.gpx --format adb -o /dev/stdout", []),
      ("replay walk.gpx --format adb -o /dev/null", []),
      ("replay walk.gpx --format csv -o /dev/fd/3 3>&1", []),
      ("replay walk.gpx --format csv -o /dev/stdout >>new.csv", ["new.csv"]),
      ("replay walk.gpx --log new.log", ["new.log"]),
      ("replay walk.gpx --photos commons --interval off --download .", ["credits.csv"]),
      ("replay walk.gpx --photos commons --interval off --download photos", ["photos/credits.csv"]),
      (
        "replay walk.gpx ours.gpx --photos commons --interval off --download a/b",
        ["a/b/ours.gpx/credits.csv"]
      ),
    ])
  func writesOnlyNewFiles(command: String, names: [String]) async throws {
    let before = try files()
    try await StubServer.run(CommonsStub().callAsFunction) { server in
      let command =
        command.contains("--photos")
        ? command : command.replacing("replay", with: "replay --photos none")
      var first: [String: String]?
      for _ in 0..<2 {
        let run = try await run(command, "\(server.url)w/api.php")
        #expect([0, 65].contains(run.code), "\(run.errors)")
        #expect(try changes(from: before).isEmpty)
        let made = try files()
        for name in names { #expect(made[name] != nil, "\(name)") }
        #expect(!made.keys.contains { $0.hasSuffix(".part") && before[$0] == nil })
        // A second run writes the same, except where it appends.
        if let first, !command.contains("--log"), !command.contains(">>") { #expect(made == first) }
        first = made
      }
    }
  }

  @Test func aFileThatIsNotOursIsReplacedOnRequest() async throws {
    let run = try await run("replay walk.gpx --photos none -o soft.csv --overwrite")
    #expect(run.code == 0, "\(run.errors)")
    #expect(home.text(of: "trip/notes.csv").hasPrefix("index,time,"))
    // The link is still one, and the other name keeps the text.
    #expect(TemporaryHome.isLink(home.path("trip/soft.csv")))
    #expect(home.text(of: "trip/hard.csv") == "mine: notes.csv\n")
  }

  @Test func whatWasChangedSinceIsKept() async throws {
    let command = "replay walk.gpx --photos pics --format html -o page"
    let files = ["page/photos/0001.svg", "page/photos/0002.png"]
    #expect(try await run(command).code == 0)
    #expect(files.allSatisfy { !home.text(of: "trip/\($0)").isEmpty })
    try home.file("trip/page/photos/0002.png", "changed")
    try FileManager.default.removeItem(atPath: home.path("trip/pics/c.png"))
    let second = try await run(command)
    #expect(second.code == 0)
    #expect(
      second.errors.contains(
        "kept 1 file in page/photos, changed since faketrack wrote them: 0002.png"))
    #expect(home.names(in: "trip/page/photos") == ["0001.svg", "0002.png"])
    #expect(home.text(of: "trip/page/photos/0002.png") == "changed")
    try home.file("trip/page/index.html", "changed")
    let third = try await run(command)
    #expect(
      third.code == 1 && third.errors.contains("page/index.html was not written by faketrack"))
    #expect(home.text(of: "trip/page/index.html") == "changed")
  }

  @Test func aLogIsNotReplacedByTheOutput() async throws {
    let run = try await run("replay walk.gpx --photos none --log a.ndjson -o a.ndjson --overwrite")
    #expect(run.code == 65 && run.errors.contains("a.ndjson: is also the output"), "\(run.errors)")
  }

  @Test func anOutputWithoutLocationsIsRecognized() async throws {
    try home.file("trip/broken.gpx", "<gpx>")
    for _ in 0..<2 {
      let run = try await run("replay broken.gpx broken.gpx --photos none -o none.geojson")
      #expect(run.code == 65 && !run.errors.contains("--overwrite"), "\(run.errors)")
      #expect(home.text(of: "trip/none.geojson").contains("FeatureCollection"))
    }
  }

  @Test func aFailedRunReplacesNothing() async throws {
    #expect(try await run("replay walk.gpx --photos none -o out.geojson").code == 0)
    try home.file("trip/broken.gpx", "<gpx>")
    try home.file("trip/broken.txt", "broken.gpx\n")
    let before = try files()
    for command in [
      "replay broken.gpx --photos none -o out.geojson",
      "replay broken.gpx none.gpx --photos none -o out.geojson",
      "replay --tracks-from broken.txt --photos none -o out.geojson",
      "replay none.gpx --photos none -o out.geojson",
      "replay walk.gpx --photos none --authorization denied -o out.geojson",
      "replay walk.gpx --photos none --format html -o page.htm --size-limit 1 --privacy 52,13,1000km",
    ] {
      #expect(try await run(command).code != 0)
      #expect(try files() == before, "\(command)")
    }
  }

  @Test func aFullDiskLeavesTheFileAsItIs() async throws {
    #expect(try await run("replay walk.gpx --photos none -o out.csv").code == 0)
    let before = try files()
    let run = try await home.run(
      ["replay", "trip/walk.gpx", "--photos", "none", "-o", "trip/out.csv"], .init(fileSizeLimit: 4)
    )
    #expect(
      run.code == 1 && run.errors.contains("error: trip/out.csv: File too large"), "\(run.errors)")
    #expect(try files() == before)
  }

  /// An interrupted run writes a new file, but does not replace one.
  @Test(arguments: [false, true])
  func anInterruptedRunKeepsWhatItHas(exists: Bool) async throws {
    if exists {
      #expect(try await run("replay ours.gpx --photos none -o out.csv").code == 0)
    }
    let before = home.text(of: "trip/out.csv")
    let process = try home.start(
      ["replay", "--tracks-from", "-", "--jobs", "1", "--photos", "none", "-o", "trip/out.csv"],
      .init(input: .later))
    try process.type("trip/walk.gpx\nnone.gpx\n")
    try await process.errors.waitFor("none.gpx")
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    let parts = home.names(in: "trip").filter { $0.hasPrefix("out.csv.") }
    #expect(parts.count == (exists ? 1 : 0))
    let new = home.text(of: "trip/\(parts.first ?? "out.csv")")
    #expect(new.split(separator: "\n").count == 90)
    if exists {
      #expect(home.text(of: "trip/out.csv") == before)
      #expect(run.errors.contains("error: trip/out.csv is unchanged"), "\(run.errors)")
      #expect(run.errors.contains("hint: The output is in "), "\(run.errors)")
    }
  }
}

extension TemporaryHome {
  fileprivate static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
