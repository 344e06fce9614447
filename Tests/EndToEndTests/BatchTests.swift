import FaketrackTestSupport
import Foundation
import GPX
import Testing

/// Batches of tracks.
@Suite struct BatchTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  /// A folder of tracks with 2, 3, 4 … locations, some gzipped, and their names.
  private func folder(_ count: Int = 5) throws -> [String] {
    try (0..<count).map { number in
      let text = Track.north(number + 2)
      let name = "w/\(String(format: "%03d", number)).gpx"
      return number % 4 == 3
        ? try home.file(name + ".gz", Data(text.utf8).gzipped) : try home.file(name, text)
    }
  }

  private func replay(
    _ arguments: String..., input: String = ""
  ) async throws -> ExecutableRun {
    try await replay(arguments, input: input)
  }

  private func replay(_ arguments: [String], input: String = "") async throws -> ExecutableRun {
    try await home.run(
      ["replay", "--interval", "off", "--photos", "sample"] + arguments,
      .init(input: .text(input)))
  }

  /// A run of the executable whose stdout is a file.
  private func replay(
    _ arguments: [String], appendingTo file: String, fileSizeLimit: Int? = nil
  ) async throws -> ExecutableRun {
    try await home.run(
      ["-c", "exec \"$0\" \"$@\" >> \(file)", Executable.url.path, "replay", "--interval", "off"]
        + arguments,
      .init(program: "/bin/sh", fileSizeLimit: fileSizeLimit))
  }

  // MARK: Records

  @Test func everyRecordTellsItsTrackAndEveryTrackItsEnd() async throws {
    let tracks = try folder()
    let run = try await replay("w", "--format", "ndjson")
    #expect(run.code == 0)
    let objects = try run.objects
    let expected = tracks.enumerated().flatMap { Array(repeating: $1, count: $0 + 3) }
    #expect(objects.map { $0["track"] as? String } == expected)
    #expect(run.lines.allSatisfy { $0.hasPrefix("{\"track\":\"w/") })
    let ends = run.lines.filter { $0.contains("\"end\":true") }
    #expect(
      ends.first == """
        {"track":"w/000.gpx","end":true,"locations":2,"photos":2,"length":150.211,"skipped":0}
        """)
    #expect(ends.count == 5)
    #expect(objects.first?["index"] as? Int == 0)
    #expect(
      run.errorLines.last == "5 tracks, 20 locations, 2.3 km, 20 photos")
  }

  @Test func everyFormatHasTheTrack() async throws {
    let tracks = try folder()
    let csv = try await replay("w", "--format", "csv")
    #expect(csv.lines.count == 21)
    #expect(csv.lines.first?.hasPrefix("track,index,time") == true)
    #expect(csv.lines.last?.hasPrefix("w/004.gpx,5,") == true)
    let geojson = try await replay("w", "--format", "geojson")
    let features = try #require(try geojson.object["features"] as? [[String: Any]])
    #expect(features.count == 20)
    #expect((features.last?["properties"] as? [String: Any])?["track"] as? String == tracks.last)
    let gpx = try await replay("w", "--format", "gpx")
    let document = try GPXDocument(data: Data(gpx.output.utf8), isStrict: true)
    #expect(document.tracks.map(\.details.name) == tracks)
    #expect(document.tracks.map { $0.segments[0].fixes.count } == [2, 3, 4, 5, 6])
    let list = try await replay("w", "--format", "list")
    #expect(list.lines.filter { $0.hasPrefix("w/") } == tracks)
    #expect(list.lines.count == 20 + 5 + 4)
    let text = try await replay("w")
    #expect(text.lines.count == 20)
    #expect(text.lines.allSatisfy { $0.hasPrefix("https://") })
  }

  @Test(arguments: ["ndjson", "csv", "geojson", "gpx", "list", "nmea", "xcode", "simctl", "adb"])
  func theBytesAreTheSameAtAnyNumberOfJobs(format: String) async throws {
    _ = try folder(24)
    try home.file("w/long.gpx", Data(contentsOf: Repository.walk))
    try home.file("w/cut.gpx", String(Track.north(9).dropLast(60)))
    try home.file("w/none.gpx", "<gpx/>")
    let part = ["--to", "20min", "--format", format]
    let one = try await replay(["w"] + part + ["--jobs", "1"])
    #expect(one.code == 65)
    for jobs in ["2", "3", "16"] {
      let other = try await replay(["w"] + part + ["--jobs", jobs])
      // The testing library would spend seconds describing the values.
      let isSame = other.outputData == one.outputData
      #expect(isSame)
      #expect(other.errors == one.errors)
    }
  }

  @Test func oneTrackOfAFolderIsOneOfMany() async throws {
    _ = try folder(1)
    let run = try await replay("w", "--format", "ndjson")
    #expect(run.lines.count == 3)
    #expect(run.lines.last?.contains("\"end\":true") == true)
    let alone = try await replay("w/000.gpx", "--format", "ndjson")
    #expect(
      alone.lines.map { "{\"track\":\"w/000.gpx\"," + $0.dropFirst() } == run.lines.dropLast())
  }

  // MARK: Failures

  @Test func aTrackThatFailsStopsNoOther() async throws {
    _ = try folder(20)
    try home.file("w/a-cut.gpx", String(Track.north(3).dropLast(40)))
    try home.file("w/b-empty.gpx", "")
    try home.file("w/c-pointless.gpx", "<gpx><trk/></gpx>")
    #expect(mkfifo(home.path("w/d-pipe.gpx"), 0o600) == 0)
    let run = try await replay("w", "none.gpx", "--format", "ndjson")
    #expect(run.code == 65)
    let ends = try run.objects.filter { $0["end"] as? Bool == true }
    #expect(ends.count == 20)
    let errors = try run.objects.filter { $0["index"] == nil && $0["end"] == nil }
    #expect(
      errors.map { $0["error"] as? String } == [
        "w/a-cut.gpx:6:57: the file ends in the middle",
        "w/b-empty.gpx: this is an empty file, not GPX",
        "w/c-pointless.gpx: nothing to replay: 1 track without points",
        "w/d-pipe.gpx: is a pipe or a device, which a folder's tracks are not read from",
        "none.gpx: cannot be read: No such file or directory",
      ])
    #expect(errors.map { $0["track"] as? String }.first == "w/a-cut.gpx")
    // The records before the break are there.
    #expect(try run.objects.count { $0["track"] as? String == "w/a-cut.gpx" } == 3)
    #expect(
      run.errorLines.filter { $0.hasPrefix("error: ") }.map { String($0.dropFirst(7)) }
        == errors.compactMap { $0["error"] as? String })
    #expect(run.errorLines.last?.hasPrefix("25 tracks, 5 failed, ") == true)
  }

  @Test func aFolderWithoutTracksIsTold() async throws {
    try home.file("w/notes.txt", "")
    for command in ["replay", "info"] {
      let run = try await home.run(command, "w")
      #expect(run.code == 65)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("error: w: there is no .gpx or .gpx.gz in this folder\nhint: "))
    }
  }

  @Test func whatFailsEverywhereDecidesTheCode() async throws {
    _ = try folder()
    let denied = try await replay("w", "--authorization", "denied", "--format", "ndjson")
    #expect(denied.code == 77)
    #expect(denied.lines.count == 5)
    #expect(
      denied.lines.first
        == #"{"track":"w/000.gpx","error":"w/000.gpx: location permission denied"}"#)
    try await StubServer.run(FlickrStub(fault: .invalidKey).callAsFunction) { server in
      let run = try await home.run(
        ["replay", "w", "--photos", "flickr"],
        .init(environment: ["FLICKR_API_KEY": "k", "FAKETRACK_FLICKR_URL": "\(server.url)"]))
      #expect(run.code == 69)
      #expect(run.errorLines.count { $0.contains("Flickr rejected the key") } == 5)
    }
  }

  // MARK: Lines

  @Test func tracksComeFromLines() async throws {
    try home.file("a.gpx", Track.north(2))
    let gpx = Track.north(3).replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    let run = try await replay(
      "--tracks-from", "-", "--format", "ndjson",
      input: """
        {"track":"first","path":"a.gpx"}
        {nothing}
        {"track":"second","gpx":"\(gpx)"}
        {"track":"third","path":"missing.gpx"}

        """)
    #expect(run.code == 65)
    #expect(
      try run.objects.filter { $0["index"] == nil }.map { $0["track"] as? String } == [
        "first", "standard input:2", "second", "third",
      ])
    #expect(try run.objects.count { $0["index"] != nil } == 5)
    #expect(
      run.errors.contains("error: standard input:2: this is not a track\nhint: A line is a path, {")
    )
    let info = try await home.run(
      "info", "--tracks-from", "-", "--format", "ndjson",
      input: "{\"track\":\"b\",\"path\":\"a.gpx\"}\n")
    #expect(info.output.hasPrefix(#"{"track":"b","file":"b","tracks":1,"#))
  }

  @Test func noLinesAreNoTracks() async throws {
    let run = try await replay("--tracks-from", "-", "--format", "geojson")
    #expect(run.code == 0)
    #expect((try run.object["features"] as? [Any])?.isEmpty == true)
    #expect(run.errorLines.last == "0 tracks, 0 locations, 0 m, 0 photos")
  }

  @Test func aTrackIsAnsweredBeforeTheNextLineComes() async throws {
    try home.file("a.gpx", Track.north(2))
    let process = try home.start(
      ["replay", "--tracks-from", "-", "--photos", "none", "--format", "ndjson"],
      .init(input: .later))
    for number in 1...3 {
      try process.type("{\"track\":\"\(number)\",\"path\":\"a.gpx\"}\n")
      try await process.output.waitFor("{\"track\":\"\(number)\",\"end\":true")
    }
    try process.endInput()
    #expect(await process.result().code == 0)
  }

  // MARK: Resuming

  @Test func aRunThatWasKilledGoesOn() async throws {
    _ = try folder(30)
    let whole = try await replay("w", "--format", "ndjson", "--seed", "3")
    let lines = (0..<30).map { number in
      let name = "w/\(String(format: "%03d", number)).gpx"
      let path = FileManager.default.fileExists(atPath: home.path(name)) ? name : name + ".gz"
      return "{\"track\":\"\(path)\",\"path\":\"\(path)\"}\n"
    }
    // Killed after ten tracks, with the records of an eleventh.
    let process = try home.start(
      ["replay", "--interval", "off", "--tracks-from", "-", "--photos", "sample"]
        + ["--format", "ndjson", "--seed", "3"],
      .init(input: .later))
    try process.type(lines.prefix(10).joined())
    try await process.output.waitFor("\"end\":true", count: 10)
    process.signal(SIGKILL)
    let broken = await process.result()
    #expect(broken.code == 128 + SIGKILL)
    let cut = whole.output.dropFirst(broken.output.count).prefix(500)
    try home.file("out.ndjson", broken.output + cut)
    try home.file("lines.ndjson", lines.joined())
    let run = try await replay(
      [
        "--tracks-from", "lines.ndjson", "--photos", "sample", "--format", "ndjson", "--seed", "3",
        "--resume", "out.ndjson",
      ], appendingTo: "out.ndjson")
    #expect(run.code == 0, "\(run.errors)")
    #expect(home.text(of: "out.ndjson") == whole.output)
    #expect(run.errorLines.last?.contains(" left out, ") == true)
    // The next run has nothing to do.
    let again = try await replay(
      ["w", "--photos", "sample", "--format", "ndjson", "--resume", "out.ndjson"],
      appendingTo: "out.ndjson")
    #expect(again.code == 0)
    #expect(home.text(of: "out.ndjson") == whole.output)
    #expect(again.errorLines.last?.hasPrefix("0 tracks, 30 left out, ") == true)
  }

  @Test func theRestMayGoElsewhere() async throws {
    _ = try folder()
    let whole = try await replay("w", "--format", "ndjson")
    let first = whole.lines.prefix { !$0.contains("w/001.gpx") }
    try home.file("old.ndjson", first.joined(separator: "\n") + "\n{\"track\":\"w/001.gpx\",\"ind")
    let rest = try await replay("w", "--format", "ndjson", "--resume", "old.ndjson")
    #expect(rest.lines == Array(whole.lines.dropFirst(first.count)))
    // The old output is unchanged.
    #expect(home.text(of: "old.ndjson").hasSuffix("\"ind"))
  }

  @Test func aTrackThatFailedIsTriedAgain() async throws {
    _ = try folder(3)
    try home.file("w/001.gpx", String(Track.north(3).dropLast(60)))
    let first = try await replay("w", "--format", "ndjson")
    #expect(first.code == 65)
    try home.file("out.ndjson", first.output)
    try home.file("w/001.gpx", Track.north(3))
    let again = try await replay("w", "--format", "ndjson", "--resume", "out.ndjson")
    #expect(again.code == 0)
    #expect(
      try again.objects.map { $0["track"] as? String } == Array(repeating: "w/001.gpx", count: 4))
  }

  @Test func aTrackThatIsTriedAgainLeavesNoEarlierRecords() async throws {
    _ = try folder(5)
    let whole = try await replay("w", "--format", "ndjson")
    let broken = ["w/000.gpx": Track.north(2), "w/002.gpx": Track.north(4)]
    for (name, text) in broken { try home.file(name, String(text.dropLast(60))) }
    let arguments = ["w", "--photos", "sample", "--format", "ndjson"]
    let first = try await replay(arguments, appendingTo: "out.ndjson")
    #expect(first.code == 65)
    for (name, text) in broken { try home.file(name, text) }
    let again = try await replay(
      arguments + ["--resume", "out.ndjson"], appendingTo: "out.ndjson")
    #expect(again.code == 0, "\(again.errors)")
    let lines = home.text(of: "out.ndjson").split(separator: "\n").map(String.init)
    #expect(lines.count == Set(lines).count)
    #expect(Set(lines) == Set(whole.lines))
  }

  @Test func saysThatPathsAreSpeltOtherwise() async throws {
    _ = try folder(2)
    try home.file("out.ndjson", try await replay("w", "--format", "ndjson").output)
    let run = try await replay("./w", "--format", "ndjson", "--resume", "out.ndjson")
    #expect(
      run.errors.contains("note: out.ndjson has w/000.gpx but not ./w/000.gpx, which is replayed"))
  }

  @Test func anOutputThatIsNoneIsRefused() async throws {
    _ = try folder(1)
    try home.file("old.ndjson", "{\"index\":0}\n")
    let foreign = try await replay("w", "--format", "ndjson", "--resume", "old.ndjson")
    #expect(foreign.code == 65)
    #expect(foreign.errors.contains("error: old.ndjson:1: this is not a record"))
    let missing = try await replay("w", "--format", "ndjson", "--resume", "none.ndjson")
    #expect(missing.code == 1)
    try home.file("mine.json", "{\"mine\":true}")
    let mine = try await replay(
      ["w", "--photos", "none", "--format", "ndjson", "--resume", "mine.json"],
      appendingTo: "mine.json")
    #expect(mine.code == 65)
    #expect(home.text(of: "mine.json") == "{\"mine\":true}")
    #expect(missing.errors.contains("error: none.ndjson: cannot be read: No such file"))
    let overwritten = try await home.run(
      [
        "-c", "exec \"$0\" replay w --format ndjson --resume old.ndjson > old.ndjson",
        Executable.url.path,
      ], .init(program: "/bin/sh"))
    #expect(overwritten.code == 64)
    #expect(overwritten.errors.contains("hint: Append to it with >>"))
  }

  // MARK: Ends of the output

  @Test(arguments: ["ndjson", "csv", "geojson", "gpx"])
  func aSignalEndsTheDocumentInOrder(format: String) async throws {
    let line = "{\"track\":\"a\",\"path\":\"faketrack.gpx\"}\n"
    let process = try home.start(
      [
        "replay", "--tracks-from", "-", "--photos", "none", "--distance-filter", "0", "--loop",
        "100000", "--format", format, "--jobs", "2",
      ], .init(input: .text(line + line + line)))
    // Twice in each feature of GeoJSON.
    try await process.output.waitFor("52.4", count: 200)
    process.signal(SIGINT)
    let run = await process.result()
    #expect(run.code == 130)
    #expect(run.output.hasSuffix("\n"))
    let written =
      switch format {
      case "geojson": (try run.object["features"] as? [Any] ?? []).count
      case "gpx": try GPXDocument(data: Data(run.output.utf8), isStrict: true).fixes.count
      case "csv": run.lines.count - 1
      default: run.lines.count
      }
    #expect(written >= 100)
    let end = try #require(run.errorLines.last)
    #expect(end.hasPrefix("0 tracks, 0 locations, 0 m, "))
    #expect(end.hasSuffix(" locations of a track that broke off"))
    let told = end.dropFirst("0 tracks, 0 locations, 0 m, ".count).prefix { $0 != " " }
    #expect(Int(told.filter(\.isNumber)) == written)
  }

  @Test func aSignalEndsAWaitForLines() async throws {
    let process = try home.start(
      ["replay", "--tracks-from", "-", "--photos", "none", "--format", "gpx"],
      .init(input: .later))
    try await process.output.waitFor("<gpx")
    process.signal(SIGTERM)
    let run = await process.result()
    #expect(run.code == 143)
    #expect(run.output.hasSuffix("</gpx>\n"))
  }

  @Test(arguments: ["replay", "info"])
  func aSignalEndsAWaitForAPipe(command: String) async throws {
    _ = try folder(2)
    #expect(mkfifo(home.path("pipe"), 0o600) == 0)
    let process = try home.start(
      [command, "w", "pipe", "--format", "ndjson"]
        + (command == "replay" ? ["--photos", "none"] : []))
    try await process.output.waitFor("w/001.gpx")
    process.signal(SIGINT)
    #expect(await process.result().code == 130)
  }

  @Test func theOutputIsNotReadAsATrack() async throws {
    _ = try folder(2)
    for tracks in [["w"], ["w/out.gpx"]] {
      let run = try await replay(
        tracks + ["--photos", "none", "--format", "gpx"], appendingTo: "w/out.gpx")
      #expect(run.code == 65)
      #expect(run.errors.contains("error: w/out.gpx: is also the output\nhint: "))
    }
  }

  @Test func aClosedPipeEndsTheRunQuietly() async throws {
    _ = try folder(50)
    for command in [["replay", "--photos", "none", "--distance-filter", "0"], ["info"]] {
      let run = try await home.run(
        command + ["--format", "ndjson"] + Array(repeating: "w", count: 200),
        .init(reading: .firstPieceThenClose))
      #expect(run.code == 0)
      #expect(!run.errors.contains("rror"))
    }
  }

  @Test func aFullDiskIsToldAndTheRunGoesOnLater() async throws {
    _ = try folder(60)
    let arguments = ["w", "--photos", "none", "--format", "ndjson"]
    let whole = try await home.run(["replay", "--interval", "off"] + arguments)
    let full = try await replay(arguments, appendingTo: "out.ndjson", fileSizeLimit: 40)
    #expect(full.code == 1)
    #expect(full.errors.contains("error: stdout: "))
    let run = try await replay(
      arguments + ["--resume", "out.ndjson"], appendingTo: "out.ndjson")
    #expect(run.code == 0, "\(run.errors)")
    #expect(home.text(of: "out.ndjson") == whole.output)
  }

  // MARK: Photos

  @Test func theTracksShareTheSearches() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 100).callAsFunction) { server in
      try home.file("a.gpx", Track.north(9))
      let environment = ["FLICKR_API_KEY": "k", "FAKETRACK_FLICKR_URL": "\(server.url)"]
      let one = try await home.run(
        ["replay", "a.gpx", "--photos", "flickr", "--format", "ndjson"],
        .init(environment: environment))
      let calls = server.requests.count
      #expect(calls > 0)
      try FileManager.default.removeItem(at: home.database)
      let many = try await home.run(
        ["replay", "--photos", "flickr", "--format", "ndjson", "--jobs", "4"]
          + Array(repeating: "a.gpx", count: 6), .init(environment: environment))
      #expect(server.requests.count == 2 * calls)
      #expect(many.count(of: "call") == calls)
      // Each track chooses photos independently.
      #expect(
        many.lines.filter { !$0.contains("\"end\"") }.map { $0.dropFirst(17) }
          == Array(repeating: one.lines.map { $0.dropFirst(1) }, count: 6).flatMap(\.self))
    }
  }

  @Test func everyTrackHasAFolderForItsPhotos() async throws {
    try await StubServer.run(CommonsStub().callAsFunction) { server in
      try home.file("w/a.gpx", Track.potsdam(3))
      try home.file("w/a_b.gpx", Track.potsdam(2))
      let run = try await home.run(
        ["replay", "w", "--photos", "commons", "--download", "photos", "--jobs", "2"],
        .init(environment: ["FAKETRACK_COMMONS_URL": "\(server.url)w/api.php"]))
      #expect(run.code == 0, "\(run.errors)")
      #expect(home.names(in: "photos") == ["w%2Fa.gpx", "w%2Fa_b.gpx"])
      #expect(home.names(in: "photos/w%2Fa.gpx").count == 4)
      #expect(run.lines.first?.hasPrefix("photos/w%2Fa.gpx/0000-") == true)
      #expect(run.lines.last?.hasPrefix("photos/w%2Fa_b.gpx/0001-") == true)
    }
  }

  // MARK: Terminal

  @Test(arguments: ["replay", "info"])
  func aLineTellsHowManyTracksAreDone(command: String) async throws {
    try home.file("w/faketrack.gpx", Data(contentsOf: Repository.walk))
    let terminal = try PseudoTerminal(columns: 100)
    let process = try home.start(
      [command, "--tracks-from", "-"]
        + (command == "replay" ? ["--photos", "none", "--distance-filter", "0"] : []),
      .init(input: .later, terminal: terminal, terminalStreams: .errors))
    try process.type("{\"track\":\"a\",\"path\":\"w/faketrack.gpx\"}\n")
    try await terminal.transcript.waitFor("1 track")
    try process.endInput()
    #expect(await process.result().code == 0)
    await terminal.finish()
  }

  @Test func theLineTellsOfHowManyAndHowLong() async throws {
    let files = (0..<8).map { _ in "faketrack.gpx" }
    let terminal = try PseudoTerminal(columns: 100)
    let run = try await home.run(
      ["replay", "--photos", "sample", "--speed", "1000", "--to", "20min", "--jobs", "2"] + files,
      .init(terminal: terminal, terminalStreams: .errors))
    #expect(run.code == 0)
    let shown = await terminal.finish()
    #expect(shown.contains(" of 8 tracks"))
    #expect(shown.contains("━") && shown.contains(" left"))
    #expect(terminal.screen.last?.hasPrefix("8 tracks, ") == true)
  }
}
