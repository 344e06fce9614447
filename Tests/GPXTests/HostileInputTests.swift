import Foundation
import GPX
import Testing

/// Files that are not what they say, or break off.
@Suite struct HostileInputTests {
  @Test(
    arguments: [
      ([], GPXFileKind.empty), (Array(" \n\t ".utf8), .empty), ([0xEF, 0xBB, 0xBF], .empty),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A, 0x46], .jpeg),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], .png),
      (Array("PK\u{3}\u{4}".utf8), .zip), (Array("PK\u{5}\u{6}".utf8), .zip),
      (Array("BZh91AY&SY".utf8), .bzip2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz),
      ([0x28, 0xB5, 0x2F, 0xFD, 4], .zstandard), (Array("%PDF-1.7".utf8), .pdf),
      ([14, 16, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8), .fit),
      (Array("<!DOCTYPE html><html><body>".utf8), .html),
      (Array("\n <HTML><head>".utf8), .html),
      (Array("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'y'><html/>".utf8), .html),
      (Array("<?xml version='1.0'?><html xmlns='x'/>".utf8), .html),
      (Array("<kml xmlns='http://www.opengis.net/kml/2.2'></kml>".utf8), .kml),
      (Array("<k:kml></k:kml>".utf8), .kml),
      (Array("<TrainingCenterDatabase/>".utf8), .tcx),
      (Array("<osm version='0.6'><node lat='1' lon='2'/></osm>".utf8), .xml(root: "osm")),
      (Array("<GPX></GPX>".utf8), .xml(root: "GPX")),
      (Array("{\"type\":\"FeatureCollection\"}".utf8), .geoJSON),
      (Array("$GPRMC,123519,A,4807.038,N".utf8), .nmea),
      (Array("lat,lon\n1,2\n".utf8), .csv), (Array("52.5 13.4\n".utf8), .text),
      ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], .binary),
      ([UInt8](repeating: 0, count: 5_000), .binary),
    ] as [([UInt8], GPXFileKind)])
  func saysWhatAFileIsThatIsNotGPX(bytes: [UInt8], kind: GPXFileKind) throws {
    let error = try #require(Recording(bytes).error)
    #expect(error.cause == .notGPX(kind))
    #expect(error.file == "test.gpx")
    #expect(error.description.contains("not GPX"))
    #expect(error.recoverySuggestion?.isEmpty == false)
  }

  @Test(arguments: [
    "<!DOCTYPE gpx SYSTEM 'file:///etc/passwd'><gpx/>",
    "<!DOCTYPE gpx [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><gpx><wpt lat='&x;' lon='1'/></gpx>",
    "<!DOCTYPE gpx [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><gpx>&b;</gpx>",
    "<?xml version='1.0'?>\n<!DOCTYPE gpx PUBLIC '-//x' 'http://127.0.0.1:9/x.dtd'><gpx/>",
    "<!DOCTYPE gpx [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/p'> %p;]><gpx/>",
  ])
  func refusesADocumentType(text: String) throws {
    let error = try #require(Recording(text).error)
    #expect(error.cause == .documentType)
    #expect(error.line == (text.hasPrefix("<?xml") ? 2 : 1))
  }

  @Test func loadsNoInclusions() {
    let recording = Recording(
      """
      <gpx xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd"/>
      <wpt lat="1" lon="2"/></gpx>
      """)
    #expect(recording.waypoints.count == 1)
  }

  /// The cause, and the number of points before it.
  @Test(arguments: [
    ("<gpx>#</gpx", GPXError.Cause.truncated, 1), ("<gpx>#<trk>", .truncated, 1),
    ("<gpx>#", .truncated, 1), ("<gpx>#<wpt lat='1' lon='", .truncated, 1),
    ("<gpx>#<wpt lat='1' lon='2'>", .truncated, 1), ("<gpx>#<!-- ", .truncated, 1),
    ("<gpx", .truncated, 0), ("<gpx>#<wpt", .truncated, 1), ("<gpx>#</gpx>\0\0\0", .nulBytes, 1),
    ("<gpx>#\0\0\0</gpx>", .nulBytes, 1), ("<gpx>#<trk>\0", .nulBytes, 1),
  ])
  func deliversWhatComesBeforeTheBreak(
    text: String, cause: GPXError.Cause, points: Int
  ) throws {
    let point = "<wpt lat='1' lon='2'/>"
    let recording = Recording(text.replacingOccurrences(of: "#", with: point))
    let error = try #require(recording.error)
    #expect(error.cause == cause)
    #expect(error.line == 1)
    #expect(error.column != nil)
    #expect(recording.waypoints.count == points)
  }

  @Test(arguments: [
    "<gpx>#</gpx>garbage", "<gpx>#</gpx><gpx/>", "<gpx>#</trk></gpx>", "<gpx>#&grad;</gpx>",
    "<gpx>#<wpt lat=1 lon=2/></gpx>", "<gpx>#<wpt lat='1' lat='2'/></gpx>", "<gpx>#\u{1}</gpx>",
    "<gpx>#<name>a & b</name></gpx>", "<gpx>#<a <b/></gpx>", "<gpx>#]]></gpx>",
    "<gpx>#<?xml version='1.0'?></gpx>", "<gpx>#&#0;</gpx>", "<gpx>#<1/></gpx>",
  ])
  func saysWhereTheSyntaxBreaks(text: String) throws {
    let points = "\n<wpt lat='1' lon='2'/>\n<wpt lat='3' lon='4'/>\n"
    let recording = Recording(text.replacingOccurrences(of: "#", with: points))
    let error = try #require(recording.error)
    guard case .notWellFormed(let message) = error.cause.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(!message.isEmpty && !message.contains("\n"))
    #expect(error.line == 4)
    #expect(recording.waypoints.count == 2)
    #expect(error.description.hasPrefix("test.gpx:4:"))
  }

  @Test func boundsTheNesting() throws {
    for element in ["x", "trk", "extensions", "wpt"] {
      let deep = String(repeating: "<\(element)>", count: 100_000)
      let recording = Recording("<gpx><wpt lat='1' lon='2'/>\(deep)")
      #expect(recording.error?.cause == .tooDeep)
      #expect(recording.waypoints.count == 1)
    }
    let allowed = GPXReader.maximumDepth - 1
    let open = String(repeating: "<x>", count: allowed)
    let close = String(repeating: "</x>", count: allowed)
    #expect(Recording("<gpx>\(open)\(close)</gpx>").error == nil)
  }

  @Test func keepsAPointWithAnElevationOfMillionsOfDigits() {
    let long = String(repeating: "9", count: 3_000_000)
    let recording = Recording(segment("<trkpt lat='1' lon='2'><ele>\(long)</ele></trkpt>"))
    #expect(recording.trackPoints.map(\.elevation) == [nil])
    #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.elevation, .notANumber)])
  }

  @Test func saysWhyAFileCannotBeRead() throws {
    let missing = try #require(Recording(.file("/nowhere/walk.gpx")).error)
    #expect(missing.cause == .unreadable(errno: ENOENT))
    #expect(missing.description.hasPrefix("/nowhere/walk.gpx: cannot be read: "))
    let directory = try #require(Recording(.file("/")).error)
    #expect(directory.cause == .unreadable(errno: EISDIR))
  }
}
