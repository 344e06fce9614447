import FaketrackCompression
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import GPX
import Geodesy
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Random documents, of which the tests know what they say, read in every way.
@Suite struct GeneratedDocumentTests {
  private static let blocks = (0..<6).map { UInt64($0) * 40..<UInt64($0 + 1) * 40 }

  /// The document without what the generator does not foretell.
  private func comparable(_ document: GPXDocument) -> GPXDocument {
    var document = document
    document.issues = document.issues.map {
      GPXIssue($0.kind, point: $0.point, line: 0, skipsPoint: $0.skipsPoint)
    }
    return document
  }

  @Test(arguments: blocks)
  func isReadAsItWasMeant(seeds: Range<UInt64>) throws {
    for seed in seeds {
      let generated = GeneratedDocument(seed: seed)
      let document = try GPXDocument(data: Data(generated.text.utf8))
      guard comparable(document) == generated.expected else {
        Issue.record("seed \(seed)\n\(generated.text)\n\(document)\n\(generated.expected)")
        return
      }
    }
  }

  @Test func isReadTheSameWithoutDetails() {
    for seed in 0..<100 as Range<UInt64> {
      let generated = GeneratedDocument(seed: seed)
      let recording = Recording(.bytes(Array(generated.text.utf8)), readsDetails: false)
      #expect(recording.trackPoints == generated.expected.fixes(from: .tracks))
      #expect(recording.routePoints == generated.expected.fixes(from: .routes))
      #expect(recording.waypoints == generated.expected.fixes(from: .waypoints))
      #expect(recording.issues.map(\.kind) == generated.expected.issues.map(\.kind))
    }
  }

  @Test func isReadTheSameInPieces() {
    var generator = SplitMix64(seed: 41)
    for seed in 100..<160 as Range<UInt64> {
      let bytes = Array(GeneratedDocument(seed: seed).text.utf8)
      let sizes = (0..<20).map { _ in 1 + generator.index(below: 400) }
      let whole = Recording(bytes)
      #expect(Recording(from: PiecewiseSource(bytes, sizes: sizes)).transcript == whole.transcript)
      #expect(Recording(Gzip.compressed(bytes)).transcript == whole.transcript)
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func isReadTheSameInUTF16(encoding: String.Encoding) throws {
    let mark: [UInt8] = encoding == .utf16BigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    for seed in 200..<260 as Range<UInt64> {
      let generated = GeneratedDocument(seed: seed)
      let text = generated.text.replacingOccurrences(of: "UTF-8", with: "UTF-16")
      let data = try #require(text.data(using: encoding))
      let document = try GPXDocument(data: Data(mark) + data)
      #expect(comparable(document) == generated.expected, "seed \(seed)")
    }
  }

  @Test func survivesWriting() throws {
    for seed in 300..<400 as Range<UInt64> {
      var expected = GeneratedDocument(seed: seed).expected
      expected.issues = []
      let written = expected.data(creator: "test")
      #expect(try GPXDocument(data: written) == expected, "seed \(seed)")
      #expect(try GPXDocument(data: written, isStrict: true).data(creator: "test") == written)
    }
  }

  @Test(arguments: GPXSource.allCases)
  func givesItsFixesBySource(source: GPXSource) throws {
    for seed in 400..<460 as Range<UInt64> {
      let generated = GeneratedDocument(seed: seed)
      var fixes: [Fix] = []
      let reader = GPXFixes(.bytes(Array(generated.text.utf8)), source: source)
      let kind = try reader.read { if case .fixes(let more, _) = $0 { fixes += more } }.kind
      #expect(fixes == generated.expected.fixes(from: source), "seed \(seed)")
      #expect((kind == nil) == fixes.isEmpty)
      if let expected = source.kind, let kind { #expect(kind == expected) }
    }
  }

  @Test func endsAStrictReadingAtItsFirstIssue() {
    for seed in 0..<100 as Range<UInt64> {
      let text = GeneratedDocument(seed: seed).text
      let lenient = Recording(text)
      let strict = Recording(text, isStrict: true)
      guard let first = lenient.issues.first else {
        #expect(strict.error == nil && strict.transcript == lenient.transcript)
        continue
      }
      #expect(strict.error?.cause == .issue(first))
      let place = lenient.transcript.firstIndex(of: first.description(in: "test.gpx"))
      #expect(place.map { strict.transcript == Array(lenient.transcript[..<$0]) } == true)
    }
  }

  @Test func countsInAnOverviewWhatThereIs() throws {
    for seed in 0..<100 as Range<UInt64> {
      let generated = GeneratedDocument(seed: seed)
      let expected = generated.expected
      var overview = GPXOverview()
      var shown: [GPXIssue.Kind] = []
      try GPXReader(.bytes(Array(generated.text.utf8))).read { event in
        if let issue = overview.receive(event) { shown.append(issue.kind) }
      }
      let fixes = expected.fixes(from: .tracks)
      #expect(overview.tracks == expected.tracks.count)
      #expect(overview.routes == expected.routes.count)
      #expect(overview.waypoints == expected.waypoints.count)
      #expect(overview.routeStatistics.points == expected.fixes(from: .routes).count)
      #expect(overview.statistics.points == fixes.count)
      #expect(overview.statistics.segments == Set(fixes.map(\.segment)).count)
      #expect(overview.statistics.bounds == BoundingBox(fixes.map(\.coordinate)))
      #expect(overview.issues.skipped == expected.issues.count)
      #expect(overview.issues.total == expected.issues.count)
      for kind in Set(shown) {
        let all = expected.issues.count { $0.kind == kind }
        #expect(overview.issues.counts[kind] == all)
        #expect(shown.count { $0 == kind } == min(10, all))
      }
    }
  }

  @Test func holdsThePointsThatFoundationFinds() {
    // Guards the generator against a mistake that the reader shares.
    for seed in 0..<100 as Range<UInt64> {
      let generated = GeneratedDocument(seed: seed)
      let finder = PointFinder()
      let parser = XMLParser(data: Data(generated.text.utf8))
      parser.delegate = finder
      #expect(parser.parse(), "seed \(seed)")
      #expect(finder.points == generated.written, "seed \(seed)")
    }
  }
}

/// Finds points with Foundation's parser.
private final class PointFinder: NSObject, XMLParserDelegate {
  private(set) var points: [GeneratedDocument.WrittenPoint] = []
  private var path: [Substring] = []
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let local = name.split(separator: ":").last ?? ""
    path.append(local)
    text = ""
    guard ["wpt", "rtept", "trkpt"].contains(local) else { return }
    points.append(
      GeneratedDocument.WrittenPoint(
        element: String(local), latitude: attributes["lat"], longitude: attributes["lon"]))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text += string
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    defer { path.removeLast() }
    guard let parent = path.dropLast().last, ["wpt", "rtept", "trkpt"].contains(parent) else {
      return
    }
    let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if path.last == "name" { points[points.count - 1].name = value }
    if path.last == "ele" { points[points.count - 1].elevation = value }
  }
}
