import Foundation
import GPX
import Geodesy
import Testing

/// The points that recorders and Web sites really write, point by point, and where errors are reported.
@Suite struct WildInputTests {
  /// The expected values of one track point.
  struct Expected: Sendable, Equatable {
    var elevation: Double?
    var seconds: Double?
    var speed: Double?
    var course: Double?
  }

  /// 1 May 2026, 08:00 UTC.
  private static let reference = Date(timeIntervalSince1970: 1_777_622_400)

  @Test(
    arguments: [
      ("<ele>12</ele>", Expected(elevation: 12)),
      ("<ele>-12.75</ele>", Expected(elevation: -12.75)),
      ("<ele>\n 12 \t</ele>", Expected(elevation: 12)),
      ("<ele>1.2e1</ele>", Expected(elevation: 12)),
      ("<ele>+12</ele>", Expected(elevation: 12)),
      ("<ele>1</ele><ele>2</ele>", Expected(elevation: 2)),
      ("<g:ele xmlns:g='x'>12</g:ele>", Expected(elevation: 12)),
      ("<ele><![CDATA[12]]></ele>", Expected(elevation: 12)),
      ("<ele>1<!-- -->2</ele>", Expected(elevation: 12)),
      ("<ele>&#49;2</ele>", Expected(elevation: 12)),
      ("<time>2026-05-01T08:00:01Z</time>", Expected(seconds: 1)),
      ("<time>2026-05-01T08:00:00.5Z</time>", Expected(seconds: 0.5)),
      ("<time>2026-05-01T10:00:02+02:00</time>", Expected(seconds: 2)),
      ("<time>2026-05-01T10:00:02+0200</time>", Expected(seconds: 2)),
      ("<time>2026-05-01 08:00:03</time>", Expected(seconds: 3)),
      ("<time>2026-5-1T8:0:4Z</time>", Expected(seconds: 4)),
      ("<time>2026-05-01T10:00:05+02:00[Europe/Brussels]</time>", Expected(seconds: 5)),
      ("<time> 2026-05-01T08:00:06Z\n</time>", Expected(seconds: 6)),
      ("<speed>1.5</speed>", Expected(speed: 1.5)), ("<speed>-1</speed>", Expected()),
      ("<course>359.9</course>", Expected(course: 359.9)),
      ("<course>360</course>", Expected(course: 0)),
      ("<course>-1</course>", Expected()), ("<course>0</course>", Expected(course: 0)),
      ("<extensions><speed>3</speed></extensions>", Expected(speed: 3)),
      (
        "<extensions><a><b><c:speed xmlns:c='c'>3</c:speed></b></a></extensions>",
        Expected(speed: 3)
      ),
      ("<extensions><u:course>3</u:course></extensions>", Expected(course: 3)),
      ("<extensions><ele>3</ele><time>x</time></extensions>", Expected()),
      ("<a><speed>3</speed></a>", Expected()),
      ("<speed>1</speed><extensions/>", Expected(speed: 1)),
      ("<name>12</name><cmt><ele>9</ele></cmt>", Expected()),
      ("<hdop>1</hdop><sat>9</sat><ele>12</ele>", Expected(elevation: 12)),
    ] as [(String, Expected)])
  func readsWhatAPointHolds(content: String, expected: Expected) throws {
    let text = segment("<trkpt lat='1' lon='2'>\(content)</trkpt>")
    for readsDetails in [true, false] {
      let recording = Recording(.bytes(Array(text.utf8)), readsDetails: readsDetails)
      let fix = try #require(recording.trackPoints.first)
      #expect(fix.elevation == expected.elevation)
      #expect(fix.time?.timeIntervalSince(Self.reference) == expected.seconds)
      #expect(fix.speed == expected.speed)
      #expect(fix.course == expected.course)
      #expect(recording.issues.isEmpty)
    }
  }

  @Test(arguments: [
    ("lat='1' lon='2'", 1.0, 2.0), ("lon='2' lat='1'", 1, 2), ("lat=' 1 ' lon='\n2'", 1, 2),
    ("lat='-90' lon='-180'", -90, -180), ("lat='90' lon='180'", 90, 180),
    ("lat='1e0' lon='20e-1'", 1, 2), ("lat='.5' lon='5.'", 0.5, 5), ("lat='-0' lon='+2'", 0, 2),
    ("lat='52.520008123456789' lon='13.404954'", 52.520_008_123_456_789, 13.404_954),
    ("x='3' lat='1' y='4' lon='2' z=''", 1, 2), ("lat='&#49;' lon='2'", 1, 2),
    ("x:lat='9' lat='1' x:lon='9' lon='2'", 1, 2),
  ])
  func readsAPosition(attributes: String, latitude: Double, longitude: Double) {
    for element in ["wpt", "rtept", "trkpt"] {
      let recording = Recording(gpx("<\(element) \(attributes)/>"))
      #expect(recording.points.map(\.fix.coordinate.latitude) == [latitude])
      #expect(recording.points.map(\.fix.coordinate.longitude) == [longitude])
      #expect(recording.issues.isEmpty)
    }
  }

