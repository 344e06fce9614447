import Foundation
import GPX
import Testing

@Suite struct GPXDetailsTests {
  /// The extensions of the only waypoint of a document.
  private func extensions(_ content: String, root: String = "<gpx>") throws -> String? {
    let text = "\(root)<wpt lat='1' lon='2'><extensions>\(content)</extensions></wpt></gpx>"
    return try GPXDocument(data: Data(text.utf8)).waypoints.first?.details.extensions
  }

  @Test(arguments: [
    ("", nil), (" \n ", nil), ("<!-- c -->", nil), ("<a/>", "<a/>"), ("<a></a>", "<a/>"),
    ("<a> </a>", "<a> </a>"), (" <a>\n <b/>\n </a> ", "<a><b/></a>"),
    ("<a><!-- c -->1<?p?></a>", "<a>1</a>"), ("<a><![CDATA[<&>]]></a>", "<a>&lt;&amp;&gt;</a>"),
    ("<a b='1' c=\"2\"/>", "<a b=\"1\" c=\"2\"/>"),
    ("<a b='&lt;&amp;&quot;&#38;amp;'/>", "<a b=\"&lt;&amp;&quot;&amp;amp;\"/>"),
    ("<a>1<b/>2</a>", "<a>1<b/>2</a>"), ("text", "text"),
    ("<x:a xmlns:x='u'/>", "<x:a xmlns:x=\"u\"/>"),
    ("<x:a xmlns:x='u'><x:b/></x:a>", "<x:a xmlns:x=\"u\"><x:b/></x:a>"),
    ("<x:a/>", "<x:a xmlns:x=\"urn:undeclared:x\"/>"),
    ("<a x:b='1'/>", "<a xmlns:x=\"urn:undeclared:x\" x:b=\"1\"/>"),
    (
      "<a xmlns='u'><b xmlns=''/></a>",
      "<a xmlns=\"u\"><b xmlns=\"http://www.topografix.com/GPX/1/1\"/></a>"
    ),
    ("<a><speed>1</speed></a>", nil), ("<a>\n<speed>1</speed>\n<course>2</course>\n</a>", nil),
    ("<speed>1</speed>", nil), ("<a b='1'><speed>1</speed></a>", "<a b=\"1\"/>"),
    ("<c><a><speed>1</speed></a></c>", nil), ("<c><a><speed>1</speed></a>2</c>", "<c>2</c>"),
    ("<a><speed>1</speed><hr>2</hr></a>", "<a><hr>2</hr></a>"),
    ("<a xml:lang='de'/>", "<a xml:lang=\"de\"/>"),
    ("<a><time>x</time><ele>y</ele></a>", "<a><time>x</time><ele>y</ele></a>"),
  ])
  func keepsExtensionsAsXML(content: String, xml: String?) throws {
    #expect(try extensions(content) == xml)
  }

  @Test(arguments: [
    ("<gpx xmlns:x='u'>", "<x:a/>", "<x:a xmlns:x=\"u\"/>"),
    ("<gpx xmlns:x='u'>", "<x:a/><x:b/>", "<x:a xmlns:x=\"u\"/><x:b xmlns:x=\"u\"/>"),
    ("<gpx xmlns='http://www.topografix.com/GPX/1/0'>", "<a/>", "<a/>"),
    ("<gpx xmlns='http://www.topografix.com/GPX/1/1'>", "<a xmlns=''/>", "<a xmlns=\"\"/>"),
    ("<gpx xmlns='other' xmlns:o='other'>", "<o:a/>", "<a/>"),
    ("<gpx xmlns:x='a&amp;b'>", "<x:a/>", "<x:a xmlns:x=\"a&amp;b\"/>"),
  ])
  func declaresTheNamespacesOfTheRoot(root: String, content: String, xml: String) throws {
    #expect(try extensions(content, root: root) == xml)
  }

  @Test func joinsExtensionsAndUnknownElements() throws {
    let text = gpx(
      "<wpt lat='1' lon='2'><hr>1</hr><extensions><a/></extensions><name>n</name>"
        + "<extensions><b/></extensions><x:y xmlns:x='u'><z/></x:y></wpt>")
    let details = try #require(try GPXDocument(data: Data(text.utf8)).waypoints.first?.details)
    #expect(details.name == "n")
    #expect(details.extensions == "<hr>1</hr><a/><b/><x:y xmlns:x=\"u\"><z/></x:y>")
  }

  @Test func readsPointsWithinUnknownElements() throws {
    for readsDetails in [true, false] {
      let text = gpx(
        "<box><a/><trk><wrap><trkseg><trkpt lat='1' lon='2'/></trkseg></wrap></trk></box>")
      let recording = Recording(.bytes(Array(text.utf8)), readsDetails: readsDetails)
      #expect(recording.trackPoints.count == 1)
      #expect(recording.details.isEmpty)
      #expect(recording.issues.isEmpty)
    }
  }

  @Test func reportsPointsInExtensionsAndRecordsTheirXML() throws {
    for container in ["", "<trk>", "<rte>", "<trk><trkseg>"] {
      let end = container.split(separator: "<").reversed().map { "</\($0)" }.joined()
      let text = gpx(
        "\(container)<extensions><a><wpt lat='1' lon='2'/></a></extensions>\(end)")
      let recording = Recording(text)
      #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.point, .misplaced)])
      #expect(recording.points.isEmpty)
      #expect(recording.details.last?.1.extensions == "<a><wpt lat=\"1\" lon=\"2\"/></a>")
    }
  }

