import FaketrackSupport
import FaketrackTestSupport
import Testing

@testable import FaketrackFeatures

@Suite struct BatchRunTests {
  private struct Broken: Error {}

  /// An output that takes a number of records, and then is canceled or fails.
  private final class Sink: Sendable {
    private let state = Locked((text: "", writes: 0, room: Int.max))
    private let failure: (any Error)?

    init(room: Int = .max, failure: (any Error)? = nil) {
      self.failure = failure
      state.withLock { $0.room = room }
    }

    var text: String { state.withLock(\.text) }
    var writes: Int { state.withLock(\.writes) }

    func write(_ text: TextBuffer, _ ends: [Int]) async throws -> Int {
      try state.withLock { state in
        let count = min(state.room, ends.count)
        if count < ends.count, let failure { throw failure }
        let end = count == ends.count ? text.count : count > 0 ? ends[count - 1] : 0
        state.text += String(decoding: text.bytes.prefix(end), as: UTF8.self)
        state.writes += 1
        if count < ends.count {
          state.room = .max
        } else if state.room < .max {
          state.room -= count
        }
        return count
      }
    }
  }

  private func run(
    _ paths: [String], _ format: OutputFormat?, _ sink: Sink, _ work: @escaping BatchRun.Work
  ) async throws -> (run: BatchRun, error: (any Error)?, reported: [Failure]) {
    let reported = Locked<[Failure]>([])
    let run = BatchRun(
      try BatchTracks(paths), jobs: 2, format: format, write: sink.write,
      report: { failure in reported.withLock { $0.append(failure) } })
    var failure: (any Error)?
    do { try await run.run(work) } catch { failure = error }
    try await run.close()
    return (run, failure, reported.withLock(\.self))
  }

  @Test func aChangeIsNotCountedAsALocation() async throws {
    let (run, _, _) = try await run(["a", "b"], .ndjson, Sink(room: 4)) { _, output in
      _ = try await output.write([try Visits.full(0)])
      try await output.write(WalkEvent(change: .denied))
      _ = try await output.write([try Visits.full(1)])
      _ = try await output.write([try Visits.full(2)])
      return TrackOutcome()
    }
    #expect(run.recordsInProgress == 2)
  }

  /// Writes visits one by one, and ends with their number.
  private static func walk(_ count: Int, failure: Failure? = nil) -> BatchRun.Work {
    { _, output in
      for index in 0..<count {
        if try await output.write([try Visits.full(index)]) == 0 { throw CancellationError() }
      }
      return TrackOutcome(TrackTotals(locations: count), failure: failure)
    }
  }

  private static func text(
    _ format: OutputFormat, _ tracks: [String?], _ count: Int
  ) throws -> String {
    let frame = format.frame(tracks != [nil])
    let visits = try (0..<count).map { try Visits.full($0) }
    return frame.text(
      around: tracks.map { track in
        format.renderer(track).text(
          of: visits, end: TrackOutcome(TrackTotals(locations: count)))
      }.joined(separator: frame.separator))
  }

  @Test(arguments: OutputFormat.plain.map(\.name))
  func oneTrackHasNoNameAndNoEndRecord(name: String) async throws {
    let format = try #require(OutputFormat.plain.first { $0.name == name })
    let sink = Sink()
    let result = try await run(["a.gpx"], format, sink, Self.walk(3))
    #expect(result.error == nil)
    let expected = try Self.text(format, [nil], 3)
    #expect(sink.text == expected)
    #expect(!sink.text.contains("a.gpx") && !sink.text.contains("\"end\""))
    #expect(result.run.tally.totals.locations == 3)
  }

  @Test(arguments: OutputFormat.plain.map(\.name))
  func manyTracksAreOneDocument(name: String) async throws {
    let format = try #require(OutputFormat.plain.first { $0.name == name })
    let sink = Sink()
    let result = try await run(["a.gpx", "b.gpx"], format, sink, Self.walk(3))
    #expect(result.error == nil)
    let expected = try Self.text(format, ["a.gpx", "b.gpx"], 3)
    #expect(sink.text == expected)
    #expect(result.run.tally.tracks == 2)
    #expect(result.run.recordsInProgress == 0)
  }

  @Test func aSeparatorComesBetweenTracksThatHaveText() async throws {
    let format = OutputFormat("lines", frame: { _ in DocumentFrame(separator: "--\n") }) { _ in
      NumberRenderer()
    }
    let sink = Sink()
    _ = try await run(["a.gpx", "b.gpx", "c.gpx"], format, sink) { track, output in
      if track.id != "b.gpx" { _ = try await output.write([try Visits.full(7)]) }
      return TrackOutcome()
    }
    #expect(sink.text == "7\n--\n7\n")
  }

