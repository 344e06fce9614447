import CZlib
import GPX
import Testing

@Suite struct GzipSourceTests {
  @Test(arguments: [1, 10, 5_000])
  func inflatesWhileItReads(points: Int) throws {
    let recording = Recording(try gzip(walk(points)))
    #expect(recording.error == nil)
    #expect(recording.trackPoints.count == points)
    #expect(
      recording.trackPoints.map(\.position) == Recording(walk(points)).trackPoints.map(\.position))
  }

  @Test func joinsMembersAndPassesOverPadding() throws {
    let text = walk(1_000)
    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
    let bytes =
      try gzip(String(text[..<middle])) + gzip(String(text[middle...]))
      + [UInt8](repeating: 0, count: 512)
    #expect(Recording(bytes).trackPoints.count == 1_000)
    #expect(Recording(bytes).error == nil)
  }

  @Test func deliversWhatComesBeforeATruncation() throws {
    let bytes = try gzip(walk(20_000))
    for cut in [1, 4, 8, 9, 100, bytes.count / 2] {
      let recording = Recording(Array(bytes.dropLast(cut)))
      #expect(recording.error?.cause == .truncatedGzip)
      #expect(recording.trackPoints.count <= 20_000)
      #expect(recording.trackPoints.count > (cut > 100 ? 5_000 : 19_000))
    }
    for length in [2, 5, 10, 12] {
      #expect(Recording(Array(bytes[..<length])).error?.cause == .truncatedGzip)
    }
  }

  @Test func findsDamage() throws {
    var bytes = try gzip(walk(20_000))
    // The checksum at the end.
    bytes[bytes.count - 6] ^= 0xFF
    #expect(Recording(bytes).error?.cause == .damagedGzip)
    bytes[bytes.count / 2] ^= 0xFF
    bytes[bytes.count / 2 + 1] ^= 0xFF
    let recording = Recording(bytes)
    #expect(recording.error != nil)
    let garbage = try gzip(walk(10)) + Array("garbage".utf8)
    #expect(Recording(garbage).error?.cause == .damagedGzip)
    #expect(Recording(garbage).trackPoints.count == 10)
  }

  @Test func saysWhatIsInside() throws {
    #expect(Recording(try gzip("<kml/>")).error?.cause == .notGPX(.kml))
    #expect(Recording(try gzip("")).error?.cause == .notGPX(.empty))
    #expect(Recording(try gzip("a,b\n1,2")).error?.cause == .notGPX(.text))
  }

  private struct NotCompressed: Error {}

  private func gzip(_ text: String) throws -> [UInt8] {
    var stream = z_stream()
    // 16 more than the window asks for the gzip format.
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw NotCompressed() }
    defer { deflateEnd(&stream) }
    var input = Array(text.utf8)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw NotCompressed() }
    return Array(output.prefix(Int(stream.total_out)))
  }
}
