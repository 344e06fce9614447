import FaketrackSupport
import GPX
import Testing

/// Damaged files: none may crash or hang the reader, and no point may vanish without a word.
@Suite struct GPXFuzzTests {
  private static let original = gpx(
    """
    <wpt lat="52.1" lon="13.1"><ele>30</ele><name>A &amp; B</name></wpt>
    <rte><name>R</name><rtept lat="52.2" lon="13.2"/></rte>
    <trk><name>T</name><trkseg>
    <trkpt lat="52.3" lon="13.3"><ele>31.5</ele><time>2026-05-01T08:00:00Z</time></trkpt>
    <trkpt lat="52.4" lon="13.4"><extensions><x:speed>1</x:speed></extensions></trkpt>
    </trkseg><trkseg><trkpt lat="52.5" lon="13.5"/></trkseg></trk>
    """)

  private static let pieces: [[UInt8]] =
    [
      "<", ">", "/", "\"", "&", "&#x0;", "]]>", "<!--", "-->", "<![CDATA[", "<?", "\0", "\u{FF}",
      ",",
      "NaN", "<trkpt/>", "<trkpt lat='1' lon='2'/>", "<wpt>", "</wpt>", "<!DOCTYPE x>", "-", "9999",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xFE, 0xFF], [0xE2, 0x82]]

  private static func damaged(_ seed: UInt64) -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    var bytes = Array(original.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: index)
      case 3:
        let end = min(bytes.count, index + Int.random(in: 1...80, using: &generator))
        bytes.removeSubrange(index..<end)
      case 4:
        let end = min(bytes.count, index + Int.random(in: 1...200, using: &generator))
        let to = Int.random(in: 0...bytes.count, using: &generator)
        bytes.insert(contentsOf: Array(bytes[index..<end]), at: to)
      default: bytes.removeSubrange(index...)
      }
      if bytes.isEmpty { bytes = [0x3C] }
    }
    return bytes
  }

  @Test(arguments: 0..<8)
  func losesNothingSilently(block: UInt64) {
    for seed in block * 600..<(block + 1) * 600 {
      let bytes = Self.damaged(seed)
      let recording = Recording(bytes)
      let delivered = recording.fixes.values.reduce(0) { $0 + $1.count }
      let skipped = recording.issues.count { $0.skipsPoint }
      let oracle = PointOracle.count(bytes)
      if recording.error == nil {
        // The whole document was read: every point in it was delivered or reported.
        guard delivered + skipped == oracle.complete else {
          Issue.record(
            "seed \(seed): \(delivered) + \(skipped), not \(oracle)\n\(String(decoding: bytes, as: UTF8.self))"
          )
          return
        }
      } else {
        guard delivered + skipped <= oracle.begun else {
          Issue.record("seed \(seed): \(delivered) + \(skipped) of \(oracle)")
          return
        }
      }
      for fix in recording.trackPoints {
        // Nothing out of range is delivered.
        #expect(abs(fix.coordinate.latitude) <= 90 && abs(fix.coordinate.longitude) <= 180)
      }
    }
  }

  @Test func givesTheSameHoweverTheBytesCome() {
    // What comes first is read in one piece, to tell the kind of file.
    let head = Array("<!--\(String(repeating: "-x", count: 600))-->".utf8)
    for seed in 0..<400 as Range<UInt64> {
      let bytes = head + Self.damaged(seed).drop { $0 != 0x0A }
      let whole = Recording(bytes)
      let dribbled = Recording(dribbling: bytes)
      #expect(whole.fixes == dribbled.fixes)
      // Bytes that are not UTF-8 are reported when they are taken in, buffer by buffer.
      #expect(
        whole.issues.filter { $0.kind.part != .encoding }
          == dribbled.issues.filter { $0.kind.part != .encoding })
      #expect(whole.error == dribbled.error)
    }
  }

  @Test func deliversEveryCompletePointBeforeATruncation() {
    let bytes = Array(Self.original.utf8)
    var previous = 0
    for length in 0..<bytes.count {
      let recording = Recording(Array(bytes[..<length]))
      #expect(recording.error != nil)
      let delivered = recording.fixes.values.reduce(0) { $0 + $1.count }
      #expect(delivered == PointOracle.closed(bytes[..<length]), "\(length)")
      #expect(delivered >= previous)
      previous = delivered
    }
    #expect(previous == 5)
  }
}

/// Counts points by looking at the bytes, without parsing.
enum PointOracle {
  static func count(_ bytes: [UInt8]) -> (complete: Int, begun: Int) {
    let text = Array(bytes)
    var complete = 0
    var begun = 0
    var index = 0
    while index < text.count {
      guard text[index] == 0x3C else {
        index += 1
        continue
      }
      if starts(text, index, "<!--"), let end = find(text, index + 4, "-->") {
        index = end
      } else if starts(text, index, "<![CDATA["), let end = find(text, index + 9, "]]>") {
        index = end
      } else if starts(text, index, "<?"), let end = find(text, index + 2, "?>") {
        index = end
      } else {
        if isPoint(text, index + 1) { complete += 1 }
        index += 1
      }
    }
    for index in text.indices where text[index] == 0x3C && isPoint(text, index + 1) { begun += 1 }
    return (complete, begun)
  }

  /// Points that are closed in the undamaged document.
  static func closed(_ bytes: some Collection<UInt8>) -> Int {
    let text = Array(bytes)
    var count = 0
    for index in text.indices where text[index] == 0x3C || text[index] == 0x2F {
      for end in ["</wpt>", "</rtept>", "</trkpt>"] where starts(text, index, end) { count += 1 }
      if starts(text, index, "/>") {
        let open = text[..<index].lastIndex(of: 0x3C) ?? 0
        if isPoint(text, open + 1) { count += 1 }
      }
    }
    return count
  }

  private static func isPoint(_ text: [UInt8], _ index: Int) -> Bool {
    var start = index
    // A prefix ends with a colon.
    if let colon = text[index...].prefix(12).firstIndex(of: 0x3A),
      text[index..<colon].allSatisfy({ isNameByte($0) })
    {
      start = colon + 1
    }
    return ["wpt", "rtept", "trkpt"].contains { name in
      guard starts(text, start, name) else { return false }
      let end = start + name.utf8.count
      return end == text.count || !isNameByte(text[end]) && text[end] != 0x3A
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x2D || byte == 0x2E || byte == 0x5F || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func starts(_ text: [UInt8], _ index: Int, _ word: String) -> Bool {
    text[min(index, text.count)...].starts(with: word.utf8)
  }

  private static func find(_ text: [UInt8], _ index: Int, _ word: String) -> Int? {
    (index..<max(index, text.count)).first { starts(text, $0, word) }.map { $0 + word.utf8.count }
  }
}