  @Test func leavesOutExtensionsThatAreTooLong() throws {
    let long = String(repeating: "x", count: GPXReader.maximumTextLength + 1)
    for content in ["<a>\(long)</a>", "<a b='\(long)'/>", long] {
      let text = gpx(
        "<wpt lat='1' lon='2'><extensions>\(content)</extensions></wpt>"
          + "<wpt lat='3' lon='4'><extensions><b/></extensions></wpt>")
      let recording = Recording(text)
      #expect(recording.points.map(\.details.extensions) == [nil, "<b/>"])
      #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.extensions, .tooLong)])
      #expect(recording.issues.first?.point == .waypoint)
      #expect(recording.issues.first?.skipsPoint == false)
      #expect(
        recording.issues.first?.description
          == "line 3: waypoint kept without extensions: extensions longer than 1 MiB")
    }
  }

  @Test func cutsATextThatIsTooLong() throws {
    let long = String(repeating: "x", count: GPXReader.maximumTextLength)
    let recording = Recording(gpx("<wpt lat='1' lon='2'><desc>\(long)yz</desc></wpt>"))
    #expect(recording.points.map { $0.details[.description] } == [long])
    #expect(
      recording.issues.map(\.description)
        == ["line 3: waypoint: text longer than 1 MiB was cut"])
  }

  @Test func boundsTheDetailsOfABatch() {
    let long = String(repeating: "x", count: 60_000)
    let point = "<trkpt lat='1' lon='2'><desc>\(long)</desc></trkpt>"
    let recording = Recording(segment(String(repeating: point, count: 100)))
    #expect(recording.trackPoints.count == 100)
    // A batch of 512 such points would take 30 MB.
    #expect(recording.fractions.count >= 15)
  }

  @Test func givesTheDetailsOfATrackBeforeItsPointsAndAgainWhenMoreCome() {
    let recording = Recording(
      gpx(
        "<trk><name>a</name><cmt>b</cmt><trkseg><trkpt lat='1' lon='2'/></trkseg><desc>c</desc></trk>"
          + "<trk><trkseg/></trk>"))
    #expect(
      recording.events == [
        "track", "track details a", "segment", "1 track point", "track details a", "track",
        "segment",
      ])
    #expect(recording.details.map { $0.1[.comment] } == ["b", "b"])
    #expect(recording.details.map { $0.1[.description] } == [nil, "c"])
  }

  @Test func reportsATimeOfTheMetadataThatIsNone() throws {
    let recording = Recording(gpx("<metadata><time>now</time></metadata>"), isStrict: true)
    #expect(recording.error == nil)
    #expect(
      recording.issues.map(\.description) == ["line 3: time \"now\" is not a date and time"])
    #expect(recording.metadata?.time == nil)
  }

  @Test func survivesStructuresThatNobodyWrites() throws {
    for text in [
      "<trkseg><trk></trk><extensions><a/></extensions></trkseg>",
      "<trk><trk><name>x</name></trk></trk>",
      "<rte><rte/><rte><rtept lat='1' lon='2'/></rte></rte>",
      "<link><link><link/></link></link>", "<metadata><metadata><author/></metadata></metadata>",
      "<metadata><author><author><name>n</name></author></author></metadata>",
      "<metadata><copyright><year>1</year></copyright></metadata>",
      "<metadata><wpt lat='1' lon='2'><link href='x'><wpt/></link></wpt></metadata>",
      "<trk><link href='a'><trkseg><trkpt lat='1' lon='2'><link href='b'/></trkpt></trkseg></link></trk>",
      "<extensions><extensions><a/></extensions></extensions>",
      "<a><extensions><b/></extensions><trk/></a>", "<name><name>x</name></name>",
      "<metadata><email id='a'/><author><email id='a'/></author></metadata>",
      "<trk><extensions><trk><trkseg/></trk></extensions></trk>",
    ] {
      let document = try GPXDocument(data: Data(gpx(text).utf8))
      let plain = Recording(.bytes(Array(gpx(text).utf8)), readsDetails: false)
      #expect(document.fixes(from: .waypoints) == plain.waypoints, "\(text)")
      #expect(document.fixes(from: .tracks) == plain.trackPoints, "\(text)")
      var clean = document
      clean.issues = []
      #expect(throws: Never.self) { try GPXDocument(data: clean.data(creator: "x")) }
    }
  }

  @Test func isEmptyWithoutContent() {
    #expect(GPXDetails().isEmpty)
    #expect(GPXMetadata().isEmpty)
    #expect(!GPXDetails(name: "a").isEmpty)
    #expect(!GPXDetails(links: [GPXLink("a")]).isEmpty)
    #expect(!GPXDetails(extensions: "<a/>").isEmpty)
    #expect(!GPXMetadata(author: GPXMetadata.Author()).isEmpty)
    var details = GPXDetails(name: "a")
    details.name = nil
    #expect(details.isEmpty)
    details[.symbol] = "Flag"
    #expect(!details.isEmpty && details.name == nil)
  }
  @Test func readsAndWritesNumbers() {
    var details = GPXDetails()
    details[.satellites] = "9"
    details[.horizontalDilution] = "1.25"
    #expect(details.satellites == 9 && details.horizontalDilution == 1.25)
    details[.horizontalDilution] = "good"
    #expect(details.horizontalDilution == nil)
    details.satellites = 11
    details.horizontalDilution = 0.5
    #expect(details[.satellites] == "11" && details[.horizontalDilution] == "0.5")
    details.horizontalDilution = nil
    #expect(details[.horizontalDilution] == nil && details.horizontalDilution == nil)
  }
}
