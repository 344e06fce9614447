import Foundation
import Geodesy
import Testing

@testable import GPX

/// Every kind of issue in every kind of point, with its exact place, read with and without strict.
@Suite struct GPXIssueTableTests {
  typealias Kind = GPXIssue.Kind

  /// A point whose issue is found where the mark `¦` stands.
  struct Sample: Sendable, CustomTestStringConvertible {
    var marked: String
    var kind: Kind
    var text: String?
    var message: String
    /// Whether the point is skipped.
    var skips: Bool
    var testDescription: String { marked }

    init(
      _ marked: String, _ kind: Kind, _ text: String?, _ message: String, skips: Bool = false
    ) {
      self.marked = marked
      self.kind = kind
      self.text = text
      self.message = message
      self.skips = skips
    }

    /// The point as an element of that name.
    func point(_ element: String) -> String {
      marked.replacingOccurrences(of: "point", with: element)
    }
  }

  static let skipped = [
    Sample("<point lon='2'¦/>", Kind(.latitude, .missing), nil, "latitude is missing", skips: true),
    Sample(
      "<point lat='1'¦/>", Kind(.longitude, .missing), nil, "longitude is missing", skips: true),
    Sample("<point¦/>", Kind(.latitude, .missing), nil, "latitude is missing", skips: true),
    Sample(
      "<point lat='' lon='2'¦>\n</point>", Kind(.latitude, .empty), nil, "latitude is empty",
      skips: true),
    Sample(
      "<point lat='1'\n lon=' '¦/>", Kind(.longitude, .empty), nil, "longitude is empty",
      skips: true),
    Sample(
      "<point lat='46,2' lon='2'¦/>", Kind(.latitude, .notANumber), "46,2",
      "latitude \"46,2\" is not a number", skips: true),
    Sample(
      "<point lat='undefined' lon='undefined'¦><ele>x</ele></point>", Kind(.latitude, .notANumber),
      "undefined",
      "latitude \"undefined\" is not a number", skips: true),
    Sample(
      "<point lat='1' lon='NaN'¦></point>", Kind(.longitude, .notANumber), "NaN",
      "longitude \"NaN\" is not a number", skips: true),
    Sample(
      "<point lat='90.000001' lon='2'¦/>", Kind(.latitude, .outOfRange), "90.000001",
      "latitude \"90.000001\" is out of range", skips: true),
    Sample(
      "<point lat='1' lon='-180.096'¦/>", Kind(.longitude, .outOfRange), "-180.096",
      "longitude \"-180.096\" is out of range", skips: true),
  ]

  static let kept = [
    Sample(
      "<point lat='1' lon='2'><ele/>¦</point>", Kind(.elevation, .empty), nil, "elevation is empty"),
    Sample(
      "<point lat='1' lon='2'>\n<ele> \n </ele>¦</point>", Kind(.elevation, .empty), nil,
      "elevation is empty"),
    Sample(
      "<point lat='1' lon='2'><ele>1,5</ele>¦</point>", Kind(.elevation, .notANumber), "1,5",
      "elevation \"1,5\" is not a number"),
    Sample(
      "<point lat='1' lon='2'><time></time>¦</point>", Kind(.time, .empty), nil, "time is empty"),
    Sample(
      "<point lat='1' lon='2'>\n\n<time>2026-02-30T00:00:00Z</time>¦</point>",
      Kind(.time, .notATime),
      "2026-02-30T00:00:00Z", "time \"2026-02-30T00:00:00Z\" is not a date and time"),
    Sample("<point lat='1' lon='2'><speed/>¦</point>", Kind(.speed, .empty), nil, "speed is empty"),
    Sample(
      "<point lat='1' lon='2'><speed>fast</speed>¦</point>", Kind(.speed, .notANumber), "fast",
      "speed \"fast\" is not a number"),
    Sample(
      "<point lat='1' lon='2'><extensions><a>\n<speed>NaN</speed>¦</a></extensions></point>",
      Kind(.speed, .notANumber), "NaN", "speed \"NaN\" is not a number"),
    Sample(
      "<point lat='1' lon='2'><course> </course>¦</point>", Kind(.course, .empty), nil,
      "course is empty"),
    Sample(
      "<point lat='1' lon='2'><course>north</course>¦</point>", Kind(.course, .notANumber), "north",
      "course \"north\" is not a number"),
    Sample(
      "<point lat='1' lon='2'><course>360.1</course>¦</point>", Kind(.course, .outOfRange), "360.1",
      "course \"360.1\" is out of range"),
  ]

