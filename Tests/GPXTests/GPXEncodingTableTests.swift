import FaketrackSupport
import Foundation
import GPX
import Testing

/// Encodings character by character.
@Suite struct GPXEncodingTableTests {
  private func name(_ bytes: [UInt8]) -> (name: String?, error: GPXError?) {
    let recording = Recording(bytes)
    return (recording.names.first ?? nil, recording.error)
  }

  /// A document in a single-byte encoding whose only name is `x`, the bytes, `y`.
  private func document(_ encoding: String, _ bytes: [UInt8]) -> [UInt8] {
    let head = "<?xml version='1.0' encoding='\(encoding)'?><gpx><wpt lat='1' lon='2'><name>x"
    return Array(head.utf8) + bytes + Array("y</name></wpt></gpx>".utf8)
  }

  @Test func readsEveryByteOfLatin1() {
    for byte in 0x80...0xFF as ClosedRange<UInt8> {
      for encoding in ["ISO-8859-1", "iso-8859-1", "latin1"] {
        let expected = "x\(Character(Unicode.Scalar(byte)))y"
        #expect(name(document(encoding, [byte])).name == expected)
      }
    }
  }

  @Test func readsEveryByteOfWindows1252() throws {
    for byte in 0x80...0xFF as ClosedRange<UInt8> {
      // Five bytes mean nothing.
      guard ![0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte) else { continue }
      let character = try #require(String(data: Data([byte]), encoding: .windowsCP1252))
      #expect(name(document("windows-1252", [byte])).name == "x\(character)y", "\(byte)")
    }
  }

  @Test(
    arguments: [
      ("ISO-8859-2", 0xB1, "ą"), ("ISO-8859-5", 0xD0, "а"), ("ISO-8859-7", 0xE1, "α"),
      ("ISO-8859-9", 0xFD, "ı"), ("ISO-8859-15", 0xA4, "€"), ("windows-1250", 0xB9, "ą"),
      ("windows-1251", 0xE0, "а"), ("KOI8-R", 0xC1, "а"),
    ] as [(String, UInt8, String)])
  func readsTheEncodingsOfOtherScripts(encoding: String, byte: UInt8, character: String) {
    #expect(name(document(encoding, [byte])).name == "x\(character)y")
  }

  @Test func takesSingleBytesForLatin1InAFileThatClaimsUTF8() {
    for byte in 0x80...0xFF as ClosedRange<UInt8> {
      let recording = Recording(document("UTF-8", [byte]))
      #expect(recording.names == ["x\(Character(Unicode.Scalar(byte)))y"])
      #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.encoding, .invalidBytes)])
      #expect(recording.error == nil)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func readsRandomCharactersInEveryUnicodeEncoding(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let ranges: [ClosedRange<UInt32>] = [
      0x21...0x25, 0x3F...0x7E, 0xA1...0xFF, 0x100...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFD,
      0x1_0000...0x10_FFFF,
    ]
    let name = try String(
      String.UnicodeScalarView(
        (0..<300).map { _ in
          let range = ranges[generator.index(below: ranges.count)]
          return try #require(
            Unicode.Scalar(range.lowerBound + UInt32(generator.index(below: range.count))))
        }))
    func text(_ encoding: String) -> String {
      "<?xml version='1.0' encoding='\(encoding)'?><gpx><wpt lat='1' lon='2'><name>x\(name)y</name></wpt></gpx>"
    }
    let encodings: [(String, String.Encoding, [UInt8])] = [
      ("UTF-8", .utf8, []), ("UTF-8", .utf8, [0xEF, 0xBB, 0xBF]),
      ("UTF-16", .utf16LittleEndian, [0xFF, 0xFE]), ("UTF-16", .utf16BigEndian, [0xFE, 0xFF]),
      ("UTF-16LE", .utf16LittleEndian, []), ("UTF-16BE", .utf16BigEndian, []),
    ]
    for (label, encoding, mark) in encodings {
      let data = try #require(text(label).data(using: encoding))
      let found = self.name(mark + data)
      #expect(
        found.name?.unicodeScalars.elementsEqual("x\(name)y".unicodeScalars) == true, "\(label)")
      #expect(found.error == nil)
      let pieces = Recording(from: PiecewiseSource(mark + data, sizes: [7, 1, 300]))
      #expect(pieces.names == [found.name])
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func findsTheEndOfTruncatedUTF16(encoding: String.Encoding) throws {
    let mark: [UInt8] = encoding == .utf16BigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    let points = (0..<6).map { "<wpt lat='\($0)' lon='2'><name>é€🚶</name></wpt>" }.joined()
    let bytes = mark + (try #require("<gpx>\(points)</gpx>".data(using: encoding)))
    let whole = Recording(bytes)
    #expect(whole.error == nil && whole.names.count == 6)
    var previous = 0
    for length in 4..<bytes.count {
      let recording = Recording(Array(bytes[..<length]))
      #expect(recording.error != nil, "\(length)")
      #expect(whole.points.starts(with: recording.points))
      #expect(recording.points.count >= previous)
      previous = recording.points.count
    }
    #expect(previous == 6)
  }

  @Test(arguments: [
    ("US-ASCII", true), ("utf8", true), ("UTF-7", true), ("UCS-2", true), ("UTF-8 ", false),
    ("ASCII", false), ("", false), ("EUC-KLINGON", false),
  ])
  func readsUTF8UnderAUnicodeNameAndRefusesUnknownNames(encoding: String, isRead: Bool) {
    let recording = Recording(document(encoding, Array("é".utf8)))
    #expect(recording.names == (isRead ? ["xéy"] : []))
    #expect((recording.error == nil) == isRead)
  }
}
