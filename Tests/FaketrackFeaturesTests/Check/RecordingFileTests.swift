import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeatures

@Suite struct RecordingFileTests {
  private let home: TemporaryHome
  private static let record = #"{"latitude":52.4,"longitude":13.06,"time":"2026-05-01T08:00:00Z"}"#

  init() throws {
    home = try TemporaryHome()
  }

  private func fixes(_ text: String) async throws -> [Fix] {
    try home.file("recording", Data(text.utf8))
    return try await RecordingFile.fixes(in: home.path("recording"))
  }

  @Test(arguments: ["\n", "", "\r\n"])
  func theLastLocationCountsHoweverItsLineEnds(end: String) async throws {
    let separator = end.isEmpty ? "\n" : end
    #expect(try await fixes(Self.record + separator + Self.record + end).count == 2)
  }

  @Test func aByteOrderMarkIsSkipped() async throws {
    #expect(try await fixes("\u{FEFF}" + Self.record).count == 1)
  }

  private static let start = Date(timeIntervalSince1970: 1_777_622_400)
  private static let formats: [(format: String, text: String)] = [
    ("ndjson", record + #"{"#.prefix(0)),
    (
      "GeoJSON",
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "properties":
      {"time": "2026-05-01T08:00:00Z"}, "geometry": {"type": "Point", "coordinates": [13.06, 52.4]}}]}
      """
    ),
    ("OwnTracks", #"{"_type":"location","lat":52.4,"lon":13.06,"tst":1777622400,"acc":5}"#),
    (
      "OwnTracks recorder",
      "2026-05-01T08:00:00Z\t*                 \t"
        + #"{"_type":"location","lat":52.4,"lon":13.06,"tst":1777622400}"#
    ),
    ("NMEA", "$GPRMC,080000,A,5224.0000,N,01303.6000,E,,,010526,,"),
    (
      "GPX",
      """
      <gpx><trk><trkseg><trkpt lat="52.4" lon="13.06"><time>2026-05-01T08:00:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    ),
  ]

  @Test(arguments: formats)
  func readsEachFormat(format: String, text: String) async throws {
    let fixes = try await fixes(text)
    #expect(fixes.count == 1)
    #expect(
      try #require(fixes.first).coordinate.distance(
        to: try Coordinate(latitude: 52.4, longitude: 13.06)) < 0.01)
    #expect(fixes.first?.time == Self.start)
    let track = RecordingFile.converted(BatchTrack("a", .file(home.path("recording"))))
    guard case .success(let input) = track.input else {
      Issue.record("\(track.input)")
      return
    }
    var count = 0
    for try await batch in Track(input).fixes().batches { count += batch.count }
    #expect(count == 1)
  }

  @Test func aLostSignalBeginsASegment() async throws {
    let lost = #"{"event":"signal-lost","time":null}"#
    let fixes = try await fixes([Self.record, lost, lost, Self.record].joined(separator: "\n"))
    #expect(fixes.map(\.segment) == [0, 1])
    let nmea = try await self.fixes(
      """
      $GPRMC,080000,A,5224.0000,N,01303.6000,E,,,010526,,
      $GPRMC,080001,V,,,,,,,010526,,
      $GPRMC,080002,A,5224.0000,N,01303.6000,E,,,010526,,
      """)
    #expect(nmea.map(\.segment) == [0, 1])
  }

  @Test(arguments: [
    record + "\n" + record.dropLast(), record + "\nnonsense", #"{"latitude":91,"longitude":0}"#,
    #"{"end":true}"#, #"{"type":"FeatureCollection","features":["#,
    #"{"type":"FeatureCollection","features":[]}"#, "{}",
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13,"a"]}}"#, "plain text", "",
  ])
  func whatIsNoRecordingIsAFailure(text: String) async {
    await #expect(throws: (any Error).self) { try await fixes(text) }
  }
}
