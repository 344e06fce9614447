import Foundation
import Testing

@testable import GPX

@Suite struct GPXFileKindTests {
  private static let all: [(GPXFileKind, String, String)] = [
    (.empty, "an empty file", "Export or download the track again."),
    (
      .html, "a web page (HTML)",
      "The download saved a web page, perhaps a log-in; download the track itself."
    ),
    (.kml, "KML", "Convert it: gpsbabel -i kml -f in.kml -o gpx -F out.gpx"),
    (
      .tcx, "a Garmin training file (TCX)",
      "Convert it: gpsbabel -i gtrnctr -f in.tcx -o gpx -F out.gpx"
    ),
    (.json, "JSON", "Give a GPX 1.0 or 1.1 file."),
    (.fit, "a FIT file", "Convert it: gpsbabel -i garmin_fit -f in.fit -o gpx -F out.gpx"),
    (.nmea, "an NMEA log", "Convert it: gpsbabel -i nmea -f in.nmea -o gpx -F out.gpx"),
    (.zip, "a ZIP archive", "Unpack it with unzip and use the .gpx file in it."),
    (.bzip2, "bzip2 data", "Unpack it with bunzip2."),
    (.xz, "xz data", "Unpack it with xz -d."),
    (.zstandard, "Zstandard data", "Unpack it with zstd -d."),
    (.jpeg, "a JPEG image", "Give a GPX 1.0 or 1.1 file."),
    (.png, "a PNG image", "Give a GPX 1.0 or 1.1 file."),
    (.pdf, "a PDF document", "Give a GPX 1.0 or 1.1 file."),
    (.xml(root: "osm"), "XML with the root element <osm>", "Give a GPX 1.0 or 1.1 file."),
    (.text, "plain text", "Give a GPX 1.0 or 1.1 file."),
    (.binary, "binary data", "Give a GPX 1.0 or 1.1 file."),
  ]

  @Test(arguments: all)
  func saysWhatItIsAndWhatToDo(kind: GPXFileKind, description: String, suggestion: String) {
    #expect(kind.description == description)
    let error = GPXError(.notGPX(kind), file: "walk.gpx")
    #expect(error.description == "walk.gpx: this is \(description), not GPX")
    #expect(error.recoverySuggestion == suggestion)
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

  @Test func quotesTheRootSafely() {
    let name = String(repeating: "ä", count: 100)
    #expect(
      Recording("<\(name)/>").error?.cause
        == .notGPX(.xml(root: String(repeating: "ä", count: 39) + "…")))
  }
}
