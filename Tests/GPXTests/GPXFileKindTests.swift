import FaketrackCompression
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import GPX

@Suite struct GPXFileKindTests {
  private static let give = "Give a GPX 1.0 or 1.1 file."

  /// The suggestion for a file called `walk`, and for an input without a path.
  private static let all: [(GPXFileKind, String, String, String)] = [
    (
      .empty, "an empty file", "Export or download the track again.",
      "Export or download the track again."
    ),
    (
      .html, "a web page (HTML)",
      "The download saved a web page, perhaps a log-in; download the track itself.",
      "The download saved a web page, perhaps a log-in; download the track itself."
    ),
    (
      .kmz, "a KMZ archive",
      "Convert it: unzip -p walk '*.kml' | gpsbabel -i kml -f - -o gpx -F out.gpx",
      "Convert it: unzip -p in.kmz '*.kml' | gpsbabel -i kml -f - -o gpx -F out.gpx"
    ),
    (
      .tar, "a tar archive", "Unpack it with tar -xf walk and use the .gpx file in it.",
      "Unpack it with tar -xf in.tar and use the .gpx file in it."
    ),
    (
      .zip, "a ZIP archive", "Unpack it with unzip walk and use the .gpx file in it.",
      "Unpack it with unzip in.zip and use the .gpx file in it."
    ),
    (
      .bzip2, "bzip2 data", "Unpack it: bzip2 -dc <walk >out.gpx",
      "Unpack it: bzip2 -dc <in.gpx.bz2 >out.gpx"
    ),
    (
      .xz, "xz data", "Unpack it: xz -dc <walk >out.gpx", "Unpack it: xz -dc <in.gpx.xz >out.gpx"
    ),
    (
      .zstandard, "Zstandard data", "Unpack it: zstd -dc <walk >out.gpx",
      "Unpack it: zstd -dc <in.gpx.zst >out.gpx"
    ),
    (.json, "JSON", give, give), (.jpeg, "a JPEG image", give, give),
    (.png, "a PNG image", give, give), (.pdf, "a PDF document", give, give),
    (.xml(root: "osm"), "XML with the root element <osm>", give, give),
    (.text, "plain text", give, give), (.binary, "binary data", give, give),
    (.gzip(of: .binary), "binary data (gzipped)", give, give),
    (
      .gzip(of: .tar), "a tar archive (gzipped)",
      "Unpack it with tar -xf walk and use the .gpx file in it.",
      "Unpack it with tar -xf in.tar.gz and use the .gpx file in it."
    ),
    (
      .gzip(of: .zip), "a ZIP archive (gzipped)", "Unpack it: gzip -dc <walk >in.zip",
      "Unpack it: gzip -dc <in.zip.gz >in.zip"
    ),
    (
      .gzip(of: .fit), "a FIT file (gzipped)",
      "Convert it: gzip -dc <walk >in.fit && gpsbabel -i garmin_fit -f in.fit -o gpx -F out.gpx",
      "Convert it: gzip -dc <in.fit.gz >in.fit && gpsbabel -i garmin_fit -f in.fit -o gpx -F out.gpx"
    ),
    converted(.kml, "KML", "kml", "kml"),
    converted(.tcx, "a Garmin training file (TCX)", "gtrnctr", "tcx"),
    converted(.geoJSON, "GeoJSON", "geojson", "geojson"),
    converted(.fit, "a FIT file", "garmin_fit", "fit"),
    converted(.nmea, "an NMEA log", "nmea", "nmea"),
    converted(.igc, "a flight log (IGC)", "igc", "igc"),
    converted(.ozi, "an OziExplorer file", "ozi", "plt"),
    converted(.gdb, "a Garmin MapSource file (GDB)", "gdb", "gdb"),
    converted(.csv, "a table (CSV)", "unicsv", "csv"),
  ]

  private static func converted(
    _ kind: GPXFileKind, _ description: String, _ format: String, _ end: String
  ) -> (GPXFileKind, String, String, String) {
    (
      kind, description, "Convert it: gpsbabel -i \(format) -f walk -o gpx -F out.gpx",
      "Convert it: gpsbabel -i \(format) -f in.\(end) -o gpx -F out.gpx"
    )
  }

  @Test(arguments: all)
  func saysWhatItIsAndWhatToDo(
    kind: GPXFileKind, description: String, suggestion: String, general: String
  ) {
    #expect(kind.description == description)
    let error = GPXError(.notGPX(kind), file: "walk", path: "walk")
    #expect(error.description == "walk: this is \(description), not GPX")
    #expect(error.recoverySuggestion == suggestion)
    #expect(GPXError(.notGPX(kind), file: "standard input").recoverySuggestion == general)
  }

