import FaketrackTestSupport
import Foundation
import GPX
import Testing

@testable import FaketrackFeatures

@Suite struct TrackLinesTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func tracks(_ text: String) async throws -> [BatchTrack] {
    try home.file("tracks.ndjson", text)
    let lines = try TrackLines(home.path("tracks.ndjson"))
    var tracks: [BatchTrack] = []
    while let track = try await lines.next() { tracks.append(track) }
    return tracks
  }

  @Test func aLineHasAPathOrAGPX() async throws {
    let tracks = try await tracks(
      """
      {"track":"a","path":"w/a.gpx"}

      {"gpx":"<gpx>\\n</gpx>","track":"b","note":"more is ignored"}\r
      {"track":17,"path":"17.gpx"}
      my walks/c.gpx\r
      """)
    #expect(tracks.map(\.id) == ["a", "b", "17", "my walks/c.gpx"])
    guard case .success(.file("w/a.gpx")) = tracks[0].input,
      case .success(.bytes(let bytes, name: "b")) = tracks[1].input,
      case .success(.file("17.gpx")) = tracks[2].input,
      case .success(.file("my walks/c.gpx")) = tracks[3].input
    else {
      Issue.record("\(tracks)")
      return
    }
    #expect(bytes == Array("<gpx>\n</gpx>".utf8))
  }

  @Test(arguments: [
    ("{\"track\":\"a\"", "1: this is not a track"),
    ("{\"path\":\"a.gpx\"}", "1: this is not a track"),
    ("{\"track\":null,\"path\":\"a.gpx\"}", "1: this is not a track"),
    ("{", "1: this is not a track"),
    ("{\"track\":\"\",\"path\":\"a.gpx\"}", "1: the track has no name"),
    ("{\"track\":\"a\"}", "1: a: a track has either a path or a gpx"),
    (
      "{\"track\":\"a\",\"path\":\"p\",\"gpx\":\"<gpx/>\"}",
      "1: a: a track has either a path or a gpx"
    ),
  ])
  func aLineThatIsNoTrackFailsAndStopsNoOther(line: String, reason: String) async throws {
    let tracks = try await tracks(line + "\n{\"track\":\"next\",\"path\":\"n.gpx\"}\n")
    #expect(tracks.count == 2)
    #expect(tracks.last?.id == "next")
    let failure = try #require(tracks.first?.failure)
    #expect(failure.message == "\(home.path("tracks.ndjson")):\(reason)")
    #expect(failure.hint?.contains("path") == true)
    #expect(failure.kind == .unusableInput)
  }

  @Test func aListThatIsMissingIsTold() throws {
    #expect {
      _ = try TrackLines(home.path("none"))
    } throws: {
      ($0 as? Failure)?.message == "\(home.path("none")): cannot be read: No such file or directory"
    }
  }

  @Test func aWaitForALineEndsWithTheTask() async throws {
    let path = home.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    // Somebody who writes nothing.
    let writer = open(path, O_RDWR)
    defer { close(writer) }
    let lines = try TrackLines(path)
    let task = Task { try await lines.next() }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