  private static let kinds: [(GPXPointKind, String, String, String)] = [
    (.waypoint, "wpt", "", ""), (.routePoint, "rtept", "<rte>", "</rte>"),
    (.trackPoint, "trkpt", "<trk><trkseg>", "</trkseg></trk>"),
  ]

  @Test(arguments: skipped + kept)
  func namesTheKindThePlaceAndTheText(sample: Sample) throws {
    for (kind, element, start, end) in Self.kinds {
      for (head, tail) in [("", ""), ("\n", ""), ("<!-- x -->\r\n", "\r\n"), ("  ", "  ")] {
        let good = "<\(element) lat='7' lon='8'/>"
        let marked = gpx(start + good + head + sample.point(element) + tail + good + end)
        let place = try #require(Place(of: "¦", in: marked))
        let text = marked.replacingOccurrences(of: "¦", with: "")
        let issue = GPXIssue(
          sample.kind, point: kind, line: place.line, column: place.column, text: sample.text,
          skipsPoint: sample.skips)

        let recording = Recording(text)
        #expect(recording.issues == [issue])
        #expect(recording.error == nil)
        #expect(
          recording.points.map(\.fix.coordinate.latitude) == (sample.skips ? [7, 7] : [7, 1, 7]))
        #expect(
          recording.issues.first?.message
            == "\(kind) \(sample.skips ? "skipped" : "kept without \(sample.kind.part)"): \(sample.message)"
        )

        // Strict reading delivers what comes before, and blames the same place.
        let strict = Recording(text, isStrict: true)
        #expect(
          strict.error
            == GPXError(.issue(issue), file: "test.gpx", line: place.line, column: place.column))
        #expect(strict.points.map(\.fix.coordinate.latitude) == [7])
        #expect(strict.issues.isEmpty)
      }
    }
  }

  @Test(arguments: kept)
  func keepsEverythingElseOfThePoint(sample: Sample) throws {
    let values = [
      Kind(.elevation, .empty).part: "<ele>5</ele>", .time: "<time>2026-05-01T08:00:00Z</time>",
      .speed: "<speed>6</speed>", .course: "<course>7</course>",
    ].filter { $0.key != sample.kind.part }.values.joined()
    let text = sample.point("trkpt").replacingOccurrences(of: "¦", with: values)
      .replacingOccurrences(of: values + "</a>", with: "</a>")
    let recording = Recording(
      segment(text.replacingOccurrences(of: "</trkpt>", with: values + "<name>n</name></trkpt>")))
    let point = try #require(recording.points.first)
    #expect(recording.issues.map(\.kind) == [sample.kind])
    #expect(point.name == "n")
    #expect(point.fix.elevation == (sample.kind.part == .elevation ? nil : 5))
    #expect((point.fix.time == nil) == (sample.kind.part == .time))
    #expect(point.fix.speed == (sample.kind.part == .speed ? nil : 6))
    #expect(point.fix.course == (sample.kind.part == .course ? nil : 7))
  }

  @Test func reportsEveryIssueOfAPointInItsOrder() {
    let recording = Recording(
      segment(
        "<trkpt lat='1' lon='2'><course>x</course><time>x</time><speed>x</speed><ele>x</ele>"
          + "<wpt/></trkpt>"))
    #expect(recording.issues.map(\.kind.part) == [.course, .time, .speed, .elevation, .point])
    #expect(recording.trackPoints.count == 1)
  }

  @Test func reportsOnlyThePositionOfASkippedPoint() {
    // What else is wrong with it does not matter any more.
    for content in ["<ele>x</ele>", "<time/>", "<extensions><speed>x</speed></extensions>"] {
      let recording = Recording(segment("<trkpt lat='x' lon='y'>\(content)</trkpt>"))
      #expect(recording.issues.map(\.kind) == [Kind(.latitude, .notANumber)])
    }
  }

  @Test(arguments: [("1", 1.0), ("-0", 0), ("0", 0), ("359.99", 359.99), ("360", 0), ("360.0", 0)])
  func takesACourseOfFullTurnForNorth(text: String, course: Double) {
    let recording = Recording(segment("<trkpt lat='1' lon='2'><course>\(text)</course></trkpt>"))
    #expect(recording.trackPoints.map(\.course) == [course])
    #expect(recording.issues.isEmpty)
  }

  @Test(arguments: ["-1", "-0.001", "-360", "-1e9"])
  func takesANegativeSpeedOrCourseForUnknown(text: String) {
    let recording = Recording(
      segment("<trkpt lat='1' lon='2'><speed>\(text)</speed><course>\(text)</course></trkpt>"),
      isStrict: true)
    #expect(recording.trackPoints.map(\.speed) == [nil])
    #expect(recording.trackPoints.map(\.course) == [nil])
    #expect(recording.error == nil)
  }

  @Test func countsLinesByLineFeedsAndColumnsByCharacters() throws {
    for (head, isExact) in [
      ("\n\n\n", true), ("\r\n\r\n", true), ("\r\r\r", true), ("<!--\n\n-->", true),
      ("<name>\n</name>", true),
      ("<a b='\n'/>\n", true), ("<![CDATA[\n]]>", true), ("\u{85}\u{2028}", true), ("äöü", true),
      ("🚶", true),
      ("<name>äöü</name>", true), ("<!-- äöü -->", true), ("<a b='äöü'/>", true), ("<ä/>", true),
    ] {
      let marked = "<gpx>\(head)<wpt lat='x' lon='1'¦/></gpx>"
      let place = try #require(Place(of: "¦", in: marked))
      let issue = try #require(
        Recording(marked.replacingOccurrences(of: "¦", with: "")).issues.first)
      #expect(issue.line == place.line, "\(head)")
      if isExact { #expect(issue.column == place.column, "\(head)") }
    }
  }

  @Test(arguments: GPXIssue.Part.all)
  func describesEveryKindWithoutAText(part: GPXIssue.Part) {
    let tooLong =
      switch part {
      case .text: "text longer than 1 MiB was cut"
      case .links: "links after the first 1 MiB were left out"
      default: "\(part) longer than 1 MiB"
      }
    let expected: [GPXIssue.Problem: String] = [
      .missing: "\(part) is missing", .empty: "\(part) is empty",
      .notANumber: "\(part) is not a number",
      .outOfRange: "\(part) is out of range",
      .notATime: "\(part) is not a date and time",
      .misplaced: "the \(part) is where GPX has none",
      .invalidBytes: "bytes that are not UTF-8 were read as ISO-8859-1",
      .leadingSpace: "white space before the XML declaration was ignored",
      .htmlEntity: "HTML entity read as its character",
      .waypoint: "waypoint inside a \(part), read as a waypoint", .tooLong: tooLong,
    ]
    for problem in GPXIssue.Problem.all {
      #expect(Kind(part, problem).description == expected[problem])
      let issue = GPXIssue(Kind(part, problem), line: 3, column: 4, skipsPoint: false)
      // Issues that are not about a point differ only where something was left out.
      let message =
        (problem == .misplaced ? "\(part) skipped: " : "") + (expected[problem] ?? "")
      #expect(issue.description == "line 3: \(message)")
      #expect(issue.description(in: "a.gpx") == "a.gpx:3:4: \(message)")
    }
  }

  @Test func survivesCodingAsJSON() throws {
    for part in GPXIssue.Part.all {
      for problem in GPXIssue.Problem.all {
        let issue = GPXIssue(
          Kind(part, problem), point: problem == .empty ? nil : .routePoint, line: 7,
          column: problem == .missing ? nil : 9, text: problem == .notANumber ? "46,2 \"x\"" : nil,
          skipsPoint: part == .latitude)
        let back = try JSONDecoder().decode(GPXIssue.self, from: JSONEncoder().encode(issue))
        #expect(back == issue)
      }
    }
  }
}

extension GPXIssue.Part {
  static let all: [Self] = [
    .latitude, .longitude, .elevation, .time, .speed, .course, .text, .links, .extensions, .point,
    .track, .segment, .route, .encoding,
  ]
}

extension GPXIssue.Problem {
  static let all: [Self] = [
    .missing, .empty, .notANumber, .outOfRange, .notATime, .misplaced, .invalidBytes, .leadingSpace,
    .htmlEntity, .waypoint, .tooLong,
  ]
}
