import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import GPX

/// The choice of a source when points must be put aside until the end of the file.
@Suite struct GPXFixesChoiceTests {
  /// The events of a reading.
  private struct Delivery {
    var sources: [GPXPointKind] = []
    var fixes: [Fix] = []
    var batches: [Int] = []
    var fractions: [Double?] = []
    var issues: [GPXIssue] = []
    var kind: GPXPointKind?
    var error: GPXError?

    init(_ text: String, _ source: GPXSource = .auto, isStrict: Bool = false) {
      let reader = GPXFixes(
        .bytes(Array(text.utf8), name: "walk.gpx"), source: source, isStrict: isStrict)
      do {
        kind = try reader.read { event in
          switch event {
          case .source(let kind):
            #expect(fixes.isEmpty)
            sources.append(kind)
          case .fixes(let more, let fraction):
            #expect(sources.count == 1 && !more.isEmpty)
            fixes += more
            batches.append(more.count)
            fractions.append(fraction)
          case .issue(let issue): issues.append(issue)
          }
        }.kind
      } catch {
        self.error = error as? GPXError
      }
    }
  }

  private static func points(_ element: String, _ count: Int, from start: Int = 0) -> String {
    (start..<start + count).map {
      "<\(element) lat='\(Double($0) / 1_000)' lon='1'><ele>\($0)</ele></\(element)>"
    }.joined()
  }

