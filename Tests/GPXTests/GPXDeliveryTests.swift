import FaketrackCompression
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import GPX

/// The delivery of a reader does not depend on how its bytes come.
@Suite struct GPXDeliveryTests {
  /// All kinds of elements, issues and markup, with characters of one to four bytes.
  private static let mixed = gpx(
    """
    <metadata><name>ä€🚶</name><author><name>W</name></author></metadata>
    <wpt lat="52.1" lon="13.1"><ele>30</ele><name>A &amp; <![CDATA[<B>]]> é</name></wpt>
    <wpt lat="46,2" lon="13.1"/><!-- <wpt lat="1" lon="1"/> --><?walk <wpt/>?>
    <rte><name>R</name><rtept lat="52.2" lon="13.2"><time>x</time></rtept></rte>
    <trk><name>T&#xE4;</name><link href="?a=1&amp;b=2"/><trkseg>
    <trkpt lat="52.3" lon="13.3"><ele>31.5</ele><time>2026-05-01T08:00:00.25Z</time></trkpt>
    <trkpt lat="52.4" lon="13.4"><extensions><x:speed>1</x:speed><y>ü</y></extensions></trkpt>
    <trkpt/></trkseg><trkseg><trkpt lat="52.5" lon="13.5"><wpt/></trkpt></trkseg></trk>
    <extensions><z a="&lt;"/></extensions>
    """)

  @Test(arguments: [1, 2, 3, 5, 7, 11, 64, 249, 250, 251, 255, 256, 257, 1_023, 1_024, 1_025])
  func doesNotDependOnTheSizeOfPieces(size: Int) {
    let bytes = Array(Self.mixed.utf8)
    let whole = Recording(bytes)
    let pieces = Recording(from: PiecewiseSource(bytes, sizes: [size]))
    #expect(pieces.transcript == whole.transcript)
    #expect(pieces.metadata == whole.metadata)
    #expect(pieces.points == whole.points)
    #expect(pieces.error == whole.error)
    #expect(whole.error == nil && whole.issues.count == 4 && whole.points.count == 5)
  }

  @Test func doesNotDependOnPiecesOfRandomSizes() {
    // Longer than all buffers of the reader, so that they end everywhere in the markup.
    let filler = (0..<700).map {
      "<!--\($0 % 9)é--><trkpt lat='1.\($0)' lon='2'><ele>\($0)</ele></trkpt>\n"
    }
    let bytes = Array(segment(Self.filled(filler.joined())).utf8)
    let whole = Recording(bytes)
    #expect(whole.trackPoints.count == 2_100)
    var generator = SplitMix64(seed: 31)
    for _ in 0..<8 {
      let sizes = (0..<50).map { _ in 1 + generator.index(below: 1 + generator.index(below: 9_000))
      }
      let pieces = Recording(from: PiecewiseSource(bytes, sizes: sizes))
      #expect(pieces.transcript == whole.transcript)
      #expect(pieces.error == nil)
    }
  }

  private static func filled(_ text: String) -> String { text + text + text }

  @Test(arguments: [1, 7, 4_096, 65_535, 65_536, 65_537])
  func readsAPipeInPieces(size: Int) throws {
    let points = size < 10 ? 300 : 5_000
    for text in [walk(points), Self.mixed] {
      let bytes = Array(text.utf8)
      try withPipe(bytes, pieces: size) { descriptor in
        let piped = Recording(.descriptor(descriptor, name: "test.gpx"))
        #expect(piped.transcript == Recording(bytes).transcript)
        #expect(piped.error == nil)
        #expect(piped.fractions.allSatisfy { $0 == nil })
      }
    }
  }

  @Test(arguments: [1, 7, 65_536])
  func readsAGzippedPipeInPieces(size: Int) throws {
    let text = walk(3_000)
    try withPipe(Gzip.compressed(Array(text.utf8)), pieces: size) { descriptor in
      let piped = Recording(.descriptor(descriptor, name: "-"))
      #expect(piped.trackPoints == Recording(text).trackPoints)
      #expect(piped.error == nil)
    }
  }