  /// The place is behind the tag that completes what is reported.
  @Test(arguments: [
    (
      "<gpx>\n<trk><trkseg>\n<trkpt lat=\"46,2\" lon=\"6\"/>",
      "walk.gpx:3:#: track point skipped: latitude \"46,2\" is not a number"
    ),
    (
      "<gpx>\n\n\n<wpt lat=\"91\"\n lon=\"6\"/>",
      "walk.gpx:5:#: waypoint skipped: latitude \"91\" is out of range"
    ),
    (
      "<gpx><rte>\r\n<rtept lon='1'></rtept>",
      "walk.gpx:2:#: route point skipped: latitude is missing"
    ),
    (
      "<gpx>\n<wpt lat='1' lon=''>", "walk.gpx:2:#: waypoint skipped: longitude is empty"
    ),
    (
      "<gpx>\n<wpt lat='1' lon='2'><ele>\nx\n</ele>",
      "walk.gpx:4:#: waypoint kept without elevation: elevation \"x\" is not a number"
    ),
    (
      "<gpx>\n<trkpt lat='1' lon='2'>\n<time>today</time>",
      "walk.gpx:3:#: track point kept without time: time \"today\" is not a date and time"
    ),
    (
      "<gpx>\n<trkpt lat='1' lon='2'><wpt/>",
      "walk.gpx:2:#: waypoint skipped: the point is where GPX has none"
    ),
  ])
  func saysInWhichLineAPointIsNotUsable(start: String, description: String) throws {
    let recording = Recording(start)
    let issue = try #require(recording.issues.first)
    let column = try #require(issue.column)
    #expect(
      issue.description(in: "walk.gpx")
        == description.replacingOccurrences(of: "#", with: "\(column)"))
    // Nothing was read behind the tag, which is the end of the text.
    let lastLine = start.split(whereSeparator: \.isNewline).last ?? ""
    let tag = lastLine.utf8.count
    #expect((1...tag + 1).contains(column), "\(column)")
  }

  @Test func givesTheExactColumnOfThePoint() {
    let line = "<trkpt lat=\"46,2\" lon=\"6\"/>"
    let recording = Recording("<gpx>\n<trk><trkseg>\n\(line)</trkseg></trk></gpx>")
    #expect(
      recording.issues.map { $0.description(in: "a.gpx") } == [
        "a.gpx:3:26: track point skipped: latitude \"46,2\" is not a number"
      ])
  }

  @Test(
    arguments: [
      (["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"], nil),
      (["2026-05-01T09:00:00Z", "2026-05-01T08:00:00Z"], 3_600),
      (["2026-05-01T08:00:00Z", "2026-05-09T08:00:00Z"], 8 * 86_400),
    ] as [([String], Double?)])
  func takesTimesAsTheyAre(times: [String], duration: Double?) throws {
    let points = times.map { "<trkpt lat='1' lon='2'><time>\($0)</time></trkpt>" }.joined()
    let recording = Recording(segment(points))
    #expect(recording.issues.isEmpty)
    #expect(recording.trackPoints.count == 2)
    #expect(TrackStatistics(recording.trackPoints).durationSeconds == duration)
  }

  @Test func neverInventsAPositionFromANeighbor() {
    let bad = [
      "", "lat=''", "lat='undefined'", "lat='NaN'", "lat='1,5'", "lat='90.5'", "lat='0x1'",
    ]
    let points = bad.map { "<trkpt lat='7' lon='7'/><trkpt \($0) lon='8'/>" }.joined()
    let recording = Recording(segment(points))
    #expect(recording.trackPoints.count == bad.count)
    #expect(recording.trackPoints.allSatisfy { $0.coordinate.latitude == 7 })
    #expect(recording.issues.count == bad.count)
    #expect(recording.issues.allSatisfy { $0.skipsPoint })
  }
}

