import Foundation
import GPX
import Testing

@Suite struct GPXEncodingTests {
  private func document(_ declaration: String) -> String {
    declaration + "<gpx><wpt lat='1' lon='2'><name>Müller Höhe</name></wpt></gpx>"
  }

  private func read(_ bytes: some Sequence<UInt8>) -> Recording {
    Recording(Array(bytes))
  }

  @Test(arguments: ["", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='utf-8'?>"])
  func readsUTF8WithAndWithoutMarkAndDeclaration(declaration: String) {
    let bytes = Array(document(declaration).utf8)
    for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
      let recording = read(mark + bytes)
      #expect(recording.names == ["Müller Höhe"])
      #expect(recording.error == nil)
      #expect(recording.issues.isEmpty)
    }
  }

  /// XML has nothing before its declaration, but copied and templated files have.
  @Test(arguments: ["\n", " ", "\r\n\r\n", "\n\n\t ", "\n" + String(repeating: " ", count: 900)])
  func readsWhiteSpaceBeforeTheDeclaration(space: String) throws {
    let kind = GPXIssue.Kind(.encoding, .leadingSpace)
    for (encoding, name) in [(String.Encoding.utf8, "utf-8"), (.isoLatin1, "ISO-8859-1")] {
      for mark in encoding == .utf8 ? [[], [0xEF, 0xBB, 0xBF]] : [[]] as [[UInt8]] {
        let text =
          space
          + document("<?xml version='1.0' encoding='\(name)'?>\n<x/>")
          .replacingOccurrences(of: "<x/><gpx>", with: "<gpx><wpt lat='x' lon='1'/>")
        let bytes = mark + Array(try #require(text.data(using: encoding)))
        for recording in [read(bytes), Recording(dribbling: bytes)] {
          #expect(recording.error == nil)
          #expect(recording.names == ["Müller Höhe"])
          #expect(recording.issues.map(\.kind) == [kind, .init(.latitude, .notANumber)])
          let lines = space.unicodeScalars.count { $0 == "\n" }
          #expect(recording.issues.map(\.line) == [1 + lines, 2 + lines])
          let last = space.unicodeScalars.split(
            separator: "\n", omittingEmptySubsequences: false
          ).last
          #expect(recording.issues.first?.column == 1 + (last?.count ?? 0))
        }
      }
    }
    #expect(Recording(space + "<gpx></gpx>", isStrict: true).issues.isEmpty)
    #expect(Recording(space + document("<?xml version='1.0'?>"), isStrict: true).error == nil)
  }

  @Test(arguments: [
    ("12&deg;C", "12°C"), ("a&nbsp;b", "a\u{A0}b"), ("caf&eacute;&Eacute;", "caféÉ"),
    ("&euro;&amp;&lt;&hearts;", "€&<♥"),
  ])
  func readsEntitiesOfHTML(text: String, meaning: String) {
    let recording = Recording(
      gpx("<wpt lat='1' lon='2'><name>\(text)</name><link href='u?\(text)'/></wpt>"),
      isStrict: true)
    #expect(recording.error == nil)
    #expect(recording.names == [meaning])
    #expect(recording.points.first?.details.links.first?.href == "u?\(meaning)")
    let entities = text.split(separator: "&").filter { $0.contains(";") && !$0.hasPrefix("amp") }
      .map { "&" + $0.prefix { $0 != ";" } + ";" }.filter { $0 != "&lt;" }
    #expect(recording.issues.map(\.text) == entities + entities)
    #expect(recording.issues.allSatisfy { $0.kind == .init(.encoding, .htmlEntity) })
  }

  @Test func refusesEntitiesThatNobodyKnows() {
    let unknown = Recording(gpx("<wpt lat='1' lon='2'><name>&grad;</name></wpt>"))
    #expect(unknown.error?.description.contains("Entity 'grad' not defined") == true)
    let declared = Recording(
      "<!DOCTYPE gpx [<!ENTITY deg 'x'>]><gpx><name>&deg;</name></gpx>")
    #expect(declared.error?.cause == .documentType)
  }

  @Test(
    arguments: [
      ("<?xml version='1.0' encoding='UTF-16'?>", String.Encoding.utf16BigEndian, [0xFE, 0xFF]),
      ("<?xml version='1.0' encoding='UTF-16'?>", .utf16LittleEndian, [0xFF, 0xFE]),
      ("", .utf16LittleEndian, [0xFF, 0xFE]),
      ("<?xml version='1.0' encoding='UTF-16LE'?>", .utf16LittleEndian, []),
      ("<?xml version='1.0' encoding='UTF-16BE'?>", .utf16BigEndian, []),
    ] as [(String, String.Encoding, [UInt8])])
  func readsUTF16(declaration: String, encoding: String.Encoding, mark: [UInt8]) throws {
    let data = try #require(document(declaration).data(using: encoding))
    let recording = read(mark + data)
    #expect(recording.names == ["Müller Höhe"])
    #expect(recording.error == nil)
  }

  @Test func readsALongFileOfUTF16() throws {
    let data = try #require(walk(4_000).data(using: .utf16LittleEndian))
    let text = try #require(
      walk(4_000).replacingOccurrences(of: "UTF-8", with: "UTF-16").data(using: .utf16LittleEndian))
    #expect(read([0xFF, 0xFE] + text).trackPoints.count == 4_000)
    #expect(data.count > 64 * 1_024)
  }

  @Test(arguments: ["ISO-8859-1", "iso-8859-1", "windows-1252"])
  func readsLatin1(name: String) throws {
    let text = document("<?xml version='1.0' encoding='\(name)'?>")
    let recording = read(try #require(text.data(using: .isoLatin1)))
    #expect(recording.names == ["Müller Höhe"])
    #expect(recording.issues.isEmpty)
  }

  @Test func readsUTF8ThatCallsItselfUTF16() {
    let recording = Recording(document("<?xml version=\"1.0\" encoding=\"utf-16\"?>"))
    #expect(recording.names == ["Müller Höhe"])
  }

  @Test func takesAStrayByteForLatin1AndSaysWhere() throws {
    let parts = [
      "<?xml version='1.0' encoding='UTF-8'?>\n<gpx>\n<wpt lat='1' lon='2'><name>a", "b ä</name>",
      "</wpt>\n<wpt lat='3' lon='4'/></gpx>",
    ]
    let recording = read(
      Array(parts[0].utf8) + [0xA0] + Array(parts[1].utf8) + Array(parts[2].utf8))
    #expect(recording.error == nil)
    #expect(recording.names == ["a\u{A0}b ä", nil])
    let issue = try #require(recording.issues.first)
    #expect(recording.issues.count == 1)
    #expect(issue.kind == GPXIssue.Kind(.encoding, .invalidBytes))
    #expect(issue.line == 3)
    #expect(!issue.skipsPoint)
  }

  @Test(arguments: [1, 100, 65_520, 65_533, 65_534, 65_535, 65_536, 131_069, 131_071])
  func repairsAcrossTheEndOfABuffer(padding: Int) throws {
    // A character of three bytes and a stray byte behind it, wherever the buffers end.
    let head = "<gpx><!--" + String(repeating: "x", count: padding) + "--><trk><name>"
    let bytes =
      Array(head.utf8) + Array("€".utf8) + [0xE9, 0x21] + Array("</name></trk></gpx>".utf8)
    let recording = read(bytes)
    #expect(recording.events.contains("track details €é!"))
    #expect(recording.issues.count == 1)
    #expect(recording.error == nil)
  }

  @Test func readsAFileOfLatin1WithoutADeclaration() throws {
    let recording = read(try #require(document("").data(using: .isoLatin1)))
    #expect(recording.names == ["Müller Höhe"])
    #expect(recording.issues.count == 2)
  }

  @Test func refusesAnUnknownEncoding() {
    let recording = Recording(document("<?xml version='1.0' encoding='klingon'?>"))
    guard case .notWellFormed = recording.error?.cause.kind else {
      Issue.record("\(recording.error as Any)")
      return
    }
  }

  @Test func endsAtBytesThatAreNoUTF16() throws {
    let text = gpx("<wpt lat='1' lon='2'/>").replacingOccurrences(of: "UTF-8", with: "UTF-16")
    var data = try #require(text.data(using: .utf16LittleEndian))
    // A low surrogate on its own.
    data.insert(contentsOf: [0x00, 0xDC], at: data.count - 14)
    let recording = read([0xFF, 0xFE] + data)
    #expect(recording.error?.line == 3)
    #expect(recording.waypoints.count == 1)
  }
}
