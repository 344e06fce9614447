import FaketrackCompression
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import GPX

@Suite struct GzipSourceTests {
  @Test(arguments: [1, 10, 5_000])
  func inflatesWhileItReads(points: Int) throws {
    let recording = Recording(gzip(walk(points)))
    #expect(recording.error == nil)
    #expect(recording.trackPoints.count == points)
    #expect(
      recording.trackPoints.map(\.position) == Recording(walk(points)).trackPoints.map(\.position))
  }

  @Test func joinsMembersAndPassesOverPadding() throws {
    let text = walk(1_000)
    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
    let bytes =
      gzip(String(text[..<middle])) + gzip(String(text[middle...]))
      + [UInt8](repeating: 0, count: 512)
    #expect(Recording(bytes).trackPoints.count == 1_000)
    #expect(Recording(bytes).error == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func joinsMembersOfAnyLengthReadInPieces(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var rest = Array(walk(300).utf8)[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      // Some members are empty, and some hold a single byte.
      let count = generator.index(below: 1 + generator.index(below: 6_000))
      bytes += Gzip.compressed(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    bytes += [UInt8](repeating: 0, count: generator.index(below: 3) * 300)
    let sizes = (0..<9).map { _ in 1 + generator.index(below: 1 + generator.index(below: 900)) }
    let recording = Recording(from: PiecewiseSource(bytes, sizes: sizes))
    #expect(recording.error == nil)
    #expect(recording.trackPoints == Recording(walk(300)).trackPoints)
  }

  /// The optional fields of the header (RFC 1952, section 2.3.1).
  @Test(
    arguments: [
      (0x00, []), (0x01, []), (0x04, [3, 0, 1, 2, 3]), (0x08, Array("walk.gpx\0".utf8)),
      (0x10, Array("a comment\0".utf8)),
      (0x1C, [2, 0, 9, 9] + Array("n\0c\0".utf8)),
      (0x08, Array(repeating: 0x78, count: 5_000) + [0]),
    ] as [(UInt8, [UInt8])])
  func passesOverTheFieldsOfAHeader(flags: UInt8, fields: [UInt8]) {
    var bytes = gzip(walk(20))
    bytes[3] = flags
    bytes.insert(contentsOf: fields, at: 10)
    for size in [1, 10, 100_000] {
      let recording = Recording(from: PiecewiseSource(bytes, sizes: [size]))
      #expect(recording.error == nil)
      #expect(recording.trackPoints.count == 20)
    }
  }

  @Test func deliversWhatComesBeforeATruncation() throws {
    let bytes = gzip(walk(20_000))
    for cut in [1, 4, 8, 9, 100, bytes.count / 2] {
      let recording = Recording(Array(bytes.dropLast(cut)))
      #expect(recording.error?.cause == .truncatedGzip)
      #expect(recording.trackPoints.count <= 20_000)
      #expect(recording.trackPoints.count > (cut > 100 ? 5_000 : 19_000))
    }
  }

  @Test func findsACutAtEveryByteOfASmallFile() {
    let bytes = gzip(walk(12))
    let whole = Recording(walk(12))
    var previous = 0
    for length in 2..<bytes.count {
      let recording = Recording(Array(bytes[..<length]))
      #expect(recording.error?.cause == .truncatedGzip, "\(length)")
      #expect(recording.error?.file == "test.gpx")
      #expect(whole.trackPoints.starts(with: recording.trackPoints))
      // The more bytes there are, the more points.
      #expect(recording.trackPoints.count >= previous)
      previous = recording.trackPoints.count
    }
    // Only the checksum and the length are missing from the last ones.
    #expect(previous == 12)
    #expect(Recording(bytes).error == nil)
  }

  @Test func findsACutBetweenAndInMembers() {
    let text = Array(walk(12).utf8)
    let first = Gzip.compressed(Array(text[..<300]))
    let second = Gzip.compressed(Array(text[300...]))
    // Where a member ends, the compressed file may end; the document does not.
    #expect(Recording(first).error?.cause == .truncated)
    for length in 1..<second.count {
      let recording = Recording(first + second[..<length])
      #expect(recording.error?.cause == .truncatedGzip, "\(length)")
    }
    #expect(Recording(first + second).error == nil)
  }

  @Test func findsEveryBitThatFlips() {
    let text = walk(12)
    let whole = Recording(text)
    let bytes = gzip(text)
    // The first ten bytes hold the time and the system, of which nothing depends.
    for index in 10..<bytes.count {
      for bit in 0..<8 where (index + bit) % 5 == 0 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        let recording = Recording(damaged)
        #expect(recording.error != nil, "bit \(bit) of byte \(index)")
        #expect(recording.trackPoints.count <= whole.trackPoints.count + 2)
      }
    }
  }

  @Test func findsDamage() throws {
    var bytes = gzip(walk(20_000))
    // The checksum at the end.
    bytes[bytes.count - 6] ^= 0xFF
    #expect(Recording(bytes).error?.cause == .damagedGzip)
    bytes[bytes.count / 2] ^= 0xFF
    bytes[bytes.count / 2 + 1] ^= 0xFF
    #expect(Recording(bytes).error != nil)
  }

  @Test(
    arguments: [
      Array("garbage".utf8), [0, 0, 0, 1, 2], [0x1F, 0x8C],
      Array(repeating: 0, count: 70_000) + [7, 7],
    ] as [[UInt8]])
  func findsGarbageBehindTheLastMember(garbage: [UInt8]) {
    let recording = Recording(gzip(walk(10)) + garbage)
    #expect(recording.error?.cause == .damagedGzip)
    #expect(recording.trackPoints.count == 10)
  }

  @Test func saysWhatIsInside() throws {
    for (inside, kind) in [
      ("<kml/>", GPXFileKind.kml), ("", .empty), (" \n", .empty), ("a,b\n1,2", .text),
      ("{}", .json), ("$GPGGA", .nmea), ("PK\u{3}\u{4}", .zip),
    ] {
      #expect(Recording(gzip(inside)).error?.cause == .notGPX(.gzip(of: kind)))
    }
    // Compressed twice, it is no GPX; only one layer is taken off.
    let twice = Gzip.compressed(gzip(walk(3)))
    guard case .notGPX = Recording(twice).error?.cause.kind else {
      Issue.record("\(Recording(twice).error as Any)")
      return
    }
  }

  @Test func repairsBytesAndFindsErrorsInside() {
    let text =
      Array("<gpx>\n<wpt lat='1' lon='2'><name>a".utf8) + [0xA0] + Array("</name></wpt></gpx>".utf8)
    let recording = Recording(Gzip.compressed(text))
    #expect(recording.names == ["a\u{A0}"])
    #expect(recording.issues.map(\.line) == [2])
    let broken = Recording(gzip("<gpx>\n<wpt lat='1' lon='2'/>\n</trk></gpx>"))
    #expect(broken.error?.line == 3)
    #expect(broken.waypoints.count == 1)
  }

  @Test func expandsABombInConstantMemory() {
    // 20 MB of spaces take 20 KB.
    let spaces = String(repeating: " ", count: 20_000_000)
    let bytes = gzip("<gpx>\(spaces)<wpt lat='1' lon='2'/></gpx>")
    #expect(bytes.count < 30_000)
    #expect(Recording(bytes).waypoints.count == 1)
    #expect(Recording(gzip("<gpx><!--\(spaces)--></gpx>")).error == nil)
    #expect(Recording(gzip("<gpx><a\(spaces)/></gpx>")).error?.cause == .markupTooLong)
  }

  private func gzip(_ text: String) -> [UInt8] {
    Gzip.compressed(Array(text.utf8))
  }
}
