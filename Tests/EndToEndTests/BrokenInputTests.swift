import FaketrackTestSupport
import Foundation
import GPX
import Testing

@Suite struct BrokenInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var contents: Data
    /// Lines on stdout before the break.
    var visits = 0
    /// The text on stderr after the path of the file.
    var message: String

    init(_ name: String, _ contents: Data, visits: Int = 0, _ message: String) {
      (self.name, self.contents, self.visits, self.message) = (name, contents, visits, message)
    }

    init(_ name: String, _ contents: String, visits: Int = 0, _ message: String) {
      self.init(name, Data(contents.utf8), visits: visits, message)
    }

    var testDescription: String { name }
  }

  private static let five = Track.opening + (0..<5).map(Track.point).joined()

  static let cases = [
    Case("empty.gpx", "", ": this is an empty file, not GPX"),
    Case(
      "page.gpx", "<!DOCTYPE html><html><body>Log in</body></html>",
      ": this is a web page (HTML), not GPX"),
    Case(
      "photo.gpx", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]) + "JFIF".utf8, ": this is a JPEG image"),
    Case("walk.zip.gpx", Data([0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0]), ": this is a ZIP archive"),
    Case("walk.kml.gz", Data("<kml/>".utf8).gzipped, ":1:5: this is KML (gzipped), not GPX"),
    Case("flight.gpx", "AXXX\r\nHFDTE010526\r\n", ": this is a flight log (IGC), not GPX"),
    Case("walk.bz2.gpx", Data("BZh91AY&SY".utf8) + [1, 2, 3], ": this is bzip2 data"),
    Case("place.gpx", "<kml><Document/></kml>", ":1:5: this is KML, not GPX"),
    Case("note.gpx", "to be or not to be", ": this is plain text, not GPX"),
    Case("cut.gpx", five, visits: 5, ":9:1: "),
    Case("tag.gpx", five + "</trk>", visits: 5, ":9:"),
    Case("trailing.gpx", Track.north(5) + "garbage", visits: 5, ":12:"),
    Case("nul.gpx", Data(five.utf8) + Data(count: 64), visits: 5, ":9:1: "),
    Case("nul-behind.gpx", Data(Track.north(5).utf8) + Data(count: 64), visits: 5, ":12:1: "),
    Case(
      "entities.gpx", "<!DOCTYPE gpx [<!ENTITY a \"b\">]>\n" + Track.north(3),
      ":1:"),
    Case(
      "bomb.gpx",
      """
      <?xml version="1.0"?>
      <!DOCTYPE gpx [<!ENTITY a SYSTEM "file:///etc/passwd">]>
      <gpx><trk><name>&a;</name></trk></gpx>
      """, ":2:"),
    Case("half.gpx.gz", Data(Track.north(5).utf8).gzipped.dropLast(40), ""),
    Case("nothing.gpx", Track.opening + Track.closing, ": nothing to replay"),
    Case("no-points.gpx", "<gpx version=\"1.1\"/>", ": nothing to replay"),
    Case(
      "commas.gpx", Track.opening + "<trkpt lat=\"46,2\" lon=\"7,1\"/>" + Track.closing,
      ": nothing to replay"),
  ]

  @Test(arguments: cases)
  func endsWith65AfterWhatCameBefore(input: Case) async throws {
    let home = try TemporaryHome()
    let file = try home.file(input.name, input.contents)
    let run = try await home.run(
      ["replay", file, "--interval", "off", "--photos", "sample"])
    #expect(run.code == 65)
    #expect(!run.timedOut)
    if input.name != "half.gpx.gz" { #expect(run.lines.count == input.visits) }
    let error = try #require(run.errorLines.first { $0.hasPrefix("error: ") })
    #expect(error.hasPrefix("error: \(file)\(input.message)"))
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
  }

  @Test func theHintNamesTheFileAsTheShellReadsIt() async throws {
    let home = try TemporaryHome()
    let file = try home.file("it's a place.kml", "<kml/>")
    // Without gpsbabel.
    let run = try await home.run(
      "replay", file, "--photos", "none", environment: ["PATH": "/nonexistent"])
    #expect(run.code == 65)
    #expect(
      run.errorLines.suffix(2) == [
        "error: \(file):1:5: this is KML, not GPX",
        "hint: Convert it: gpsbabel -i kml -f 'it'\\''s a place.kml' -o gpx -F out.gpx",
      ])
    let piped = try await home.run("replay", "-", "--photos", "none", input: .text("<kml/>"))
    #expect(
      piped.errorLines.last == "hint: Convert it: gpsbabel -i kml -f in.kml -o gpx -F out.gpx")
  }

  @Test func aCommentOfMegabytesIsNoReasonToRefuse() async throws {
    let home = try TemporaryHome()
    let comment = "<!--\(String(repeating: "long ago\n", count: 300_000))-->"
    let text = Track.opening + Track.point(0) + comment + Track.point(1) + Track.closing
    let run = try await home.run(
      "replay", try home.file("long.gpx", text), "--photos", "none", "--format", "ndjson")
    #expect(run.code == 0)
    #expect(run.lines.count == 2)
  }

  @Test func aTrackInTheMetadataIsReportedAndNotWalked() async throws {
    let home = try TemporaryHome()
    let text =
      "<gpx>\n<metadata>\n<trk><trkseg>\n<trkpt lat=\"52\" lon=\"13\"/></trkseg></trk>\n"
      + "</metadata></gpx>"
    let run = try await home.run(
      "replay", try home.file("odd.gpx", text), "--photos", "none", "--format", "ndjson")
    #expect(run.code == 65)
    #expect(
      run.warnings == [
        "warning: odd.gpx:3:5: track skipped: the track is where GPX has none",
        "warning: odd.gpx:3:13: segment skipped: the segment is where GPX has none",
        "warning: odd.gpx:4:25: track point skipped: the point is where GPX has none",
      ])
  }

  @Test func whatIsClearAllTheSameIsReadWithANote() async throws {
    let home = try TemporaryHome()
    let text =
      "\n<?xml version=\"1.0\"?>\n<gpx xmlns:terra=\"urn:terra\"><trk><name>12&deg;</name>"
      + "<wpt lat=\"52\" lon=\"13\"/><extensions><terra:wpt/></extensions>\n"
      + "<trkseg><trkpt lat=\"52\" lon=\"13\"/></trkseg></trk></gpx>"
    let file = try home.file("odd.gpx", text)
    let run = try await home.run(
      "replay", file, "--photos", "none", "--format", "ndjson", "--strict")
    #expect(run.code == 0)
    #expect(run.lines.count == 1)
    #expect(
      run.errorLines.filter { $0.contains(": odd.gpx:") } == [
        "note: odd.gpx:2:1: white space before the XML declaration was ignored",
        "note: odd.gpx:3:48: HTML entity \"&deg;\" read as its character",
        "note: odd.gpx:3:77: waypoint inside a track, read as a waypoint",
      ])
  }

  @Test(arguments: ["geojson", "gpx"])
  func theDocumentIsClosedAllTheSame(format: String) async throws {
    let home = try TemporaryHome()
    let run = try await home.run(
      "replay", try home.file("cut.gpx", Self.five), "--interval", "off", "--photos", "sample",
      "--format", format)
    #expect(run.code == 65)
    if format == "gpx" {
      #expect(try GPXDocument(data: run.outputData, isStrict: true).fixes.count == 5)
    } else {
      #expect((try run.object["features"] as? [Any])?.count == 5)
    }
  }

  @Test func whatCannotBeReadEndsWith1() async throws {
    let home = try TemporaryHome()
    let path = home.path("missing.gpx")
    let run = try await home.run("replay", path, "--photos", "sample")
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("error: \(path): cannot be read: "))
    #expect(run.errors.contains("hint: Check the name and the permissions of the file."))
  }

  @Test func badPointsAreReportedAndSkipped() async throws {
    let home = try TemporaryHome()
    let bad = "<trkpt lat=\"46,2\" lon=\"7\"/>\n"
    let text =
      Track.opening + Track.point(0) + String(repeating: bad, count: 13) + Track.point(1)
      + Track.closing
    let file = try home.file("commas.gpx", text)
    let run = try await home.run("replay", file, "--photos", "sample")
    #expect(run.code == 0)
    #expect(run.lines.count == 2)
    let warnings = run.errorLines.filter { $0.hasPrefix("warning: \(file):") }
    #expect(warnings.count == 11)
    #expect(
      warnings.first
        == "warning: \(file):5:26: track point skipped: latitude \"46,2\" is not a number")
    #expect(run.errorLines.contains("warning: \(file): latitude is not a number: 3 more"))
    #expect(run.errorLines.last?.hasSuffix(", 13 points skipped") == true)
  }

  @Test func aBadPointFailsAStrictRun() async throws {
    let home = try TemporaryHome()
    let text =
      Track.opening + Track.point(0) + "<trkpt lat=\"\" lon=\"7\"/>\n" + Track.point(1)
      + Track.closing
    let file = try home.file("empty-latitude.gpx", text)
    let run = try await home.run("replay", file, "--photos", "sample", "--strict")
    #expect(run.code == 65)
    #expect(run.lines.count == 1)
    #expect(run.errors.contains("error: \(file):5:"))
    #expect(run.errors.contains(": track point: latitude is empty"))
  }

  @Test func anErrorInANameCannotSteerTheTerminal() async throws {
    let run = try await TemporaryHome().run("replay", "/nowhere/\u{1B}[2J.gpx", "--photos", "none")
    #expect(run.code == 1)
    #expect(!run.errors.contains("\u{1B}"))
  }
}