  @Test func textsAreWrittenAsTheyAre() async throws {
    let sink = Sink()
    _ = try await run(["a.gpx", "b.gpx"], nil, sink) { track, output in
      try await output.write("\(track.id)\n")
      return TrackOutcome()
    }
    #expect(sink.text == "a.gpx\nb.gpx\n")
  }

  @Test func theFailureOfOneTrackIsThatOfTheRun() async throws {
    let failure = Failure(message: "cut")
    let result = try await run(["a.gpx"], .ndjson, Sink(), Self.walk(1, failure: failure))
    #expect(result.run.failure == failure)
    #expect(result.reported.isEmpty)
  }

  @Test func theFailuresOfABatchAreReported() async throws {
    let sink = Sink()
    let failure = Failure(message: "cut")
    let result = try await run(
      ["a.gpx", "b.gpx"], .ndjson, sink, Self.walk(1, failure: failure))
    #expect(result.run.failure == nil)
    #expect(result.run.tally.failed == 2)
    #expect(result.reported == [failure, failure])
    #expect(sink.text.hasSuffix("{\"track\":\"b.gpx\",\"error\":\"cut\"}\n"))
  }

  @Test(arguments: [["a.gpx"], ["a.gpx", "b.gpx"]])
  func aTrackThatBreaksOffIsClosed(paths: [String]) async throws {
    let sink = Sink(room: 3)
    // The opening of the document and two visits are written, and nothing of the third.
    let result = try await run(paths, .gpx, sink, Self.walk(5))
    #expect(result.error is CancellationError)
    #expect(result.run.recordsInProgress == 2)
    #expect(sink.text.components(separatedBy: "<trkpt").count == 3)
    #expect(sink.text.hasSuffix("</gpx>\n"))
    #expect(sink.text.components(separatedBy: "</trk>").count == 2)
  }

  @Test func aTrackOfWhichNothingWasWrittenIsNotClosed() async throws {
    let sink = Sink(room: 1)
    _ = try await run(["a.gpx"], .gpx, sink, Self.walk(5))
    #expect(!sink.text.contains("trk"))
    #expect(sink.text.hasSuffix("</gpx>\n"))
  }

  @Test func anOutputThatFailsEndsTheRun() async throws {
    for paths in [["a.gpx"], ["a.gpx", "b.gpx"]] {
      let sink = Sink(room: 2, failure: Broken())
      let run = BatchRun(
        try BatchTracks(paths), jobs: 1, format: .ndjson, write: sink.write, report: { _ in })
      await #expect(throws: Broken.self) { try await run.run(Self.walk(5)) }
    }
  }

  @Test func visitsOfOneTrackAreWrittenBeforeTheWriteReturns() async throws {
    let sink = Sink()
    _ = try await run(["a.gpx"], .ndjson, sink) { _, output in
      for index in 0..<3 {
        let written = try await output.write([try Visits.full(index)])
        #expect(written == 1)
        #expect(sink.text.split(separator: "\n").count == index + 1)
      }
      return TrackOutcome()
    }
  }
}

private struct NumberRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {
    text.append(visit.index)
    text.append("\n")
  }
}

@Suite struct BatchTracksTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func ids(_ tracks: BatchTracks) async throws -> [String] {
    var ids: [String] = []
    while let track = try await tracks.next() { ids.append(track.id) }
    return ids
  }

  @Test func oneFileIsASingleTrack() async throws {
    let tracks = try BatchTracks([home.path("a.gpx")])
    #expect(tracks.single?.id == home.path("a.gpx"))
    let input = try BatchTracks(["-"])
    #expect(input.single?.id == "-")
  }

  @Test func filesFoldersAndListsAreBatches() async throws {
    try home.file("w/a.gpx", "")
    try home.file("list", #"{"track":"x","path":"a.gpx"}"#)
    let folder = try BatchTracks([home.path("w")])
    #expect(folder.single == nil)
    #expect(try await ids(folder) == [home.path("w") + "/a.gpx"])
    let files = try BatchTracks(["a.gpx", "b.gpx"])
    #expect(files.single == nil)
    #expect(try await ids(files) == ["a.gpx", "b.gpx"])
    let list = try BatchTracks([], list: home.path("list"))
    #expect(list.single == nil)
    #expect(try await ids(list) == ["x"])
  }

  @Test func finishedTracksAreLeftOutOfABatch() async throws {
    let text = OutputFormat.ndjson.renderer("a.gpx").text(of: [], end: TrackOutcome())
    try home.file("out.ndjson", text)
    let finished = try FinishedTracks(contentsOf: home.path("out.ndjson"))
    let tracks = try BatchTracks(["a.gpx"], finished: finished)
    #expect(tracks.single == nil)
    #expect(try await ids(tracks).isEmpty)
    #expect(tracks.leftOut == 1)
  }
}
