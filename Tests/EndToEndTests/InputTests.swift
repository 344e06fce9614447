import FaketrackTestSupport
import Foundation
import Testing

/// The sources of a track.
@Suite struct InputTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  @Test func printsAPhotoAddressForEveryHundredMetersAndNothingElse() async throws {
    let run = try await home.run("replay", "faketrack.gpx", "--photos", "sample")
    #expect(run.code == 0)
    #expect((80...110).contains(run.lines.count))
    #expect(Set(run.lines).count == run.lines.count)
    for line in run.lines {
      #expect(line.wholeMatch(of: #/https://photos\.faketrack\.example/s\d+x\d+_z\.jpg/#) != nil)
    }
    #expect(run.output.hasSuffix("\n"))
    #expect(
      run.errorLines.dropLast() == [
        "photos: the built-in sample, made up; --photos commons for real ones, "
          + "FLICKR_API_KEY for Flickr",
        "walking: tracks of faketrack.gpx",
      ])
    let count = run.lines.count
    #expect(
      run.errorLines.last
        == "\(count) locations, 9.4 km, \(count) photos")
  }

  @Test func everyFixIsDeliveredWithoutADistanceFilter() async throws {
    let run = try await home.run(
      "replay", "faketrack.gpx", "--photos", "none", "--distance-filter", "0", "--format",
      "ndjson")
    #expect(run.code == 0)
    #expect(run.lines.count == 7_201)
    let (first, last) = (try Record(run.lines.first), try Record(run.lines.last))
    #expect(first.time == "2026-05-01T08:00:00Z")
    #expect(last.time == "2026-05-01T10:00:00Z")
    #expect(last.index == 7_200)
  }

  @Test func recordsAreInOrderAndNoneIsLost() async throws {
    let records = try await home.run(
      "replay", "faketrack.gpx", "--photos", "sample", "--format", "ndjson"
    ).records
    #expect(records.map(\.index) == Array(0..<records.count))
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.distance < $1.distance })
    #expect(Set(records.map(\.photo?.id)).count == records.count)
    #expect(records.allSatisfy { $0.city?.name == "Potsdam" && $0.error == nil })
    #expect(records.first?.speed == nil)
    #expect(records.dropFirst().allSatisfy { (0...3).contains($0.speed ?? -1) })
    #expect(records.allSatisfy { ($0.photo?.distance ?? 1e9) <= 500 })
  }

  @Test func aFileAPipeAndGzipAreTheSame() async throws {
    let bytes = try Data(contentsOf: Repository.walk)
    let file = try await home.run("replay", "faketrack.gpx", "--photos", "sample")
    let packed = try home.file("walk.gpx.gz", bytes.gzipped)
    let gzip = try await home.run("replay", packed, "--photos", "sample")
    #expect(gzip.output == file.output)
    for input in [bytes, bytes.gzipped] {
      let piped = try await home.run("replay", "-", "--photos", "sample", input: .data(input))
      #expect(piped.code == 0)
      #expect(piped.output == file.output)
      #expect(piped.errorLines.contains("walking: tracks of standard input"))
    }
  }

  @Test func standardInputCanBeWalkedSeveralTimes() async throws {
    let text = Track.north(5)
    let options = ["--photos", "none", "--format", "ndjson", "--interval", "off", "--loop", "3"]
    let read = try await home.run(["replay", try home.file("walk.gpx", text)] + options)
    let piped = try await home.run(["replay", "-"] + options, .init(input: .text(text)))
    #expect(read.code == 0)
    #expect(read.lines.count == 15)
    #expect(piped.code == 0)
    #expect(piped.output == read.output)
  }

  @Test func standardInputCanBeWalkedBackwards() async throws {
    let text = Track.north(5)
    let options = ["--photos", "none", "--format", "ndjson", "--interval", "off", "--reverse"]
    let read = try await home.run(["replay", try home.file("walk.gpx", text)] + options)
    let piped = try await home.run(["replay", "-"] + options, .init(input: .text(text)))
    #expect(piped.output == read.output)
    #expect(piped.lines.count == 5)
  }

  @Test func locationsAreWrittenWhileTheTrackIsStillComing() async throws {
    let process = try home.start(
      ["replay", "-", "--interval", "off", "--photos", "none", "--format", "ndjson"]
        + ["--speed", "1000"],
      .init(input: .later))
    // More than a buffer, so that reading does not wait for more.
    try process.type(Track.opening + (0..<10).map(Track.point).joined())
    try process.type(String(repeating: "<!-- a comment that fills the buffer -->\n", count: 4_000))
    try await process.output.waitFor("\"index\":0")
    try process.type(Track.closing)
    try process.endInput()
    let run = await process.result()
    #expect(run.code == 0)
    #expect(run.lines.count == 10)
  }

  @Test func aPipeNamedAsAFileIsReadOnce() async throws {
    let pipe = home.path("pipe.gpx")
    try #require(mkfifo(pipe, 0o600) == 0)
    let bytes = try Data(contentsOf: Repository.walk)
    Thread.detachNewThread {
      // Opening waits for the reader.
      try? FileHandle(forWritingTo: URL(fileURLWithPath: pipe)).write(contentsOf: bytes)
    }
    let terminal = try PseudoTerminal()
    let run = try await home.run(
      ["replay", "pipe.gpx", "--photos", "sample"],
      .init(terminal: terminal, terminalStreams: .errors))
    #expect(run.code == 0)
    #expect((80...110).contains(run.lines.count))
    await terminal.finish()
  }

  @Test func timesThatAreMissingAreNotMadeUp() async throws {
    let text = Track.north(4).replacing(#/<time>.*<\/time>/#, with: "")
    let run = try await home.run(
      "replay", try home.file("untimed.gpx", text), "--interval", "off", "--photos", "none",
      "--format", "ndjson")
    let records = try run.records
    #expect(records.count == 4)
    #expect(records.allSatisfy { $0.time == nil && $0.speed == nil })
    #expect(run.errorLines.contains("note: 4 points without a time: assuming 1.3 m/s"))
  }
}