  @Test(arguments: [1, 4_095, 4_096, 4_097, 8_192, 9_000])
  func deliversAllThatWasPutAside(count: Int) {
    for (element, kind) in [("wpt", GPXPointKind.waypoint), ("rtept", .routePoint)] {
      let delivery = Delivery(gpx(Self.points(element, count)))
      #expect(delivery.kind == kind && delivery.sources == [kind])
      #expect(delivery.fixes.map(\.elevation) == (0..<count).map { Double($0) })
      #expect(
        delivery.fractions.compactMap(\.self) == delivery.fractions.compactMap(\.self).sorted())
      #expect(delivery.fractions.last == 1)
      #expect(delivery.batches.allSatisfy { $0 <= 4_096 })
    }
  }

  @Test func dropsWaypointsForRoutesAndBothForTracksHoweverMany() {
    let waypoints = Self.points("wpt", 5_000)
    let route = "<rte>\(Self.points("rtept", 4_500, from: 10_000))</rte>"
    let track = "<trk><trkseg>\(Self.points("trkpt", 3, from: 20_000))</trkseg></trk>"
    let routes = Delivery(gpx(waypoints + route + waypoints))
    #expect(routes.sources == [.routePoint])
    #expect(routes.fixes.map(\.elevation) == (10_000..<14_500).map { Double($0) })
    let tracks = Delivery(gpx(waypoints + route + track))
    #expect(tracks.sources == [.trackPoint])
    #expect(tracks.fixes.map(\.elevation) == [20_000, 20_001, 20_002])
    // The points before a late track are not delivered, those after it neither.
    let late = Delivery(gpx(track + waypoints + route + track))
    #expect(late.fixes.count == 6)
  }

  @Test func deliversWhatIsAskedForAtOnceAndNotAtTheEnd() throws {
    // A route is followed by more than the reader buffers; its points come before the end.
    let text = gpx("<rte>\(Self.points("rtept", 100))</rte>\(Self.points("wpt", 6_000))")
    var fractions: [Double] = []
    try GPXFixes(.bytes(Array(text.utf8)), source: .routes).read { event in
      if case .fixes(_, let fraction) = event { fractions.append(fraction ?? -1) }
    }
    #expect(fractions.allSatisfy { (0..<0.7).contains($0) } && !fractions.isEmpty)
    // In doubt about the source, the same points come last.
    #expect(Delivery(text).fractions == [1])
    #expect(Delivery(text, .routes).fixes == Delivery(text).fixes)
  }

  @Test(arguments: [
    ("</gpx", GPXError.Cause.truncated), ("<wpt", .truncated), ("\0\0</gpx>", .nulBytes),
    ("<x\(String(repeating: " ", count: 9_000_000))/></gpx>", .markupTooLong),
    (String(repeating: "<x>", count: 200), .tooDeep),
  ])
  func deliversThousandsPutAsideBeforeAnError(end: String, cause: GPXError.Cause) {
    let delivery = Delivery("<gpx>" + Self.points("wpt", 5_000) + end)
    #expect(delivery.fixes.count == 5_000)
    #expect(delivery.sources == [.waypoint])
    #expect(delivery.kind == nil)
    #expect(delivery.error?.cause == cause)
    #expect(delivery.error?.file == "walk.gpx")
  }

  @Test(arguments: GPXSource.allCases)
  func endsAStrictReadingAtABadPointOfAnyKind(source: GPXSource) {
    for bad in ["<wpt/>", "<rte><rtept/></rte>", "<trk><trkseg><trkpt/></trkseg></trk>"] {
      let text = gpx(
        Self.points("wpt", 2) + "<rte>\(Self.points("rtept", 2))</rte><trk><trkseg>"
          + Self.points("trkpt", 2) + "</trkseg></trk>" + bad)
      let strict = Delivery(text, source, isStrict: true)
      #expect(strict.fixes.count == 2)
      #expect(strict.issues.isEmpty)
      guard case .issue(let issue) = strict.error?.cause.kind else {
        Issue.record("\(strict.error as Any)")
        continue
      }
      let lenient = Delivery(text, source)
      #expect(lenient.issues == [issue])
      #expect(lenient.error == nil && lenient.fixes == strict.fixes)
    }
  }

  @Test func choosesLikeADocumentInAnyOrderOfElements() throws {
    var generator = SplitMix64(seed: 51)
    for _ in 0..<200 {
      let pieces = (0..<generator.index(below: 7)).map { index in
        switch generator.index(below: 6) {
        case 0: Self.points("wpt", 1 + generator.index(below: 3), from: index * 10)
        case 1: "<rte>\(Self.points("rtept", generator.index(below: 3), from: index * 10))</rte>"
        case 2:
          "<trk><trkseg>\(Self.points("trkpt", generator.index(below: 3), from: index * 10))</trkseg></trk>"
        case 3: "<wpt/>"
        case 4: "<rtept lat='x'/>"
        default: "<trk/><rte/>"
        }
      }
      let text = gpx(pieces.joined())
      let document = try GPXDocument(data: Data(text.utf8))
      for source in GPXSource.allCases {
        let delivery = Delivery(text, source)
        #expect(delivery.fixes == document.fixes(from: source))
        #expect(delivery.issues.map(\.kind) == document.issues.map(\.kind))
        #expect(delivery.sources == (delivery.kind.map { [$0] } ?? []))
        #expect((delivery.kind == nil) == delivery.fixes.isEmpty)
      }
    }
  }

  @Test func endsAtEveryEventWithWhatTheHandlerThrows() throws {
    struct Mine: Error {}
    let texts = [
      gpx(Self.points("wpt", 5_000) + "<wpt/>"), segment(Self.points("trkpt", 1_200) + "<trkpt/>"),
    ]
    for text in texts {
      let reader = GPXFixes(.bytes(Array(text.utf8)))
      var events = 0
      try reader.read { _ in events += 1 }
      #expect(events >= 4)
      for last in 1...events {
        var count = 0
        #expect(throws: Mine.self) {
          try reader.read { _ in
            count += 1
            if count == last { throw Mine() }
          }
        }
        #expect(count == last)
      }
    }
  }

  @Test func saysWhyNothingCouldBeRead() {
    for source in GPXSource.allCases {
      for text in ["", "<kml/>", "{}", "<gpx><wpt lat='x'/>"] {
        let delivery = Delivery(text, source)
        #expect(delivery.error != nil && delivery.sources.isEmpty && delivery.fixes.isEmpty)
      }
    }
  }

  @Test(arguments: [
    (GPXSource.auto, GPXPointKind?.none), (.tracks, .trackPoint), (.routes, .routePoint),
    (.waypoints, .waypoint),
  ])
  func namesTheKindOfASource(source: GPXSource, kind: GPXPointKind?) throws {
    #expect(source.kind == kind)
    #expect(GPXSource(rawValue: source.rawValue) == source)
    let coded = try JSONEncoder().encode([source])
    #expect(String(decoding: coded, as: UTF8.self) == "[\"\(source)\"]")
    #expect(try JSONDecoder().decode([GPXSource].self, from: coded) == [source])
  }
}
