import Foundation
import GPX
import Testing

@Suite struct GPXIssueTests {
  typealias Kind = GPXIssue.Kind

  @Test(arguments: [
    ("lon='2'", Kind(.latitude, .missing), nil),
    ("lat='1'", Kind(.longitude, .missing), nil),
    ("", Kind(.latitude, .missing), nil),
    ("lat='' lon='2'", Kind(.latitude, .empty), nil),
    ("lat='1' lon=' '", Kind(.longitude, .empty), nil),
    ("lat='undefined' lon='2'", Kind(.latitude, .notANumber), "undefined"),
    ("lat='NaN' lon='NaN'", Kind(.latitude, .notANumber), "NaN"),
    ("lat='46,2' lon='2'", Kind(.latitude, .notANumber), "46,2"),
    ("lat='1' lon='13,05'", Kind(.longitude, .notANumber), "13,05"),
    ("lat='90.01' lon='2'", Kind(.latitude, .outOfRange), "90.01"),
    ("lat='-91' lon='2'", Kind(.latitude, .outOfRange), "-91"),
    ("lat='1' lon='-180.096'", Kind(.longitude, .outOfRange), "-180.096"),
    ("lat='1' lon='1e9'", Kind(.longitude, .outOfRange), "1e9"),
    ("x:lat='1' lon='2'", Kind(.latitude, .missing), nil),
  ])
  func skipsAPointWithoutAPosition(attributes: String, kind: Kind, text: String?) throws {
    let good = "<trkpt lat='1' lon='2'/>"
    let recording = Recording(
      segment("\n\(good)\n<trkpt \(attributes)><ele>x</ele></trkpt>\(good)"))
    #expect(recording.trackPoints.map(\.position) == ["1.0 2.0", "1.0 2.0"])
    let issue = try #require(recording.issues.first)
    #expect(recording.issues.count == 1)
    #expect(issue.kind == kind)
    #expect(issue.text == text)
    #expect(issue.line == 5)
    #expect(issue.column != nil)
    #expect(issue.point == .trackPoint)
    #expect(issue.skipsPoint)
  }

  @Test(arguments: [
    ("<ele></ele>", Kind(.elevation, .empty), nil),
    ("<ele/>", Kind(.elevation, .empty), nil),
    ("<ele>NaN</ele>", Kind(.elevation, .notANumber), "NaN"),
    ("<ele>12,5</ele>", Kind(.elevation, .notANumber), "12,5"),
    ("<time/>", Kind(.time, .empty), nil),
    ("<time>yesterday</time>", Kind(.time, .notATime), "yesterday"),
    ("<time>2026-02-30T00:00:00Z</time>", Kind(.time, .notATime), "2026-02-30T00:00:00Z"),
    ("<speed>fast</speed>", Kind(.speed, .notANumber), "fast"),
    ("<extensions><a><speed>fast</speed></a></extensions>", Kind(.speed, .notANumber), "fast"),
    ("<course>361</course>", Kind(.course, .outOfRange), "361"),
    ("<course/>", Kind(.course, .empty), nil),
  ])
  func keepsAPointWithoutWhatCannotBeUsed(content: String, kind: Kind, text: String?) throws {
    let recording = Recording(segment("<trkpt lat='1' lon='2'>\n\(content)</trkpt>"))
    let fix = try #require(recording.trackPoints.first)
    #expect(fix.elevation == nil && fix.time == nil && fix.speed == nil && fix.course == nil)
    let issue = try #require(recording.issues.first)
    #expect(recording.issues.count == 1)
    #expect(issue.kind == kind)
    #expect(issue.text == text)
    #expect(issue.line == 4)
    #expect(!issue.skipsPoint)
  }

  @Test(arguments: [
    ("wpt", GPXPointKind.waypoint), ("rtept", .routePoint), ("trkpt", .trackPoint),
  ])
  func reportsAPointInsideOfAPoint(element: String, kind: GPXPointKind) throws {
    for wrap in ["#", "<extensions>#</extensions>", "<ele>#1</ele>"] {
      let inner = wrap.replacingOccurrences(of: "#", with: "<\(element) lat='3' lon='4'/>")
      let recording = Recording(segment("<trkpt lat='1' lon='2'>\(inner)</trkpt>"))
      #expect(recording.trackPoints.map(\.position) == ["1.0 2.0"])
      let issue = try #require(recording.issues.first)
      #expect(issue.kind == Kind(.point, .misplaced))
      #expect(issue.point == kind)
      #expect(issue.skipsPoint)
    }
  }

  @Test func endsStrictReadingAtTheFirstIssue() throws {
    let good = "<trkpt lat='1' lon='2'/>"
    let text = segment("\(good)\(good)\n<trkpt lat='x' lon='2'/>\n<trkpt lat='y' lon='2'/>")
    let recording = Recording(text, isStrict: true)
    #expect(recording.trackPoints.count == 2)
    #expect(recording.issues.isEmpty)
    let error = try #require(recording.error)
    guard case .issue(let issue) = error.cause.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(issue.text == "x")
    #expect(error.line == 4)
    #expect(error.file == "test.gpx")
  }

  @Test func showsNothingThatSteersATerminal() throws {
    let text = "\u{9B}31m\u{202E}a&#10;b " + String(repeating: "z", count: 100)
    let recording = Recording(segment("<trkpt lat='\(text)' lon='2'/>"))
    let shown = try #require(recording.issues.first?.text)
    #expect(shown == "31ma b " + String(repeating: "z", count: 32) + "…")
  }

  @Test func describesItself() {
    let skipped = GPXIssue(
      Kind(.latitude, .notANumber), point: .trackPoint, line: 12, text: "46,2", skipsPoint: true)
    #expect(
      skipped.description == "line 12: track point skipped: latitude \"46,2\" is not a number")
    let kept = GPXIssue(Kind(.time, .empty), point: .waypoint, line: 3, skipsPoint: false)
    #expect(kept.description == "line 3: waypoint kept without time: time is empty")
  }
}
