import Foundation
import GPX
import Geodesy
import Testing

/// The snippets of the article `GPX.md`, word for word.
@Suite struct DocumentationTests {
  private let text = segment(
    (0..<120).map {
      "<trkpt lat='52.\(100 + $0)' lon='13'><extensions><hr>\($0)</hr></extensions></trkpt>"
    }.joined() + "<trkpt lat='x' lon='13'/>")

  @Test func readsAFileAtOnceAndWritesIt() throws {
    try withTemporaryFile(Array(text.utf8)) { path in
      let url = URL(fileURLWithPath: path)
      let copy = URL(fileURLWithPath: path + ".copy")
      defer { try? FileManager.default.removeItem(at: copy) }

      var document = try GPXDocument(contentsOf: url)
      for issue in document.issues { print(issue) }
      document.tracks[0].name = "Once around the lake"
      try document.write(to: copy, creator: "MyApp")

      let back = try GPXDocument(contentsOf: copy)
      #expect(back.tracks == document.tracks)
      #expect(back.tracks[0].segments[0].points[7].details.extensions == "<hr>7</hr>")
      #expect(document.issues.count == 1)
    }
  }

  @Test func readsAFileOfAnyLength() throws {
    try withTemporaryFile(Array(text.utf8)) { path in
      let url = URL(filePath: path)
      var statistics = TrackStatistics()
      var log = GPXIssueLog()
      try GPXReader(contentsOf: url, readsDetails: false).read { event in
        switch event {
        case .points(let points) where points.kind == .trackPoint:
          for fix in points.fixes { statistics.add(fix) }
        case .issue(let issue) where log.record(issue):
          print(issue.description(in: path))
        default:
          break
        }
      }
      #expect(statistics.points == 120)
      #expect(log.skipped == 1)
    }
  }

  @Test func readsTheFirstFix() async throws {
    try await withTemporaryFile(Array(text.utf8)) { path in
      let url = URL(filePath: path)
      var first: Fix?
      for try await fix in GPXFixes(url) {
        first = fix
        break
      }
      #expect(first?.coordinate.latitude == 52.1)
    }
  }

  @Test func handlesErrors() {
    let data = Data("<gpx><trk></gpx>".utf8)
    var document = GPXDocument()
    do {
      document = try GPXDocument(data: data)
    } catch {
      print(error, error.recoverySuggestion ?? "")
      #expect(error.line == 1)
    }
    #expect(document == GPXDocument())
  }

  @Test func writes() throws {
    let fixes = try GPXDocument(data: Data(text.utf8)).fixes.prefix(61)

    var writer = GPXWriter(creator: "MyApp")
    writer.startTrack(name: "The first minute")
    for fix in fixes { writer.write(fix) }
    writer.finish()
    let data = Data(writer.takeBytes())

    let document = try GPXDocument(data: data)
    #expect(document.tracks.map(\.name) == ["The first minute"])
    #expect(document.fixes == Array(fixes))
  }
}
