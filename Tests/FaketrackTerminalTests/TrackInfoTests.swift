import Cities
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Geodesy
import Testing

@Suite struct TrackInfoTests {
  private static let walk = """
    <gpx version="1.1"><wpt lat="52" lon="13"/><rte><rtept lat="52" lon="13"/></rte><trk><trkseg>
    <trkpt lat="52" lon="13"><ele>30</ele><time>2026-05-01T08:00:00Z</time></trkpt>
    <trkpt lat="52.01" lon="13"><ele>60</ele><time>2026-05-01T08:15:00Z</time></trkpt>
    <trkpt lat="x" lon="13"/>
    </trkseg><trkseg>
    <trkpt lat="52.02" lon="13.00001"><time>2026-05-01T09:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  private static func info(_ text: String, cities: [String]? = ["Potsdam"]) throws -> TrackInfo {
    var overview = GPXOverview()
    try GPXReader(.bytes(Array(text.utf8))).read { overview.receive($0) }
    return TrackInfo(file: "walk\u{1B}.gpx", overview: overview, cities: cities)
  }

  @Test func tellsTheFactsAsOneObject() throws {
    let read = try Self.read(try Self.info(Self.walk))
    #expect(read["file"] as? String == "walk\u{1B}.gpx")
    #expect(read["tracks"] as? Int == 1)
    #expect(read["routes"] as? Int == 1)
    #expect(read["waypoints"] as? Int == 1)
    #expect(read["segments"] as? Int == 2)
    #expect(read["points"] as? Int == 3)
    #expect(read["skipped"] as? Int == 1)
    let length = try #require(read["length"] as? Double)
    #expect(abs(length - 1_112.6) < 0.5)
    #expect(read["duration"] as? Double == 3_600)
    #expect(read["start"] as? String == "2026-05-01T08:00:00Z")
    #expect(read["end"] as? String == "2026-05-01T09:00:00Z")
    #expect(read["cities"] as? [String] == ["Potsdam"])
    let bounds = try #require(read["bounds"] as? [String: Double])
    #expect(
      bounds == [
        "minLatitude": 52, "minLongitude": 13, "maxLatitude": 52.02, "maxLongitude": 13.00001,
      ])
  }

  @Test func aFileWithoutPointsHasZerosAndNulls() throws {
    let info = try Self.info("<gpx version=\"1.1\"/>", cities: [])
    let read = try Self.read(info)
    for key in ["tracks", "routes", "waypoints", "segments", "points", "skipped"] {
      #expect(read[key] as? Int == 0)
    }
    #expect(read["length"] as? Double == 0)
    for key in ["duration", "movingTime", "ascent", "descent", "bounds", "start", "end"] {
      #expect(read[key] is NSNull)
    }
    #expect(read["cities"] as? [String] == [])
    #expect(info.text(style: TerminalStyle()).contains("points    0\n"))
  }

  @Test func aFileWithRoutesOnlyHasTheirLength() throws {
    let info = try Self.info(
      """
      <gpx version="1.1"><rte>
      <rtept lat="52" lon="13"><ele>30</ele></rtept><rtept lat="52.01" lon="13"><ele>60</ele></rtept>
      </rte><rte><rtept lat="52.02" lon="13"/><rtept lat="52.03" lon="13"/></rte></gpx>
      """)
    let read = try Self.read(info)
    #expect(read["routes"] as? Int == 2)
    for key in ["tracks", "segments", "points"] { #expect(read[key] as? Int == 0) }
    let length = try #require(read["length"] as? Double)
    #expect(abs(length - 2_225.2) < 1)
    #expect(read["ascent"] as? Double == 30)
    #expect((read["bounds"] as? [String: Double])?["maxLatitude"] == 52.03)
    #expect(info.text(style: TerminalStyle()).contains("  length    2.2 km\n"))
  }

  @Test(
    arguments: [
      (["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"], nil, nil),
      (["2026-05-01T09:00:00Z", "2026-05-01T08:00:00Z"], 3_600, "1 h 00 min"),
    ] as [([String], Double?, String?)])
  func timesThatDoNotAscendAreNoMovingTime(
    times: [String], duration: Double?, line: String?
  ) throws {
    let points = times.enumerated().map { index, time in
      "<trkpt lat='52.0\(index)' lon='13'><time>\(time)</time></trkpt>"
    }
    let info = try Self.info(
      "<gpx version='1.1'><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
    let read = try Self.read(info)
    #expect(read["movingTime"] is NSNull)
    #expect(read["duration"] as? Double == duration)
    let lines = info.text(style: TerminalStyle()).split(separator: "\n").map(String.init)
    #expect(lines.first { $0.hasPrefix("  duration") } == line.map { "  duration  \($0)" })
  }

  @Test func citiesThatAreLeftOutAreNull() throws {
    #expect(try Self.read(try Self.info(Self.walk, cities: nil))["cities"] is NSNull)
  }

  @Test func readsAsLines() throws {
    let text = try Self.info(Self.walk).text(style: TerminalStyle())
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "walk .gpx")
    #expect(lines.contains("  tracks    1, 2 segments"))
    #expect(lines.contains("  skipped   1"))
    #expect(lines.contains("  length    1.1 km"))
    #expect(lines.contains("  bounds    52.00000, 13.00000 to 52.02000, 13.00001"))
    #expect(lines.contains("  time      2026-05-01 08:00 to 09:00 UTC"))
    #expect(lines.contains("  cities    Potsdam"))
  }

  @Test func isTheTextWordForWord() throws {
    let gpx = """
      <gpx version="1.1"><trk><trkseg>
      <trkpt lat="52" lon="13"><ele>30</ele><time>2026-05-01T08:00:00Z</time></trkpt>
      <trkpt lat="52.01" lon="13"><ele>130</ele><time>2026-05-01T08:15:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    #expect(
      try Self.info(gpx, cities: ["Pots\u{1B}dam", "Berlin"]).text(style: TerminalStyle()) == """
        walk .gpx
          tracks    1, 1 segment
          routes    0
          waypoints 0
          points    2
          length    1.1 km
          duration  15 min, 15 min of it moving
          ascent    100 m
          descent   0 m
          bounds    52.00000, 13.00000 to 52.01000, 13.00000
          time      2026-05-01 08:00 to 08:15 UTC
          cities    Pots dam, Berlin

        """)
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", Clocks.local, "2026-05-01 10:00 to 11:00 CEST"),
      ("Europe/Berlin", "Europe/London", .local, "2026-05-01 10:00 CEST to 10:00 BST"),
      ("Pacific/Kiritimati", nil, .local, "2026-05-01 22:00 GMT+14 to 09:00 UTC"),
      (
        "Pacific/Auckland", "Pacific/Honolulu", .local,
        "2026-05-01 20:00 NZST to 2026-04-30 23:00 HST"
      ),
      ("Europe/Berlin", "Europe/Berlin", .utc, "2026-05-01 08:00 to 09:00 UTC"),
    ] as [(String?, String?, Clocks, String)])
  func timesAreThoseOfTheCities(
    start: String?, end: String?, clocks: Clocks, line: String
  ) throws {
    let countries = [
      "Europe/Berlin": "DE", "Europe/London": "GB", "Pacific/Auckland": "NZ",
      "Pacific/Honolulu": "US",
    ]
    func city(_ zone: String?) -> City? {
      zone.map {
        City(
          id: 1, name: "Here", country: countries[$0],
          coordinate: Coordinate(validLatitude: 0, longitude: 0),
          timezone: $0)
      }
    }
    var info = try Self.info(Self.walk)
    info.start = city(start)
    info.end = city(end)
    let lines = info.text(style: TerminalStyle(clocks: clocks)).split(separator: "\n")
    #expect(lines.contains("  time      \(line)"))
    #expect(info.json.serialized == (try Self.info(Self.walk)).json.serialized)
  }

  @Test func whatIsNotKnownHasNoLine() throws {
    let text = try Self.info("<gpx version=\"1.1\"/>", cities: nil).text(style: TerminalStyle())
    #expect(
      text == """
        walk .gpx
          tracks    0, 0 segments
          routes    0
          waypoints 0
          points    0
          length    0 m

        """)
  }

  @Test func theKeysStandInTheOrderOfTheContract() throws {
    guard case .object(let members) = try Self.info(Self.walk).json else {
      Issue.record("not an object")
      return
    }
    #expect(
      members.map(\.key) == [
        "file", "tracks", "routes", "waypoints", "segments", "points", "skipped", "length",
        "duration", "movingTime", "ascent", "descent", "bounds", "start", "end", "cities",
      ])
  }

  @Test func oneOfManyHasItsNameFirstAndItsFailureLast() throws {
    let failure = Failure(message: "a: the file ends in the middle")
    let text = TrackInfo.json(track: "a", try Self.info(Self.walk), failure).serialized
    #expect(text.hasPrefix(#"{"track":"a","file":"#))
    #expect(text.hasSuffix(#","error":"a: the file ends in the middle"}"#))
    #expect(
      TrackInfo.json(track: "a", nil, failure).serialized
        == #"{"track":"a","error":"a: the file ends in the middle"}"#)
    #expect(!TrackInfo.json(track: "a", try Self.info(Self.walk), nil).serialized.contains("error"))
  }

  @Test func onATerminalTheNameStandsOut() throws {
    let text = try Self.info(Self.walk).text(style: TerminalStyle(hasColor: true))
    #expect(text.hasPrefix("\u{1B}[1mwalk .gpx\u{1B}[0m\n"))
  }

  private static func read(_ info: TrackInfo) throws -> [String: Any] {
    let data = Data(info.json.serialized.utf8)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}
