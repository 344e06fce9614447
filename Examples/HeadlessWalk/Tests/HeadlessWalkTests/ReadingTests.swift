import Foundation
import GPX
import Geodesy
import Locations
import Testing

/// The snippets of the articles on reading.
@Suite struct ReadingTests {
  private let url = URL(filePath: #filePath).appending(path: "../../../../../faketrack.gpx")
    .standardized

  @Test func aDocumentHoldsAllOfAFile() throws {
    let document = try GPXDocument(contentsOf: url)
    for track in document.tracks {
      #expect(track.segments.map(\.points.count) == [7_201])
    }
    for issue in document.issues {
      Issue.record("\(issue)")
    }
    #expect(document.fixes.count == 7_201)
  }

  @Test func aReaderNeedsNoMoreMemoryForMore() throws {
    var statistics = TrackStatistics()
    var log = GPXIssueLog()
    try GPXReader(contentsOf: url).read { event in
      switch event {
      case .points(let points) where points.kind == .trackPoint:
        for fix in points.fixes { statistics.add(fix) }
      case .issue(let issue):
        _ = log.record(issue)
      default:
        break
      }
    }

    #expect(statistics.points == 7_201)
    #expect(statistics.duration == .seconds(7_200))
    #expect(log.total == 0)
  }

  @Test func aReadingEndsWithItsLoop() async throws {
    var first: Fix?
    for try await fix in GPXFixes(url, source: .tracks) {
      first = fix
      break
    }

    #expect(first?.time == Date(timeIntervalSince1970: 1_777_622_400))
  }

  @Test func aFileIsReplayedWhileItIsRead() async throws {
    let batches = GPXFixes(url).batches
    let provider = ReplayLocationProvider(batches: batches, distanceFilter: 1_000, speed: .max)

    var count = 0
    for try await update in provider.updates() {
      if update.location != nil { count += 1 }
    }
    #expect(count > 5)
  }

  @Test func whatCannotBeReadSaysWhereAndWhatToDo() throws {
    do {
      _ = try GPXDocument(data: Data("<gpx><trk></gpx>".utf8))
      Issue.record("a broken file was read")
    } catch let error as GPXError {
      #expect(error.line == 1)
      #expect(!error.description.isEmpty)
    }
  }

  @Test func aTrackIsWritten() throws {
    let fixes = try GPXDocument(contentsOf: url).fixes

    var writer = GPXWriter(creator: "HeadlessWalk")
    writer.startTrack(name: "The first minute")
    for fix in fixes.prefix(61) { writer.write(fix) }
    writer.finish()
    let data = Data(writer.takeBytes())

    let document = try GPXDocument(data: data)
    #expect(document.tracks.first?.name == "The first minute")
    #expect(document.fixes.map(\.coordinate) == fixes.prefix(61).map(\.coordinate))
  }
}
