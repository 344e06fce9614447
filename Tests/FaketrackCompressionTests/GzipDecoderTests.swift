import FaketrackCompression
import FaketrackTestSupport
import Testing

@Suite struct GzipDecoderTests {
  private let text = Array(String(repeating: "a walk through Potsdam, ", count: 9_000).utf8)

  @Test(arguments: [1, 7, 100, 1 << 20], [1, 64, 1 << 20])
  func decodesPiecesOfAnySize(input: Int, output: Int) throws {
    let text = input * output < 64 ? Array(text.prefix(2_000)) : text
    #expect(try decode(gzip(text), input: input, output: output).bytes == text)
  }

  @Test func joinsMembersAndPassesOverPadding() throws {
    let padding = [UInt8](repeating: 0, count: 600)
    let result = try decode(gzip(Array("one".utf8)) + gzip(Array("two".utf8)) + padding)
    #expect(result.bytes == Array("onetwo".utf8))
    #expect(result.isWhole)
  }

  @Test func detectsAMissingEnd() throws {
    let result = try decode(gzip(text).dropLast(9))
    #expect(!result.isWhole)
    #expect(text.starts(with: result.bytes))
  }

  @Test func findsDamage() throws {
    var bytes = gzip(text)
    bytes[bytes.count - 6] ^= 0xFF
    #expect(throws: GzipDecoder.Failure.damaged) { try decode(bytes) }
    #expect(throws: GzipDecoder.Failure.damaged) { try decode(Array("no gzip".utf8)) }
  }

  @Test(arguments: [(0, false), (215_999, false), (216_000, true), (1 << 20, true)])
  func tellsWhetherTheContentFits(limit: Int, fits: Bool) throws {
    #expect(Gzip.fits(gzip(text), within: limit) == fits)
    let half = gzip(Array(text.prefix(text.count / 2)))
    #expect(Gzip.fits(half + half, within: limit) == fits)
  }

  @Test func invalidDataFits() {
    #expect(Gzip.fits([], within: 0))
    #expect(Gzip.fits(Array("no gzip".utf8), within: 0))
  }

  private func decode(
    _ bytes: [UInt8], input: Int = 1 << 16, output: Int = 1 << 16
  ) throws -> (bytes: [UInt8], isWhole: Bool) {
    let decoder = try GzipDecoder()
    var decoded: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: output)
    for start in stride(from: 0, to: bytes.count, by: input) {
      try bytes[start..<min(start + input, bytes.count)].withUnsafeBytes { piece in
        decoder.setInput(piece)
        while true {
          let count = try buffer.withUnsafeMutableBytes { try decoder.decode(into: $0) }
          if count == 0 { break }
          decoded += buffer[..<count]
        }
      }
    }
    return (decoded, decoder.isAtMemberEnd)
  }

  private func gzip(_ bytes: [UInt8]) -> [UInt8] {
    Gzip.compressed(bytes)
  }
}
