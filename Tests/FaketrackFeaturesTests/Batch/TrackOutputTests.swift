import FaketrackSupport
import FaketrackTestSupport
import Foundation
import GPX
import Testing

@testable import FaketrackFeatures

@Suite struct TrackOutputTests {
  private static let totals = TrackTotals(locations: 3, photos: 2, length: 200, skipped: 0)

  /// The pieces of a track of three visits, two of them together.
  private func chunks(
    _ format: OutputFormat, track: String = "a", end: TrackOutcome? = TrackOutcome(totals)
  ) async throws -> [TrackChunk] {
    let visits = try (0..<3).map { try Visits.full($0) }
    let pieces = Locked<[TrackChunk]>([])
    let output = TrackOutput(format.renderer(track)) { chunk in
      pieces.withLock { $0.append(chunk) }
      return chunk.ends.count
    }
    _ = try await output.write(Array(visits[..<2]))
    _ = try await output.write([visits[2]])
    if let end { try await output.end(end) }
    return pieces.withLock(\.self)
  }

  @Test(arguments: OutputFormat.plain.map(\.name))
  func thePiecesAreTheText(name: String) async throws {
    let format = try #require(OutputFormat.plain.first { $0.name == name })
    let chunks = try await chunks(format)
    let visits = try (0..<3).map { try Visits.full($0) }
    #expect(
      chunks.map(\.text.string).joined()
        == format.renderer("a").text(of: visits, end: TrackOutcome(Self.totals)))
    #expect(chunks.map(\.ends.count).prefix(2) == [2, 1])
    for chunk in chunks where !chunk.text.isEmpty { #expect(chunk.ends.last == chunk.text.count) }
    #expect(chunks.last?.outcome?.totals == Self.totals)
  }

  @Test func whatBreaksOffIsAWholeDocumentAllTheSame() async throws {
    let format = OutputFormat.gpx
    let frame = format.frame(true)
    let chunks = try await chunks(format)
    for count in 1...chunks.count {
      var text = chunks.prefix(count).reduce(into: TextBuffer()) { $0.append(contentsOf: $1.text) }
      if var renderer = chunks[count - 1].renderer { renderer.appendClosing(nil, to: &text) }
      let document = try GPXDocument(
        data: Data(
          (frame.opening + text.string + frame.closing).utf8),
        isStrict: true)
      #expect(document.fixes.count == min(count + 1, 3))
      #expect(document.tracks.first?.details.name == "a")
    }
  }

  @Test func theEndOfATrackIsARecord() async throws {
    #expect(
      try await chunks(.ndjson).last?.text.string == """
        {"track":"a","end":true,"locations":3,"photos":2,"length":200.0,"skipped":0}

        """)
    let failure = Failure(message: "cut \"here\"")
    #expect(
      try await chunks(.ndjson, end: TrackOutcome(failure: failure)).last?.text.string == """
        {"track":"a","error":"cut \\"here\\""}

        """)
    #expect(try await chunks(.ndjson, end: nil).last?.text.string.contains("\"index\":2") == true)
  }
}

@Suite struct NamedTrackTests {
  private func text(_ format: OutputFormat, track: String = "a,\"b\".gpx") throws -> String {
    format.frame(true).text(
      around: format.renderer(track).text(of: [try Visits.full(0), try Visits.bare(1)]))
  }

  @Test func eachRecordBeginsWithTheTrack() throws {
    let lines = try text(.ndjson).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"track":"a,\"b\".gpx","index":"#) })
    let rows = try text(.csv).split(separator: "\n")
    #expect(rows[0].hasPrefix("track,index,time,"))
    #expect(rows[1].hasPrefix(#""a,""b"".gpx",0,2026-"#))
    let features = try text(.geojson).split(separator: "\n")
    #expect(features[1].contains(#""properties":{"track":"a,\"b\".gpx","index":0,"#))
    let document = try GPXDocument(data: Data(try text(.gpx).utf8), isStrict: true)
    #expect(document.tracks.map(\.details.name) == ["a,\"b\".gpx"])
  }

  @Test func noNameSteersATerminal() throws {
    for format in OutputFormat.plain where format.name != "nmea" {
      let text = try text(format, track: "a\u{1B}[2J\u{202E}\n\u{7}")
      let harmful = text.unicodeScalars.filter {
        [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
      }
      #expect(harmful.isEmpty, "\(format.name)")
      #expect(!text.contains("\n\u{7}"))
    }
  }
}
