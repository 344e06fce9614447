import FaketrackSupport
import FaketrackTestSupport
import Testing

@testable import FaketrackFeatures

@Suite struct FinishedTracksTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func finished(_ text: String) throws -> FinishedTracks {
    try home.file("out.ndjson", text)
    return try FinishedTracks(contentsOf: home.path("out.ndjson"))
  }

  private static let whole =
    record("a", 0) + """
      {"track":"a","end":true,"locations":1,"photos":0,"length":0.0,"skipped":0}
      {"track":"b","error":"b: this is an empty file, not GPX"}

      """

  /// The bytes of the track that has an end.
  private static let lengthOfA =
    0..<whole.utf8.count - whole.split(separator: "\n")[2].utf8.count - 1

  private static func record(_ track: String, _ index: Int) -> String {
    """
    {"track":"\(track)","index":\(index),"time":null,"latitude":52.0,"longitude":13.0,\
    "elevation":null,"distance":0.0,"elapsed":0.0,"speed":null,"course":null,"horizontalAccuracy":null,\
    "interpolated":false,"city":null,"photo":null,"error":null}

    """
  }

  private static func end(_ track: String) -> String {
    "{\"track\":\"\(track)\",\"end\":true,\"locations\":1}\n"
  }

  /// Whether each track is left out, asked one track after the other.
  private func leftOut(_ tracks: String..., from finished: FinishedTracks) -> [Bool] {
    var finished = finished
    return tracks.map { finished.leavesOut($0) }
  }

  @Test func tracksWithAnEndAreLeftOut() throws {
    let finished = try finished(Self.whole)
    #expect(leftOut("a", "b", "c", from: finished) == [true, false, false])
    #expect(finished.whole == [Self.lengthOfA])
    var counting = finished
    _ = counting.leavesOut("a")
    _ = counting.leavesOut("b")
    #expect(counting.leftOut == 1)
  }

  @Test func eachEndCountsOnce() throws {
    #expect(leftOut("a", "a", from: try finished(Self.whole)) == [true, false])
    #expect(
      leftOut("a", "a", "a", from: try finished(Self.whole + Self.whole)) == [true, true, false])
  }

  @Test(arguments: [
    "", record("c", 0), "{\"track\":\"c\",\"ind",
    "{\"track\":\"c\",\"event\":\"denied\",\"time\":null,\"distance\":0.0}\n",
    "{\"track\":\"c\",\"end\":true,\"locations\":1,\"photos\":0,\"length\":0.0,\"skipped\":0}",
  ])
  func aTrackThatBrokeOffIsNotThere(rest: String) throws {
    let finished = try finished(Self.whole + rest)
    #expect(leftOut("c", from: finished) == [false])
    #expect(finished.whole == [Self.lengthOfA])
  }

  @Test func namesAreReadAsJSON() throws {
    let name = "a \"b\" \\ ä \u{1}"
    let renderer = OutputFormat.ndjson.renderer(name)
    let totals = TrackTotals(locations: 0, photos: 0, length: 0, skipped: 0)
    let text = renderer.text(of: [try Visits.full()], end: TrackOutcome(totals))
    #expect(leftOut(name, from: try finished(text)) == [true])
  }

  @Test(arguments: [
    "{\"index\":0}", "a,b", "{\"track\":1,\"end\":true}", "{\"track\":\"a\",\"file\":\"a.gpx\"}",
    "[",
    "{\"track\":\"a", "{\"track\":\"a\\", "{\"track\":\"\\ud800\",\"end\":true}",
  ])
  func anotherFileIsRefused(line: String) throws {
    #expect {
      _ = try finished(Self.whole + line + "\n")
    } throws: { error in
      let failure = error as? Failure
      return failure?.kind == .unusableInput
        && failure?.message
          == "\(home.path("out.ndjson")):4: this is not a record of one of many tracks"
    }
  }

  @Test(arguments: [
    (1, "\"interpolated\":false,", "interpolated"), (2, ",\"distance\":312.41", "city.distance"),
    (2, ",\"source\":\"commons\"", "photo.source"),
  ])
  func recordsOfAnEarlierVersionAreRefused(line: Int, lacking text: String, field: String) throws {
    let visits = [try Visits.bare(), try Visits.full(1)]
    let current = OutputFormat.ndjson.renderer("a").text(of: visits)
    _ = try finished(current)
    #expect {
      _ = try finished(current.replacing(text, with: ""))
    } throws: { error in
      let failure = error as? Failure
      return failure?.kind == .unusableInput
        && failure?.message
          == "\(home.path("out.ndjson")):\(line): written by an earlier version, without \(field)"
    }
  }

  @Test(arguments: ["{\"all\":[]}", "a", "{\"tracks", "\u{0}"])
  func anotherFileWithoutALineEndIsRefused(text: String) {
    #expect(throws: Failure.self) { try finished(text) }
    #expect(throws: Failure.self) { try finished(Self.whole + text) }
  }

  @Test(arguments: 0..<20)
  func aRecordMayBeCutAnywhere(count: Int) throws {
    let rest = "{\"track\":\"c\",\"index\":0".prefix(count)
    #expect(try finished(Self.whole + rest).whole == [Self.lengthOfA])
  }

  @Test(arguments: 1...18)
  func aLineThatWasCutOffIsVoidAlsoBeforeOtherRecords(count: Int) throws {
    let cut = Self.record("c", 0) + Self.record("c", 1).prefix(count)
    for rest in [Self.record("c", 0) + Self.end("c"), Self.end("c")] {
      let finished = try finished(Self.whole + cut + rest + Self.end("d"))
      #expect(leftOut("a", "c", "d", from: finished) == [true, false, true])
    }
  }

  @Test func aTrackThatWasBegunAgainIsThereOnce() throws {
    let tried = Self.record("c", 0) + Self.record("c", 1)
    let again = tried + Self.record("c", 2) + Self.end("c")
    let finished = try finished(Self.whole + tried + again)
    #expect(leftOut("c", from: finished) == [true])
    let start = (Self.whole + tried).utf8.count
    #expect(finished.whole == [Self.lengthOfA, start..<(start + again.utf8.count)])
  }

  @Test func saysThatATrackIsThereUnderAnotherPath() throws {
    try home.file("out.ndjson", Self.end("w/a.gpx"))
    for (track, isNoted) in [("./w/a.gpx", true), ("w/b.gpx", false), ("w/a.gpx", false)] {
      let notes = Locked<[String]>([])
      let path = home.path("out.ndjson")
      var finished = try FinishedTracks(contentsOf: path) { note in
        notes.withLock { $0.append(note) }
      }
      for _ in 0..<2 { _ = finished.leavesOut(track) }
      let note =
        "note: \(path) has w/a.gpx but not \(track), which is replayed: "
        + "only tracks of the same name are left out"
      #expect(notes.withLock { $0 } == (isNoted ? [note] : []))
    }
  }

  @Test func aMissingFileIsTold() {
    #expect(throws: Failure.self) { try FinishedTracks(contentsOf: home.path("none")) }
  }
}