  @Test(arguments: [10, 1_500, 20_000])
  func givesFractionsThatAscendToOne(points: Int) throws {
    let bytes = Array(walk(points).utf8)
    try withTemporaryFile(bytes) { plain in
      try withTemporaryFile(Gzip.compressed(bytes)) { zipped in
        for input in [GPXInput.bytes(bytes), .file(plain), .file(zipped)] {
          let recording = Recording(input)
          let fractions = recording.fractions.compactMap(\.self)
          #expect(fractions.count == recording.fractions.count)
          #expect(fractions == fractions.sorted())
          #expect(fractions.allSatisfy { (0...1).contains($0) })
          #expect(fractions.last == 1)
          // A progress bar that jumps from nothing to everything is none.
          if case .file(plain) = input, points > 10_000 { #expect(Set(fractions).count > 8) }
        }
      }
    }
  }

  @Test(arguments: [1, 511, 512, 513, 1_024, 1_025, 3_000])
  func fillsBatchesInOrder(points: Int) throws {
    var batches: [Int] = []
    var latitudes: [Double] = []
    try GPXReader(.bytes(Array(walk(points).utf8))).read { event in
      guard case .points(let batch) = event else { return }
      batches.append(batch.fixes.count)
      latitudes += batch.fixes.map(\.coordinate.latitude)
    }
    #expect(batches.allSatisfy { (1...GPXReader.batchSize).contains($0) })
    #expect(latitudes == (0..<points).compactMap { Double("52.\(10_000 + $0)") })
  }

  @Test func endsAfterExactlyTheEventAtWhichTheHandlerThrows() throws {
    struct Mine: Error {}
    var all: [String] = []
    let reader = GPXReader(.bytes(Array(Self.mixed.utf8)))
    try reader.read { all.append("\($0)") }
    #expect(all.count > 12)
    for last in all.indices {
      var seen: [String] = []
      #expect(throws: Mine.self) {
        try reader.read { event in
          seen.append("\(event)")
          if seen.count > last { throw Mine() }
        }
      }
      #expect(seen == Array(all[...last]))
    }
  }

  /// Well-formed and without anything that would have to be reported.
  private static let clean = gpx(
    """
    <metadata><name>ä€🚶</name></metadata><!-- a > b - c -->
    <wpt lat="52.1" lon="13.1"><ele>30</ele><name>A &amp; <![CDATA[<B>]]> é</name></wpt>
    <?walk a > b?><rte><rtept lat="52.2" lon="13.2"></rtept></rte>
    <trk><link href="?a=1&amp;b=2"/><trkseg>
    <trkpt lat="52.3" lon="13.3"><ele>31.5</ele><time>2026-05-01T08:00:00.25Z</time></trkpt>
    <trkpt lat="52.4" lon="13.4"><extensions><y a='1' b='2'/></extensions></trkpt>
    </trkseg></trk>
    """)

  @Test(arguments: [true, false])
  func saysOfEveryPieceOfADocumentThatItEndsInTheMiddle(isStrict: Bool) {
    let bytes = Array(Self.clean.utf8)
    let end = Self.clean.range(of: "</gpx>").map { Self.clean[..<$0.upperBound].utf8.count } ?? 0
    for length in 1..<end {
      let part = Array(bytes[..<length])
      let recording = Recording(part, isStrict: isStrict)
      #expect(
        recording.error?.cause == .truncated, "\(String(decoding: part.suffix(20), as: UTF8.self))")
      #expect(recording.error?.line == part.count { $0 == 0x0A } + 1)
      #expect(recording.issues.allSatisfy { $0.kind.part == .encoding })
      #expect(recording.points.count == PointOracle.closed(part))
    }
    #expect(Recording(Array(bytes[..<end])).error == nil)
  }

  @Test func deliversWhatCameBeforeTheSourceFailed() {
    let bytes = Array(Self.clean.utf8)
    let whole = Recording(bytes)
    let failure = GPXError.Cause.unreadable(errno: EIO)
    for length in 0..<bytes.count {
      let part = Array(bytes[..<length])
      let recording = Recording(from: PiecewiseSource(part, sizes: [97], failure: failure))
      #expect(recording.error?.cause == failure, "\(length)")
      #expect(recording.error?.file == "test.gpx")
      #expect(recording.points.count == PointOracle.closed(part))
      #expect(whole.points.starts(with: recording.points), "\(length)")
    }
  }

  @Test func saysThatASourceFailedEvenIfTheDocumentWasComplete() {
    let failure = GPXError.Cause.unreadable(errno: EIO)
    let bytes = Array(walk(3).utf8)
    let recording = Recording(from: PiecewiseSource(bytes, sizes: [1_000], failure: failure))
    #expect(recording.trackPoints.count == 3)
    #expect(recording.error?.cause == failure)
  }

  @Test func readsTheSameInputAgainAndAgain() throws {
    let reader = GPXReader(.bytes(Array(Self.mixed.utf8)))
    var counts: [Int] = []
    for _ in 0..<3 {
      var count = 0
      try reader.read { _ in count += 1 }
      counts.append(count)
    }
    #expect(Set(counts).count == 1)
  }

  @Test func readsWithinAHandler() throws {
    // Each reading has a separate parser.
    var inner = 0
    var outer = 0
    let text = Array(walk(3).utf8)
    try GPXReader(.bytes(Array(Self.mixed.utf8))).read { _ in
      outer += 1
      try GPXReader(.bytes(text)).read { event in
        if case .points(let points) = event { inner += points.fixes.count }
      }
    }
    #expect(inner == 3 * outer)
  }

  /// Runs `body` with the end of a pipe into which another thread writes the bytes.
  private func withPipe(
    _ bytes: [UInt8], pieces size: Int, _ body: (Int32) throws -> Void
  ) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    defer { close(input) }
    Thread.detachNewThread {
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(size))
        let count = write(output, piece, piece.count)
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(output)
    }
    try body(input)
  }
}
