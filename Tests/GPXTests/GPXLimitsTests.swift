import Foundation
import GPX
import Testing

/// The limits of a reader to the byte and to the element.
@Suite struct GPXLimitsTests {
  typealias Kind = GPXIssue.Kind

  /// A document that nests the innermost element exactly `depth` deep.
  private static func nested(
    _ depth: Int, in containers: [String], element: String, innermost: String
  ) -> String {
    let open = containers + Array(repeating: element, count: depth - containers.count - 1)
    let names = open.map { $0.prefix { $0 != " " } }
    return open.map { "<\($0)>" }.joined() + innermost
      + names.reversed().map { "</\($0)>" }.joined()
  }

  private static let point = "trkpt lat='1' lon='2'"

  @Test(
    arguments: [
      (["gpx"], "x", "<y/>"), (["gpx"], "x", "<trk/>"), (["gpx"], "x", "<trkpt lat='1' lon='2'/>"),
      (["gpx", "extensions"], "x", "<y/>"), (["gpx", "metadata", "link"], "x", "<y/>"),
      (["gpx", "trk", "trkseg", point], "x", "<ele>1</ele>"),
      (["gpx", "trk", "trkseg", point], "x", "<y/>"),
      (["gpx", "trk", "trkseg", point, "extensions"], "x", "<y/>"),
      (["gpx", "trk", "trkseg", point, "extensions"], "x", "<speed>1</speed>"),
      (["gpx", "trk", "trkseg", point, "ele"], "x", "<y/>"),
      (["gpx", "trk", "trkseg", "trkpt"], "x", "<y/>"),
    ] as [([String], String, String)])
  func allowsOneDepthEverywhere(containers: [String], element: String, innermost: String) {
    for readsDetails in [true, false] {
      func read(_ depth: Int) -> Recording {
        let text = Self.nested(depth, in: containers, element: element, innermost: innermost)
        return Recording(.bytes(Array(text.utf8)), readsDetails: readsDetails)
      }
      #expect(read(GPXReader.maximumDepth).error == nil)
      #expect(read(GPXReader.maximumDepth + 1).error?.cause == .tooDeep)
      #expect(read(GPXReader.maximumDepth + 50).error?.cause == .tooDeep)
    }
  }

  @Test(arguments: ["ele", "time", "speed", "course", "extensions", "name", "link", "y"])
  func countsTheChildrenOfAVeryDeepPoint(child: String) {
    // The point itself is as deep as anything may be.
    let wrappers = Array(repeating: "x", count: GPXReader.maximumDepth - 2)
    let open = wrappers.map { "<\($0)>" }.joined()
    let close = wrappers.map { "</\($0)>" }.joined()
    func read(_ content: String) -> Recording {
      Recording("<gpx>\(open)<wpt lat='1' lon='2'>\(content)</wpt>\(close)</gpx>")
    }
    #expect(read("").waypoints.count == 1)
    #expect(read("").error == nil)
    #expect(read("<\(child)/>").error?.cause == .tooDeep)
  }

  @Test(arguments: [
    ("<wpt lat='1' lon='2'><", "></wpt>", GPXPointKind?.some(.waypoint)),
    ("<rte><rtept lat='1' lon='2'><", "></rtept></rte>", .routePoint),
    ("<trk><trkseg><trkpt lat='1' lon='2'><", "></trkpt></trkseg></trk>", .trackPoint),
    ("<trk><", "></trk>", nil), ("<rte><", "></rte>", nil), ("<metadata><", "></metadata>", nil),
  ])
  func cutsTextsBehindTheLimit(start: String, end: String, point: GPXPointKind?) throws {
    let limit = GPXReader.maximumTextLength
    for (length, isCut) in [(limit - 1, false), (limit, false), (limit + 1, true)] {
      let text = String(repeating: "x", count: length)
      let recording = Recording(gpx("\(start)desc>\(text)</desc\(end)"))
      let found =
        recording.metadata?.details[.description] ?? recording.details.last?.1[.description]
        ?? recording.points.last?.details[.description]
      #expect(found?.utf8.count == min(length, limit))
      #expect(recording.issues.map(\.kind) == (isCut ? [Kind(.text, .tooLong)] : []))
      #expect(recording.issues.allSatisfy { $0.point == point && !$0.skipsPoint })
      // Only the issue of a point ends a strict reading.
      let strict = Recording(gpx("\(start)desc>\(text)</desc\(end)"), isStrict: true)
      #expect((strict.error != nil) == (isCut && point != nil))
    }
  }

  @Test(arguments: ["é", "€", "🚶"])
  func cutsNoCharacterInHalf(character: String) throws {
    let limit = GPXReader.maximumTextLength
    for shift in 0..<4 {
      let text =
        String(repeating: "x", count: shift)
        + String(repeating: character, count: limit / character.utf8.count + 2)
      let recording = Recording(gpx("<trk><name>\(text)</name></trk>"))
      let name = try #require(recording.details.last?.1.name)
      #expect(text.hasPrefix(name))
      #expect(name.utf8.count <= limit && name.utf8.count > limit - 2 * character.utf8.count)
      #expect(!name.contains("\u{FFFD}"))
    }
  }

