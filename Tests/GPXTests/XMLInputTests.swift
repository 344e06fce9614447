import FaketrackSupport
import Testing

@testable import GPX

/// The bytes that the XML parser gets, against a slow repair of all bytes in one step.
@Suite struct XMLInputTests {
  /// All that an input hands out, and the lines it reports.
  private func drain(
    _ source: any ByteSource, capacity: Int = 4_000
  ) throws -> (bytes: [UInt8], lines: [Int], error: GPXError.Cause?) {
    var (bytes, lines): ([UInt8], [Int]) = ([], [])
    var part = [UInt8](repeating: 0, count: capacity)
    let input = try XMLInput(source)
    do {
      while !input.isExhausted {
        if input.needsRefill {
          let before = bytes.count { $0 == 0x0A }
          lines += try input.refill().map { $0 + before }
        }
        let count = part.withUnsafeMutableBytes { input.copy(into: $0) }
        bytes += part[..<count]
      }
    } catch {
      return (bytes, lines, error)
    }
    return (bytes, lines, nil)
  }

  /// Valid UTF-8 as it is, every other byte as the character of ISO-8859-1.
  private func repaired(_ bytes: [UInt8]) -> (bytes: [UInt8], runs: [Int]) {
    var (result, runs): ([UInt8], [Int]) = ([], [])
    var rest = bytes[...]
    var isInRun = false
    while let first = rest.first {
      let length =
        first < 0x80
        ? 1
        : (2...4).first { count in
          rest.count >= count
            && String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars.count == 1
        }
      if let length {
        result += rest.prefix(length)
        isInRun = false
      } else {
        if !isInRun { runs.append(result.count { $0 == 0x0A }) }
        result += String(Unicode.Scalar(first)).utf8
        isInRun = true
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return (result, runs)
  }

  private func randomBytes(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
    let pieces: [[UInt8]] = [
      [0x41], [0x0A], Array("é".utf8), Array("€".utf8), Array("🚶".utf8), [0xA0], [0xFF], [0xC3],
      [0xE2, 0x82], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xC0, 0x80],
      Array(repeating: 0x42, count: 40),
    ]
    var bytes = Array("<gpx>".utf8)
    while bytes.count < count {
      let isPlain = generator.index(below: 3) == 0
      bytes += pieces[isPlain ? 0 : generator.index(below: pieces.count)]
    }
    // The start of a character at the very end would be a separate run.
    return bytes + [0x41]
  }

  @Test func repairsLikeALoopOverAllBytes() throws {
    var generator = SplitMix64(seed: 71)
    for _ in 0..<150 {
      let bytes = randomBytes(generator.index(below: 400), &generator)
      let expected = repaired(bytes)
      let found = try drain(MemorySource(bytes), capacity: 1 + generator.index(below: 70))
      #expect(found.bytes == expected.bytes)
      #expect(found.lines == expected.runs)
    }
  }

  @Test func repairsTheSameInPiecesOfAnySize() throws {
    var generator = SplitMix64(seed: 72)
    for _ in 0..<40 {
      // Behind the first bytes, which are read together, the pieces are handed on as they come.
      let bytes = randomBytes(FileProbe.length + 500, &generator)
      let sizes = (0..<30).map { _ in 1 + generator.index(below: 12) }
      #expect(try drain(PiecewiseSource(bytes, sizes: sizes)).bytes == repaired(bytes).bytes)
    }
  }

  @Test(arguments: [65_532, 65_534, 65_535, 65_536])
  func joinsCharactersAcrossTheEndOfItsBuffer(padding: Int) throws {
    let head = Array("<gpx>".utf8) + [UInt8](repeating: 0x20, count: padding - 5)
    for tail in [
      Array("🚶€é".utf8), [0xF0, 0x9F, 0x9A], [0xE2, 0x41], [0xFF, 0xC3, 0xA9], [0xC3],
    ] {
      let bytes = head + tail
      let expected = repaired(bytes)
      let found = try drain(MemorySource(bytes))
      #expect(found.bytes == expected.bytes)
    }
  }

  @Test func handsOutOtherEncodingsAsTheyAre() throws {
    let latin1 =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><gpx>".utf8) + [0xE9, 0xFF, 0xA0]
    let wide: [UInt8] = [0xFF, 0xFE, 0x3C, 0x00, 0xE9, 0x00, 0x00, 0xD8]
    for bytes in [latin1, wide] {
      let found = try drain(MemorySource(bytes))
      #expect(found.bytes == bytes)
      #expect(found.lines.isEmpty)
    }
  }

  @Test(arguments: [0, 1, 500, 1_023, 1_024, 1_025, 70_000])
  func handsOutWhatCameBeforeAFailure(count: Int) throws {
    let bytes = [UInt8](repeating: 0x3C, count: count)
    let source = PiecewiseSource(bytes, sizes: [300], failure: GPXError.Cause.unreadable(errno: 5))
    if count == 0 {
      #expect(throws: GPXError.Cause.unreadable(errno: 5)) { try XMLInput(source) }
      return
    }
    let found = try drain(source)
    #expect(found.bytes == bytes)
    #expect(found.error == .unreadable(errno: 5))
  }

  @Test func knowsHowMuchOfItsSourceIsRead() throws {
    let input = try XMLInput(MemorySource([UInt8](repeating: 0x3C, count: 1 << 18)))
    // The first buffer is filled for the probe.
    #expect(input.fraction == 0.25)
    #expect(input.needsRefill && !input.isExhausted)
    _ = try input.refill()
    #expect(input.fraction == 0.25 && !input.needsRefill)
    #expect(try XMLInput(PiecewiseSource([0x3C], sizes: [1])).fraction == nil)
    #expect(try XMLInput(MemorySource([])).fraction == 1)
  }
}

@Suite struct XMLTextTests {
  private func escaped(_ text: String) -> String {
    var buffer = TextBuffer()
    XMLText.append(text, to: &buffer)
    return buffer.string
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("<a b=\"c\">&", "&lt;a b=&quot;c&quot;&gt;&amp;"), ("'", "'"),
    ("\t\n\r", "&#9;&#10;&#13;"), ("é€🚶", "é€🚶"), ("\u{0}\u{1}\u{1F}\u{FFFE}\u{FFFF}", ""),
    ("\u{7F}\u{80}\u{9F}", "\u{7F}\u{80}\u{9F}"), ("]]>", "]]&gt;"), ("&amp;", "&amp;amp;"),
  ])
  func escapesWhatXMLWouldMisread(text: String, xml: String) {
    #expect(escaped(text) == xml)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("a&#38;b", "a&b"), ("&#38;#38;", "&#38;"), ("&#38;&#38;", "&&"),
    ("&#38;amp;", "&amp;"), ("é", "é"),
  ])
  func resolvesTheAmpersandsOfTheCLibrary(reported: String, value: String) {
    let result = XMLText.resolved(reported)
    #expect(result == value)
  }
}
