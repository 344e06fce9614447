import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

@Suite struct GPXWriterTests {
  private func fix(_ latitude: Double, _ longitude: Double, segment: Int = 0) throws -> Fix {
    Fix(try Coordinate(latitude: latitude, longitude: longitude), segment: segment)
  }

  @Test func writesGPX1_1InTheOrderOfTheSchema() throws {
    var writer = GPXWriter(creator: "a \"test\"")
    var point = try fix(52.4, 13.05)
    point.elevation = 35.5
    point.time = Date(timeIntervalSince1970: 1_777_622_400.25)
    point.speed = 1.5
    point.course = 90
    let details = GPXDetails(name: "<A & B>", links: [GPXLink("https://x/?a=1&b=2")])
    writer.write(waypoint: GPXWaypoint(try fix(1, 2), details))
    writer.startTrack(name: "Walk")
    writer.write(point, GPXDetails(name: "n", links: [GPXLink("u", text: "t")]))
    writer.write(try fix(1e-5, -180, segment: 1))
    writer.finish()
    writer.finish()
    #expect(
      String(decoding: writer.takeBytes(), as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="a &quot;test&quot;" \
        xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <wpt lat="1" lon="2"><name>&lt;A &amp; B&gt;</name><link href="https://x/?a=1&amp;b=2">\
        </link></wpt>
          <trk>
            <name>Walk</name>
            <trkseg>
              <trkpt lat="52.4" lon="13.05"><ele>35.5</ele><time>2026-05-01T08:00:00.25Z</time>\
        <name>n</name><link href="u"><text>t</text></link><extensions>\
        <gpxtpx:TrackPointExtension><gpxtpx:speed>1.5</gpxtpx:speed>\
        <gpxtpx:course>90</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
            </trkseg>
            <trkseg>
              <trkpt lat="0.00001" lon="-180"></trkpt>
            </trkseg>
          </trk>
        </gpx>

        """)
    #expect(writer.takeBytes().isEmpty)
  }

  @Test func readsBackWhatItWrote() throws {
    var generator = SplitMix64(seed: 3)
    func random(_ range: ClosedRange<Double>) -> Double? {
      Bool.random(using: &generator) ? Double.random(in: range, using: &generator) : nil
    }
    func points(_ count: Int, segment: Int) throws -> [GPXWaypoint] {
      try (0..<count).map { _ in
        var point = GPXWaypoint(
          Fix(
            try Coordinate(
              latitude: .random(in: -90...90, using: &generator),
              longitude: .random(in: -180...180, using: &generator)),
            time: random(-1e9...1e9).map {
              // A fraction of a power of two that a writer's microseconds can hold.
              Date(timeIntervalSinceReferenceDate: ($0 * 8).rounded() / 8)
            },
            elevation: random(-400...9_000), speed: random(0...50), course: random(0...359),
            segment: segment))
        if Bool.random(using: &generator) {
          point.name = "ä<&>\"'\t\n\(UInt.random(in: 0...9, using: &generator))]]>"
        }
        return point
      }
    }
    var document = GPXDocument()
    document.waypoints = try points(50, segment: -1)
    document.routes = [
      GPXRoute(GPXDetails(name: "R & D"), points: try points(20, segment: 0)),
      GPXRoute(points: try points(3, segment: 1)), GPXRoute(GPXDetails(name: "empty")),
    ]
    document.tracks = [
      GPXTrack(
        GPXDetails(name: "🚶"),
        segments: [GPXSegment(try points(100, segment: 0)), GPXSegment(try points(1, segment: 1))]),
      GPXTrack(segments: [GPXSegment(try points(5, segment: 2))]),
      GPXTrack(GPXDetails(name: "no segment")),
    ]
    #expect(try GPXDocument(data: document.data(creator: "test")) == document)
  }

  @Test func leavesOutWhatXMLCannotHold() throws {
    var writer = GPXWriter(creator: "test")
    writer.startTrack(name: "a\u{0}b\u{1B}[31mc\u{FFFE}d\u{FFFF}\u{85}e")
    writer.finish()
    let document = try GPXDocument(data: Data(writer.takeBytes()))
    #expect(document.tracks.first?.name == "ab[31mcd\u{85}e")
  }

  @Test func leavesOutValuesThatAreNoNumbersOrTimes() throws {
    var point = try fix(1, 2)
    point.elevation = .nan
    point.speed = .infinity
    point.time = Date(timeIntervalSinceReferenceDate: 1e15)
    var writer = GPXWriter(creator: "test")
    writer.startRoute()
    writer.write(point)
    writer.finish()
    let document = try GPXDocument(data: Data(writer.takeBytes()))
    #expect(document.issues.isEmpty)
    #expect(document.fixes == [try fix(1, 2)])
  }

  @Test func handsOutPieceByPiece() throws {
    var writer = GPXWriter(creator: "test")
    var bytes = writer.takeBytes()
    writer.startTrack()
    for index in 0..<1_000 {
      writer.write(try fix(Double(index) / 100, 2))
      let piece = writer.takeBytes()
      #expect(piece.count < 200)
      bytes += piece
    }
    writer.finish()
    bytes += writer.takeBytes()
    #expect(try GPXDocument(data: Data(bytes)).fixes.count == 1_000)
  }
}