  @Test(arguments: [
    ("<wpt lat='1' lon='2'>", "</wpt>", GPXPointKind?.some(.waypoint)), ("<trk>", "</trk>", nil),
    ("<rte>", "</rte>", nil), ("<trk><trkseg>", "</trkseg></trk>", nil), ("", "", nil),
    ("<metadata>", "</metadata>", nil),
  ])
  func leavesOutExtensionsBehindTheLimit(start: String, end: String, point: GPXPointKind?) throws {
    let limit = GPXReader.maximumTextLength
    for (length, isLeftOut) in [(limit, false), (limit + 1, true)] {
      // What counts is the XML that is kept: a start tag, the text; the end tag comes after it.
      let text = String(repeating: "x", count: length - "<a>".utf8.count)
      let content = "<extensions><a>\(text)</a></extensions>"
      let recording = Recording(gpx(start + content + end))
      #expect(recording.error == nil)
      #expect(recording.issues.map(\.kind) == (isLeftOut ? [Kind(.extensions, .tooLong)] : []))
      #expect(recording.issues.allSatisfy { $0.point == point && !$0.skipsPoint })
      let found =
        recording.metadata?.details.extensions ?? recording.details.last?.1.extensions
        ?? recording.points.last?.details.extensions
      #expect(found == (isLeftOut ? nil : "<a>\(text)</a>"))
    }
  }

  @Test func recordsTheNextExtensionsAfterSomeThatWereTooLong() {
    let long = String(repeating: "<b/>", count: GPXReader.maximumTextLength / 4)
    let points = [
      "<extensions><a>\(long)</a></extensions>", "<extensions><c/></extensions>",
      "<a>\(long)</a><d/>", "<e/>",
    ].map { "<trkpt lat='1' lon='2'>\($0)</trkpt>" }
    let recording = Recording(segment(points.joined()))
    #expect(recording.points.map(\.details.extensions) == [nil, "<c/>", "<d/>", "<e/>"])
    #expect(recording.issues.map(\.kind) == Array(repeating: Kind(.extensions, .tooLong), count: 2))
  }

  @Test func readsSpeedAndCourseBehindExtensionsThatAreTooLong() {
    let long = String(repeating: "x", count: GPXReader.maximumTextLength)
    let recording = Recording(
      segment(
        "<trkpt lat='1' lon='2'><extensions><a>\(long)</a><b><speed>2</speed><course>9</course></b>"
          + "</extensions></trkpt>"))
    #expect(recording.trackPoints.map(\.speed) == [2])
    #expect(recording.trackPoints.map(\.course) == [9])
    #expect(recording.issues.map(\.kind) == [Kind(.extensions, .tooLong)])
  }

  private static func between(_ markup: String) -> Recording {
    Recording("<gpx><wpt lat='1' lon='2'/>\n\(markup)<wpt lat='3' lon='4'/></gpx>")
  }

  @Test func allowsTagsBelowTheLimitAndNotFarBeyond() {
    for (length, isAllowed) in [
      (GPXReader.maximumMarkupLength - 10_000, true),
      (GPXReader.maximumMarkupLength + 10_000, false),
    ] {
      let long = String(repeating: "x", count: length)
      for tag in ["<a b='\(long)'/>", "<a b='1'\(String(repeating: " ", count: length))/>"] {
        let recording = Self.between(tag)
        #expect(recording.error?.cause == (isAllowed ? nil : .markupTooLong))
        #expect(recording.error?.line == (isAllowed ? nil : 2))
        #expect(recording.waypoints.count == (isAllowed ? 2 : 1))
      }
    }
  }

  @Test func allowsSomeThousandNamesAndNoMore() {
    func names(_ count: Int, _ write: (Int) -> String) -> String {
      (0..<count).map(write).joined(separator: " ")
    }
    let limit = GPXReader.maximumNameCount
    // Their time would grow with the square of their number.
    for (count, isAllowed) in [(limit / 3, true), (2 * limit, false)] {
      for markup in [
        names(count) { "<a\($0)/>" }, "<a \(names(count) { "a\($0)=''" })/>",
        names(count) { "<a xmlns='u\($0)'/>" },
        // Few names make many attributes.
        "<a \(names(128) { "xmlns:a\($0)='u\($0)'" }) "
          + names(count) { "a\($0 % 128):b\($0 / 128)=''" } + "/>",
      ] {
        let recording = Self.between(markup)
        #expect(recording.error?.cause == (isAllowed ? nil : .tooManyNames), "\(markup.prefix(40))")
        #expect(recording.waypoints.count == (isAllowed ? 2 : 1), "\(markup.prefix(40))")
      }
    }
  }

