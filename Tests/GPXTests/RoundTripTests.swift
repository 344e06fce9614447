import Foundation
import GPX
import Geodesy
import Testing

/// Documents that are read, written and read again: the second must equal the first.
@Suite struct RoundTripTests {
  /// A document and what the reading must find in it.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var testDescription: String { name }

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  private static let garmin = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx creator="Garmin Connect" version="1.1"
      xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/11.xsd"
      xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
      xmlns="http://www.topografix.com/GPX/1/1"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <metadata>
        <link href="connect.garmin.com"><text>Garmin Connect</text></link>
        <time>2026-05-01T08:00:00.000Z</time>
      </metadata>
      <trk>
        <name>Lunch Run</name><type>running</type>
        <trkseg>
          <trkpt lat="52.5" lon="13.25"><ele>34.5</ele><time>2026-05-01T08:00:00.000Z</time>
            <extensions>
              <ns3:TrackPointExtension>
                <ns3:hr>121</ns3:hr>
                <ns3:cad>80</ns3:cad>
              </ns3:TrackPointExtension>
            </extensions>
          </trkpt>
          <trkpt lat="52.6" lon="13.25"/>
        </trkseg>
      </trk>
    </gpx>
    """

  private static let garmin2 = """
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><trk><trkseg>
      <trkpt lat="1" lon="2"><extensions><gpxtpx:TrackPointExtension><gpxtpx:atemp>21</gpxtpx:atemp>
      <gpxtpx:hr>99</gpxtpx:hr><gpxtpx:speed>2.5</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course>
      </gpxtpx:TrackPointExtension></extensions></trkpt>
      <trkpt lat="1" lon="3"><extensions><gpxtpx:TrackPointExtension>
      <gpxtpx:speed>2.5</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions></trkpt>
      </trkseg></trk></gpx>
    """

  private static let version1_0 = """
    <gpx version="1.0" creator="x" xmlns="http://www.topografix.com/GPX/1/0"
      xmlns:groundspeak="http://www.groundspeak.com/cache/1/0">
      <name>Caches</name><desc>All of them</desc><author>A. Nonym</author>
      <email>a.nonym@example.com</email><url>http://example.com/?a=1&amp;b=2</url>
      <urlname>Home</urlname><time>2003-10-20T07:00:00Z</time><keywords>cache, box</keywords>
      <bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>
      <wpt lat="1" lon="2"><time>2003-10-20T07:00:00Z</time><name>GC1</name><cmt>hard</cmt>
        <url>http://example.com/GC1</url><urlname>The cache</urlname><sym>Geocache</sym>
        <groundspeak:cache id="1" archived="False"><groundspeak:type>Mystery</groundspeak:type>
        <groundspeak:long_description html="True">&lt;b&gt;x&lt;/b&gt; &amp;amp; y
        </groundspeak:long_description></groundspeak:cache></wpt>
      <trk><name>T</name><number>7</number><trkseg><trkpt lat="3" lon="4"><course>12</course>
        <speed>1.5</speed><hdop>1.25</hdop></trkpt></trkseg></trk>
    </gpx>
    """

  private static let everything = """
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:a="urn:a" xmlns:b="urn:b">
      <metadata><name>Name</name><desc>Desc</desc>
        <author><name>Who</name><email id="who" domain="example.com"/>
          <link href="http://who"><text>Who</text><type>text/html</type></link></author>
        <copyright author="Who"><year>2026</year><license>http://license</license></copyright>
        <link href="http://a"/><link href="http://b"><text>B</text></link>
        <time>2026-05-01T08:00:00Z</time><keywords>one, two</keywords>
        <bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>
        <extensions><a:meta>m</a:meta></extensions></metadata>
      <wpt lat="1" lon="2"><ele>3</ele><time>2026-05-01T08:00:00Z</time><magvar>4.5</magvar>
        <geoidheight>40</geoidheight><name>N</name><cmt>C</cmt><desc>D</desc><src>S</src>
        <link href="http://w"/><sym>Flag</sym><type>T</type><fix>3d</fix><sat>9</sat>
        <hdop>1</hdop><vdop>2</vdop><pdop>3</pdop><ageofdgpsdata>4</ageofdgpsdata>
        <dgpsid>5</dgpsid><extensions><a:x><b:y z="1"/></a:x><a:z/></extensions></wpt>
      <rte><name>R</name><cmt>C</cmt><desc>D</desc><src>S</src><link href="http://r"/>
        <number>2</number><type>T</type><extensions><b:route/></extensions>
        <rtept lat="1" lon="2"><name>Turn</name><extensions><a:p/></extensions></rtept></rte>
      <trk><name>K</name><number>1</number><extensions><a:color>red</a:color></extensions>
        <trkseg><trkpt lat="1" lon="2"><name>P</name></trkpt>
          <extensions><a:seg/></extensions></trkseg><trkseg/></trk><trk/>
      <extensions><b:file>f</b:file></extensions>
    </gpx>
    """

  static let samples = [
    Sample("Garmin with heart rate and cadence", garmin),
    Sample("Garmin with speed and course", garmin2),
    Sample("GPX 1.0 with a cache", version1_0),
    Sample("every element of GPX 1.1", everything),
    Sample("empty", "<gpx/>"),
    Sample("no namespace", "<gpx><wpt lat='1' lon='2'><name>a</name><hr>9</hr></wpt></gpx>"),
    Sample(
      "https namespace",
      "<gpx xmlns='https://www.topografix.com/GPX/1/1'><wpt lat='1' lon='2'><extensions><hr>9</hr>"
        + "</extensions></wpt></gpx>"),
    Sample(
      "prefixed",
      "<g:gpx xmlns:g='http://www.topografix.com/GPX/1/1'><g:wpt lat='1' lon='2'><g:name>a</g:name>"
        + "<g:extensions><g:own>1</g:own><x:y xmlns:x='urn:x' g:z='2'/></g:extensions></g:wpt>"
        + "</g:gpx>"),
    Sample(
      "undeclared prefix",
      "<gpx><wpt lat='1' lon='2'><extensions><u:a u:b='1'><u:c/></u:a></extensions></wpt></gpx>"),
    Sample(
      "CDATA and entities",
      "<gpx><wpt lat='1' lon='2'><name><![CDATA[<b> & ]]>c&#x41;&lt;</name><desc>&quot;&amp;amp;"
        + "</desc><extensions><x:a xmlns:x='u&amp;v' t='&lt;&quot;&amp;&#10;&#9;'><![CDATA[</x:a>]]>"
        + "&amp;</x:a></extensions></wpt></gpx>"),
    Sample(
      "nested default namespaces",
      gpx(
        "<wpt lat='1' lon='2'><extensions><a xmlns='urn:a'><b/><c xmlns='urn:c'><d/></c>"
          + "<e xmlns=''><f/></e></a><g/></extensions></wpt>")),
    Sample(
      "a prefix with two meanings",
      gpx(
        "<wpt lat='1' lon='2'><extensions><p:a xmlns:p='urn:1'><p:b xmlns:p='urn:2'/><p:c/></p:a>"
          + "</extensions></wpt>")),
    Sample(
      "QNames in attributes",
      gpx(
        "<wpt lat='1' lon='2'><extensions><p:a xmlns:p='urn:1' xmlns:q='urn:q' xmlns:xsi='urn:xsi'"
          + " xsi:type='q:T' xml:lang='de'/></extensions></wpt>")),
    Sample(
      "white space that means something",
      gpx(
        "<wpt lat='1' lon='2'><extensions>\n <x:a xmlns:x='urn:x'> </x:a>\n <x:b xmlns:x='urn:x'>"
          + " 1 &#10; 2 </x:b>\n</extensions></wpt>")),
    Sample(
      "characters of all sizes",
      gpx("<trk><name>a\u{A0}ä€🚶\u{85}\u{2028}</name><desc>&#13;&#x10FFFF;</desc></trk>")),
    Sample("late details", gpx("<trk><trkseg/><name>late</name></trk><rte><rtept/></rte>")),
    Sample(
      "points outside of segments", gpx("<trkpt lat='1' lon='2'/><rtept lat='1' lon='2'/>")),
    Sample(
      "urlname before url",
      gpx("<wpt lat='1' lon='2'><urlname>n</urlname><url>u</url><url>v</url></wpt>")),
  ]

  @Test(arguments: samples)
  func survivesWriting(sample: Sample) throws {
    var first = try GPXDocument(data: Data(sample.text.utf8))
    first.issues = []
    let written = first.data(creator: "test")
    let second = try GPXDocument(data: written)
    #expect(second == first, "\(String(decoding: written, as: UTF8.self))")
    #expect(second.data(creator: "test") == written)
  }

  @Test(arguments: samples)
  func isDeliveredTheSameByteByByte(sample: Sample) {
    let whole = Recording(sample.text)
    let dribbled = Recording(dribbling: Array(sample.text.utf8))
    #expect(whole.points == dribbled.points)
    #expect(whole.metadata == dribbled.metadata)
    #expect(whole.details.map(\.1) == dribbled.details.map(\.1))
  }

  @Test(arguments: samples)
  func hasTheSamePointsAndIssuesWithoutDetails(sample: Sample) {
    let input = GPXInput.bytes(Array(sample.text.utf8))
    let detailed = Recording(input)
    let plain = Recording(input, readsDetails: false)
    #expect(detailed.fixes == plain.fixes)
    #expect(detailed.issues == plain.issues)
    #expect(plain.points.allSatisfy { $0.details.isEmpty })
    #expect(plain.metadata == nil && plain.details.isEmpty)
  }

  @Test func keepsEveryElementOfTheSchema() throws {
    let document = try GPXDocument(data: Data(Self.everything.utf8))
    let metadata = document.metadata
    #expect(metadata.details.name == "Name")
    #expect(metadata.details[.description] == "Desc")
    #expect(metadata.details[.keywords] == "one, two")
    #expect(
      metadata.author
        == GPXMetadata.Author(
          name: "Who", email: "who@example.com",
          link: GPXLink("http://who", text: "Who", type: "text/html")))
    #expect(
      metadata.copyright
        == GPXMetadata.Copyright(author: "Who", year: "2026", license: "http://license"))
    #expect(metadata.details.links == [GPXLink("http://a"), GPXLink("http://b", text: "B")])
    #expect(metadata.time == Date(timeIntervalSince1970: 1_777_622_400))
    #expect(metadata.details.extensions == "<a:meta xmlns:a=\"urn:a\">m</a:meta>")

    let waypoint = try #require(document.waypoints.first)
    let texts: [GPXDetails.Element: String] = [
      .magneticVariation: "4.5", .geoidHeight: "40", .name: "N", .comment: "C",
      .description: "D", .source: "S", .symbol: "Flag", .type: "T", .fix: "3d", .satellites: "9",
      .horizontalDilution: "1", .verticalDilution: "2", .positionDilution: "3",
      .differentialAge: "4", .differentialStation: "5",
    ]
    for element in GPXDetails.Element.allCases {
      #expect(waypoint.details[element] == texts[element], "\(element)")
    }
    #expect(waypoint.details.links == [GPXLink("http://w")])
    #expect(
      waypoint.details.extensions
        == "<a:x xmlns:a=\"urn:a\"><b:y xmlns:b=\"urn:b\" z=\"1\"/></a:x><a:z xmlns:a=\"urn:a\"/>")

    let route = try #require(document.routes.first)
    #expect(route.name == "R")
    #expect(route.details[.number] == "2")
    #expect(route.details.extensions == "<b:route xmlns:b=\"urn:b\"/>")
    #expect(route.points.map(\.name) == ["Turn"])
    #expect(route.points.map(\.details.extensions) == ["<a:p xmlns:a=\"urn:a\"/>"])

    #expect(document.tracks.map(\.name) == ["K", nil])
    #expect(document.tracks[0].details.extensions == "<a:color xmlns:a=\"urn:a\">red</a:color>")
    #expect(document.tracks[0].segments.map(\.points.count) == [1, 0])
    #expect(document.tracks[0].segments.map(\.extensions) == ["<a:seg xmlns:a=\"urn:a\"/>", nil])
    #expect(document.tracks[0].segments[0].points.map(\.name) == ["P"])
    #expect(document.extensions == "<b:file xmlns:b=\"urn:b\">f</b:file>")
    #expect(document.issues.isEmpty)
  }

  @Test func keepsHeartRateAndCadence() throws {
    let document = try GPXDocument(data: Data(Self.garmin.utf8))
    let points = document.tracks.flatMap(\.segments).flatMap(\.points)
    #expect(points.count == 2)
    #expect(
      points[0].details.extensions
        == "<ns3:TrackPointExtension"
        + " xmlns:ns3=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\">"
        + "<ns3:hr>121</ns3:hr><ns3:cad>80</ns3:cad></ns3:TrackPointExtension>")
    #expect(points[1].details.isEmpty)
    #expect(document.tracks[0].details[.type] == "running")
    #expect(
      document.metadata.details.links
        == [GPXLink("connect.garmin.com", text: "Garmin Connect")])
  }

  @Test func takesSpeedAndCourseOutOfTheExtensionsAndPutsThemBack() throws {
    var document = try GPXDocument(data: Data(Self.garmin2.utf8))
    var points = document.tracks[0].segments[0].points
    #expect(points.map(\.fix.speed) == [2.5, 2.5])
    #expect(points.map(\.fix.course) == [90, nil])
    let namespace = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"
    #expect(
      points[0].details.extensions
        == "<gpxtpx:TrackPointExtension xmlns:gpxtpx=\"\(namespace)\"><gpxtpx:atemp>21</gpxtpx:atemp>"
        + "<gpxtpx:hr>99</gpxtpx:hr></gpxtpx:TrackPointExtension>")
    #expect(points[1].details.isEmpty)
    points[0].fix.speed = 3
    document.tracks[0].segments[0].points = points
    let text = String(decoding: document.data(creator: "test"), as: UTF8.self)
    #expect(
      text.contains(
        "<gpxtpx:hr>99</gpxtpx:hr><gpxtpx:speed>3</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course>"
          + "</gpxtpx:TrackPointExtension></extensions>"))
    #expect(!text.contains("2.5</gpxtpx:speed><gpxtpx:course>"))
  }

  @Test func turnsVersion1_0IntoVersion1_1() throws {
    let document = try GPXDocument(data: Data(Self.version1_0.utf8))
    #expect(document.metadata.details.name == "Caches")
    #expect(
      document.metadata.author
        == GPXMetadata.Author(name: "A. Nonym", email: "a.nonym@example.com"))
    #expect(
      document.metadata.details.links == [GPXLink("http://example.com/?a=1&b=2", text: "Home")])
    #expect(document.metadata.time == Date(timeIntervalSince1970: 1_066_633_200))
    let waypoint = try #require(document.waypoints.first)
    #expect(waypoint.details.links == [GPXLink("http://example.com/GC1", text: "The cache")])
    #expect(waypoint.details[.symbol] == "Geocache")
    let cache = try #require(waypoint.details.extensions)
    #expect(
      cache.hasPrefix(
        "<groundspeak:cache xmlns:groundspeak=\"http://www.groundspeak.com/cache/1/0\" id=\"1\""))
    #expect(cache.contains("&lt;b&gt;x&lt;/b&gt; &amp;amp; y"))
    let fix = try #require(document.fixes.first)
    #expect(fix.speed == 1.5 && fix.course == 12)
    let text = String(decoding: document.data(creator: "test"), as: UTF8.self)
    #expect(text.contains("version=\"1.1\""))
    #expect(!text.contains("GPX/1/0"))
  }

  @Test func writesAFileInOneStep() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let document = try GPXDocument(data: Data(Self.everything.utf8))
    try document.write(to: url, creator: "test")
    #expect(try GPXDocument(contentsOf: url) == document)
    #expect(try Data(contentsOf: url) == document.data(creator: "test"))
  }

  @Test func saysWhyAFileCannotBeWritten() throws {
    let url = URL(fileURLWithPath: "/nowhere/walk.gpx")
    do throws(GPXError) {
      try GPXDocument().write(to: url, creator: "test")
      Issue.record("it was written")
    } catch {
      #expect(error.cause == .unwritable(errno: ENOENT))
      #expect(
        error.description == "/nowhere/walk.gpx: cannot be written: No such file or directory")
    }
  }

  @Test func keepsThousandsOfDetailedPointsInOrder() throws {
    let points = (0..<3_000).map {
      "<trkpt lat='1' lon='2'>" + ($0 % 3 == 0 ? "<name>\($0)</name>" : "") + "</trkpt>"
    }
    let document = try GPXDocument(data: Data(segment(points.joined()).utf8))
    let names = document.tracks[0].segments[0].points.map(\.name)
    #expect(names == (0..<3_000).map { $0 % 3 == 0 ? "\($0)" : nil })
    #expect(try GPXDocument(data: document.data(creator: "x")) == document)
  }
}