/// Calls of a writer in any order that does not stop the program.
@Suite struct GPXWriterOrderTests {
  private enum Call: CaseIterable {
    case waypoint, route, track, segment, fix, otherFix, finish
  }

  @Test func writesAValidDocumentWhateverTheOrderOfCalls() throws {
    let coordinate = try Coordinate(latitude: 1, longitude: 2)
    // Every sequence of five calls that keeps to the documented order.
    func explore(_ calls: [Call]) throws {
      if calls.count == 5 {
        try check(calls, coordinate)
        return
      }
      let hasTrack = calls.contains { [.track, .segment].contains($0) }
      let opensTrack = calls.firstIndex { [.fix, .otherFix].contains($0) }.map { index in
        !calls[..<index].contains(.route)
      }
      for call in Call.allCases {
        let isAfterTrack = hasTrack || opensTrack == true
        if call == .waypoint, isAfterTrack || calls.contains(.route) { continue }
        if call == .route, isAfterTrack { continue }
        if calls.contains(.finish), call != .finish { continue }
        try explore(calls + [call])
      }
    }
    try explore([])
  }

  private func check(_ calls: [Call], _ coordinate: Coordinate) throws {
    var writer = GPXWriter(creator: "test")
    for call in calls {
      switch call {
      case .waypoint: writer.write(waypoint: GPXWaypoint(Fix(coordinate)))
      case .route: writer.startRoute()
      case .track: writer.startTrack()
      case .segment: writer.startSegment()
      case .fix: writer.write(Fix(coordinate, segment: 0))
      case .otherFix: writer.write(Fix(coordinate, segment: 1))
      case .finish: writer.finish()
      }
    }
    writer.finish()
    let text = String(decoding: writer.takeBytes(), as: UTF8.self)
    let document = try GPXDocument(data: Data(text.utf8))
    #expect(document.waypoints.count == calls.count { $0 == .waypoint }, "\(calls)")
    #expect(document.routes.count == calls.count { $0 == .route }, "\(calls)")
    let fixes = calls.count { [.fix, .otherFix].contains($0) }
    let points = document.fixes(from: .tracks).count + document.fixes(from: .routes).count
    #expect(points == fixes, "\(calls)")
    // Every track point lies in a segment of a track, and every route point in a route.
    var open: [Substring] = []
    for tag in text.split(separator: "<").dropFirst() {
      let name = tag.prefix { $0.isLetter || $0 == "/" }
      if name.hasPrefix("/") {
        #expect(open.popLast().map { "/" + $0 } == String(name))
      } else {
        let parent = open.last
        switch name {
        case "wpt", "rte", "trk": #expect(parent == "gpx")
        case "rtept": #expect(parent == "rte")
        case "trkseg": #expect(parent == "trk")
        case "trkpt": #expect(parent == "trkseg")
        default: break
        }
        open.append(name)
      }
    }
    #expect(open.isEmpty)
  }

  @Test func beginsATrackForAFixBeforeAnyTrack() throws {
    for segment in [0, 3] {
      var writer = GPXWriter(creator: "test")
      writer.write(Fix(try Coordinate(latitude: 1, longitude: 2), segment: segment))
      writer.finish()
      let document = try GPXDocument(data: Data(writer.takeBytes()))
      #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[1]])
    }
  }

  @Test func takesTheNumberOfTheFirstFixForAStartedSegment() throws {
    let coordinate = try Coordinate(latitude: 1, longitude: 2)
    var writer = GPXWriter(creator: "test")
    writer.startTrack()
    writer.startSegment()
    writer.write(Fix(coordinate, segment: 5))
    writer.write(Fix(coordinate, segment: 5))
    writer.write(Fix(coordinate, segment: 6))
    writer.startSegment()
    writer.write(Fix(coordinate, segment: 6))
    writer.finish()
    let document = try GPXDocument(data: Data(writer.takeBytes()))
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[2, 1, 1]])
  }

  @Test func stopsTheProgramForAWaypointAfterATrack() async {
    await #expect(processExitsWith: .failure) {
      var writer = GPXWriter(creator: "test")
      writer.startTrack()
      writer.write(waypoint: GPXWaypoint(Fix(try Coordinate(latitude: 1, longitude: 2))))
    }
    await #expect(processExitsWith: .failure) {
      var writer = GPXWriter(creator: "test")
      writer.startTrack()
      writer.startRoute()
    }
    await #expect(processExitsWith: .failure) {
      var writer = GPXWriter(creator: "test")
      writer.finish()
      writer.write(Fix(try Coordinate(latitude: 1, longitude: 2)))
    }
  }
}