  @Test func boundsTheNamespacesThatAreDeclaredAtOnce() {
    let limit = GPXReader.maximumNamespaceCount
    func declarations(_ range: Range<Int>) -> String {
      range.map { "xmlns:p\($0)='u'" }.joined(separator: " ")
    }
    func nested(_ depth: Int) -> String {
      let open = (0..<depth).map { "<a \(declarations(0..<limit / 100))>" + ($0 == 0 ? "\n" : "") }
      // The limit is looked at where more bytes are wanted.
      let filler = String(repeating: "<b/>", count: 5_000)
      return open.joined() + filler + String(repeating: "</a>", count: depth)
    }
    for (markup, isAllowed) in [
      ("<a \(declarations(0..<limit / 2))/>", true), ("<a \(declarations(0..<2 * limit))/>", false),
      (nested(90), true), (nested(110), false),
      // One after the other, they are not declared at once.
      (String(repeating: "<a \(declarations(0..<100))/>", count: 50), true),
    ] {
      let recording = Self.between(markup)
      #expect(recording.error?.cause == (isAllowed ? nil : .tooManyNames))
    }
  }

  @Test func refusesANameThatIsVeryLong() {
    // The C library sets this limit.
    let recording = Self.between("<\(String(repeating: "n", count: 60_000))/>")
    #expect(
      recording.error?.description == "test.gpx:2:60002: not well-formed XML: Name too long: NCName"
    )
    #expect(recording.waypoints.count == 1)
  }

  @Test(arguments: [
    ("<wpt lat='1' lon='2'>", "</wpt>", GPXPointKind?.some(.waypoint)), ("<trk>", "</trk>", nil),
    ("<rte>", "</rte>", nil), ("", "", nil),
  ])
  func boundsLinksAndUnknownElements(start: String, end: String, point: GPXPointKind?) throws {
    let long = String(repeating: "x", count: 500_000)
    for (element, bytes, part) in [
      ("<link/>", 0, GPXIssue.Part.links), ("<url>x</url>", 1, .links), ("<a/>", 4, .extensions),
      ("<link href='\(long)'/>", 500_000, .links),
    ] {
      let count = bytes < 10 ? 1_200 : 30
      let recording = Recording(gpx(start + String(repeating: element, count: count) + end))
      #expect(recording.error == nil)
      let details =
        recording.points.last?.details ?? recording.details.last?.1
        ?? recording.metadata?.details ?? GPXDetails()
      let kept = part == .links ? details.links.count : (details.extensions?.utf8.count ?? 0) / 4
      #expect(kept == GPXReader.maximumTextLength / (1_024 + bytes) + 1)
      #expect(recording.issues.count == count - kept)
      #expect(recording.issues.allSatisfy { $0.kind == Kind(part, .tooLong) && $0.point == point })
    }
  }

  @Test func leavesOutExtensionsInANamespaceWithALongAddress() {
    let address = String(repeating: "x", count: GPXReader.maximumTextLength)
    let elements = String(repeating: "<x:a/>", count: 2_000)
    let recording = Recording(
      "<gpx xmlns:x='\(address)'><wpt lat='1' lon='2'><extensions>\(elements)</extensions></wpt>"
        + "</gpx>")
    #expect(recording.points.map(\.details.extensions) == [nil])
    #expect(recording.issues.map(\.kind) == [Kind(.extensions, .tooLong)])
  }

  @Test func countsTheLinksOfEachPointAnew() {
    let links = String(repeating: "<link/>", count: 900)
    let points = String(repeating: "<trkpt lat='1' lon='2'>\(links)</trkpt>", count: 3)
    let recording = Recording(segment(points))
    #expect(recording.points.map(\.details.links.count) == [900, 900, 900])
    #expect(recording.issues.isEmpty)
  }

  @Test func leavesOutALinkThatIsLongerThanAText() {
    let long = String(repeating: "x", count: GPXReader.maximumTextLength + 1)
    let recording = Recording(
      gpx("<wpt lat='1' lon='2'><link href='\(long)'/><link href='a'/></wpt>"))
    #expect(recording.points.map { $0.details.links.map(\.href) } == [["a"]])
    #expect(
      recording.issues.map(\.description)
        == ["line 3: waypoint: links after the first 1 MiB were left out"])
  }

  @Test func limitsNeitherTheLengthOfAFileNorOfItsWhiteSpaceNorItsComments() {
    let spaces = String(repeating: " \n\t", count: 400_000)
    let comments = String(repeating: "<!-- \(String(repeating: "c", count: 1_000)) -->", count: 900)
    for filler in [spaces, comments] {
      let point = "<wpt lat='1' lon='2'/>"
      let recording = Recording("<gpx>\(filler)\(point)\(filler)\(point)</gpx>\(filler)")
      #expect(recording.waypoints.count == 2)
      #expect(recording.error == nil)
    }
  }

  @Test func shortensWhatItQuotes() throws {
    let long = String(repeating: "9", count: 100_000)
    for point in [
      "<wpt lat='\(long)' lon='1'/>", "<wpt lat='1' lon='1'><time>\(long)</time></wpt>",
    ] {
      let issue = try #require(Recording(gpx(point)).issues.first)
      #expect(issue.text == String(repeating: "9", count: 39) + "…")
      #expect(issue.description.utf8.count < 150)
    }
  }
}