  @Test(arguments: [
    ("a.kml", "a.kml"), ("/tmp/Tour_2-1,5%.kml", "/tmp/Tour_2-1,5%.kml"), ("-x.kml", "./-x.kml"),
    ("my walk.kml", "'my walk.kml'"), ("it's.kml", "'it'\\''s.kml'"), ("a;b", "'a;b'"),
    ("$HOME", "'$HOME'"), ("~/a", "'~/a'"), ("a*", "'a*'"), ("ä.kml", "'ä.kml'"), ("", "''"),
    ("-a b", "'./-a b'"), ("a\\b", "'a\\b'"), ("'\u{301};b", "''\\''\u{301};b'"),
  ])
  func quotesThePathForTheShell(path: String, word: String) {
    #expect(
      GPXError(.notGPX(.kml), file: path, path: path).recoverySuggestion
        == "Convert it: gpsbabel -i kml -f \(word) -o gpx -F out.gpx")
  }

  @Test func namesThePathOfAFileAndOfNothingElse() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).kml")
    try Data("<kml/>".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(Recording(.file(file.path)).error?.path == file.path)
    let handle = try FileHandle(forReadingFrom: file)
    let piped = Recording(.descriptor(handle.fileDescriptor, name: "standard input")).error
    #expect(piped?.cause == .notGPX(.kml))
    #expect(piped?.path == nil && piped?.file == "standard input")
    #expect(Recording("<kml/>").error?.path == nil)
  }

  @Test(arguments: [
    ("html", GPXFileKind.html), ("HTML", .html), ("kml", .kml), ("KML", .kml),
    ("TrainingCenterDatabase", .tcx), ("osm", .xml(root: "osm")), ("Gpx", .xml(root: "Gpx")),
    ("", .xml(root: "")),
  ])
  func knowsRootElements(root: String, kind: GPXFileKind) {
    #expect(GPXFileKind(root: root) == kind)
  }

  private func probe(_ bytes: [UInt8]) -> FileProbe {
    bytes.withUnsafeBytes { FileProbe($0) }
  }

  private static let signatures: [([UInt8], GPXFileKind)] = [
    ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47], .png), (Array("%PDF".utf8), .pdf),
    ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip),
    (Array("BZh".utf8), .bzip2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], .xz),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
    ([0x0E, 0x10, 0xD9, 0x07, 0x00, 0x00, 0x00, 0x00, 0x2E, 0x46, 0x49, 0x54], .fit),
    (Array("MsRcf".utf8), .gdb),
    (Array("walk.gpx".utf8) + [UInt8](repeating: 0, count: 249) + Array("ustar\0".utf8), .tar),
    (Array("walk.gpx".utf8) + [UInt8](repeating: 0, count: 249) + Array("ustar  \0".utf8), .tar),
    (Array("PK\u{3}\u{4}\u{14}\0\0\0\u{8}\0files/doc.kml".utf8), .kmz),
    (Array("PK\u{3}\u{4}\u{14}\0\0\0\u{8}\0files/a.png PK\u{3}\u{4}Tour.KML".utf8), .kmz),
  ]

  @Test(arguments: signatures)
  func goesByTheFirstBytesWhateverFollows(signature: [UInt8], kind: GPXFileKind) {
    // Even markup behind them, as in the metadata of an image, does not make it XML.
    for rest in [[], [0], [0xFF, 0x00, 0x3C], Array("<gpx></gpx>".utf8)] as [[UInt8]] {
      #expect(probe(signature + rest).kind == kind)
    }
    // One byte less is another thing.
    #expect(probe(signature.dropLast()).kind != kind)
    // Something in front, too.
    #expect(probe([0x20, 0x20] + signature + Array("<gpx/>".utf8)).kind != kind)
  }

  @Test(arguments: [
    ("{\"a\":1}", GPXFileKind?.some(.json)), ("[1,2]", .json), ("$GPGGA,1", .nmea), ("a,b", .text),
    ("{\"type\": \"FeatureCollection\", ", .geoJSON), ("{\n \"features\" : [", .geoJSON),
    ("{\"type\":\"Feature\"}", .json), ("AXXX\r\nHFDTE010526\r\n", .igc),
    ("AFLY\nHFDTEDATE:010526\n", .igc), ("AXXX\nB0800005224074N", .text),
    ("A walk\non HFDTE", .text), ("OziExplorer Track Point File Version 2.1\r\n", .ozi),
    ("OziExplorer Waypoint File Version 1.1", .ozi), ("OziExplorerX", .text),
    ("lat,lon\n1,2", .csv), ("\"Latitude\";\"Longitude\"\r\n1,5;2", .csv),
    ("time\tLat\tlng\n", .csv), ("Long, Lat", .csv), ("latlon", .text), ("lat,name", .text),
    ("a,b\nlat,lon", .text), ("index,time,latitude,longitude,elevation", .csv),
    ("52.5 13.4", .text), ("<gpx/>", nil), ("<?xml version='1.0'?>", nil), ("<kml/>", nil),
    ("<html>", .html), ("<HTML lang='de'>", .html), ("<!DOCTYPE HTML>", .html),
    ("<!doctype html public 'x'>", .html), ("<!DOCTYPE gpx>", nil), ("<!-- x --><html>", nil),
    ("", .empty), ("x<gpx/>", .text), ("&lt;gpx>", .text),
  ])
  func looksBehindWhiteSpaceAndTheByteOrderMark(text: String, kind: GPXFileKind?) {
    for space in ["", " ", "\n", "\r\n\t ", String(repeating: " ", count: 900)] {
      #expect(probe(Array((space + text).utf8)).kind == kind)
      #expect(probe([0xEF, 0xBB, 0xBF] + Array((space + text).utf8)).kind == kind)
    }
  }

  @Test func waitsForMarkupBehindMoreSpaceThanItLooksAt() {
    let spaces = String(repeating: " ", count: FileProbe.length)
    #expect(probe(Array(spaces.utf8)).kind == nil)
    #expect(probe(Array(spaces.dropLast().utf8)).kind == .empty)
    #expect(Recording("\(spaces)<gpx><wpt lat='1' lon='2'/></gpx>").waypoints.count == 1)
    #expect(Recording("\(spaces)\(spaces)").error != nil)
  }

  @Test(arguments: [
    ("<gpx/>", true), ("<?xml version='1.0'?><gpx/>", true),
    ("<?xml version='1.0' encoding='UTF-8'?>", true),
    ("<?xml version='1.0' encoding=\"utf8\"?>", true),
    ("<?xml version='1.0' encoding = 'Utf-8' standalone='yes'?>", true),
    ("<?xml version='1.0' encoding='US-ASCII'?>", true),
    // Single bytes cannot be UTF-16 or UCS-4.
    ("<?xml version='1.0' encoding='UTF-16'?>", true),
    ("<?xml version='1.0' encoding='UCS-4'?>", true),
    ("<?xml version='1.0' encoding='ISO-8859-1'?>", false),
    ("<?xml version='1.0' encoding='windows-1252'?>", false),
    ("<?xml version='1.0' encoding='klingon'?>", false),
    ("<?xml version='1.0'?><a encoding='klingon'?>", true),
    ("<?xml version='1.0' encoding=klingon?>", true), ("<?xml version='1.0' encoding=", true),
  ])
  func tellsUTF8ByItsDeclaration(text: String, isUTF8: Bool) {
    #expect(probe(Array(text.utf8)).isUTF8 == isUTF8)
    // The byte order mark is stronger than any declaration.
    #expect(probe([0xEF, 0xBB, 0xBF] + Array(text.utf8)).isUTF8)
  }

  @Test(
    arguments: [
      [0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0], [0x3C, 0, 0x67, 0], [0, 0x3C, 0, 0x67],
      [0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0], [0, 0, 0, 0x3C],
    ] as [[UInt8]])
  func takesWideMarkupForXML(bytes: [UInt8]) {
    #expect(probe(bytes).kind == nil)
    #expect(!probe(bytes).isUTF8)
  }

  @Test func knowsGzipByTwoBytes() {
    for (bytes, isGzip) in [
      ([0x1F, 0x8B], true), ([0x1F, 0x8B, 8, 0], true), ([0x1F], false), ([], false),
      ([0x1F, 0x8C, 8], false), ([0x8B, 0x1F], false),
    ] as [([UInt8], Bool)] {
      #expect(bytes.withUnsafeBytes { FileProbe.isGzip($0) } == isGzip)
    }
  }

  @Test(arguments: [
    "<kml/>", "<k:kml xmlns:k='x'/>", "<?xml version='1.0'?>\n<!-- c -->\n<kml><Placemark/></kml>",
  ])
  func namesTheRootWithoutReadingOn(text: String) {
    // The rest may be as broken as it likes.
    for tail in ["", "<", "\u{1}", "</gpx>"] {
      let recording = Recording(text + tail)
      #expect(recording.error?.cause == .notGPX(.kml))
      #expect(recording.events.isEmpty)
    }
  }

  @Test func findsTheNameOfADocumentBeforeAnyBytes() {
    let archive = Array("PK\u{3}\u{4}\u{14}\0doc.kml".utf8)
    // After them, some bytes would be a part of the last letter.
    for rest in [[0xCC, 0x81], [0xFF], [0xE2, 0x80, 0x8D], Array("z".utf8)] as [[UInt8]] {
      #expect(probe(archive + rest).kind == .kmz)
    }
    #expect(probe(Array("PK\u{3}\u{4}\u{14}\0doc.xml".utf8)).kind == .zip)
  }

  @Test(arguments: [
    ("<kml/>", GPXFileKind.kml), ("<?xml version='1.0'?><html/>", .html), ("{}", .json),
    ("lat,lon\n", .csv), ("", .empty), ("<!DOCTYPE html><html>", .html),
  ])
  func tellsWhatIsInAGzipFile(text: String, kind: GPXFileKind) {
    let bytes = Gzip.compressed(Array(text.utf8))
    #expect(Recording(bytes).error?.cause == .notGPX(.gzip(of: kind)))
  }

  @Test func quotesTheRootSafely() {
    let name = String(repeating: "ä", count: 100)
    #expect(
      Recording("<\(name)/>").error?.cause
        == .notGPX(.xml(root: String(repeating: "ä", count: 39) + "…")))
  }
}
