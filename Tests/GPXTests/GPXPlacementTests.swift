import GPX
import Testing

/// Tracks, routes and points in every place, read with and without details.
@Suite struct GPXPlacementTests {
  typealias Kind = GPXIssue.Kind

  struct Sample: Sendable, CustomTestStringConvertible {
    var content: String
    /// The delivered parts, in order: `track`, `route`, or the kind of a point.
    var read: [String]
    /// The reported issues, in order.
    var reported: [String]
    var testDescription: String { content }

    init(_ content: String, read: [String] = [], reported: [String] = []) {
      self.content = content
      self.read = read
      self.reported = reported
    }
  }

  private static let trkpt = "<trkpt lat='1' lon='2'/>"
  private static let rtept = "<rtept lat='1' lon='2'/>"
  private static let wpt = "<wpt lat='1' lon='2'/>"
  private static let trk = "<trk><trkseg>\(trkpt)</trkseg></trk>"
  private static let rte = "<rte>\(rtept)</rte>"
  private static let all = wpt + rte + trk

  private static let allSkipped = [
    "waypoint skipped: the point is where GPX has none",
    "route skipped: the route is where GPX has none",
    "route point skipped: the point is where GPX has none",
    "track skipped: the track is where GPX has none",
    "segment skipped: the segment is where GPX has none",
    "track point skipped: the point is where GPX has none",
  ]

  private static let inTrack = "waypoint inside a track, read as a waypoint"

  static let inPlace = [
    Sample(all, read: ["waypoint", "route", "route point", "track", "track point"]),
    // A level is missing.
    Sample("<trk>\(trkpt)</trk>", read: ["track", "track point"]),
    Sample("<trkseg>\(trkpt)</trkseg>", read: ["track point"]),
    Sample(trkpt, read: ["track point"]), Sample(rtept, read: ["route", "route point"]),
    // Something unknown is around it.
    Sample(
      "<box><box>\(all)</box></box>",
      read: ["waypoint", "route", "route point", "track", "track point"]),
    Sample(
      "<trk><box><trkseg><box>\(trkpt)</box></trkseg></box></trk>",
      read: ["track", "track point"]),
    Sample("<rte><box>\(rtept)</box></rte>", read: ["route", "route point"]),
    // The order differs from the schema.
    Sample(
      trk + rte + wpt + "<metadata/>",
      read: ["track", "track point", "route", "route point", "waypoint"]),
    Sample("<metadata><name>x</name></metadata>\(trk)", read: ["track", "track point"]),
  ]

  static let misplaced =
    [
      ["metadata"], ["extensions"], ["name"], ["desc"], ["link"], ["author"], ["keywords"],
      ["bounds"], ["metadata", "extensions"], ["metadata", "box"], ["extensions", "box"],
      ["metadata", "author"], ["box", "metadata"],
    ].map { elements in
      let start = elements.map { "<\($0)>" }.joined()
      let end = elements.reversed().map { "</\($0)>" }.joined()
      return Sample(start + all + end + wpt, read: ["waypoint"], reported: allSkipped)
    }
    + ["wpt", "rtept", "trkpt"].flatMap { point in
      ["", "extensions", "ele", "name", "box", "link"].map { element in
        let kind = ["wpt": "waypoint", "rtept": "route point", "trkpt": "track point"][point] ?? ""
        // The number makes it an elevation.
        let inner = element.isEmpty ? all : "<\(element)>\(all)1</\(element)>"
        return Sample(
          "<\(point) lat='1' lon='2'>\(inner)</\(point)>\(wpt)",
          read: (point == "rtept" ? ["route"] : []) + [kind, "waypoint"], reported: allSkipped)
      }
    }
    + [
      Sample(
        "<trk>\(all)<trkseg>\(trkpt)</trkseg></trk>", read: ["track", "waypoint", "track point"],
        reported: [inTrack] + allSkipped[1...]),
      Sample(
        "<trk><trkseg>\(all)\(trkpt)</trkseg></trk>", read: ["track", "waypoint", "track point"],
        reported: [inTrack] + allSkipped[1...]),
      Sample(
        "<trk><trkseg>\(trkpt)\(wpt)\(trkpt)</trkseg>\(wpt)</trk>",
        read: ["track", "track point", "waypoint", "track point", "waypoint"],
        reported: [inTrack, inTrack]),
      Sample(
        "<rte>\(wpt)\(rtept)</rte>", read: ["route", "route point"], reported: [allSkipped[0]]),
      Sample(
        "<trk><extensions>\(wpt)</extensions>\(trkpt)</trk>", read: ["track", "track point"],
        reported: [allSkipped[0]]),
      Sample("<rte>\(all)\(rtept)</rte>", read: ["route", "route point"], reported: allSkipped),
      Sample(
        "<trk><extensions>\(all)</extensions>\(trkpt)</trk>", read: ["track", "track point"],
        reported: allSkipped),
      Sample(
        "<rte>\(trkpt)</rte>\(trkpt)", read: ["route", "track point"], reported: [allSkipped[5]]),
      Sample(
        "<trkseg>\(rtept)</trkseg><rte>\(rtept)</rte>", read: ["route", "route point"],
        reported: [allSkipped[2]]),
    ]

  @Test(arguments: inPlace + misplaced)
  func readsWhatHasAMeaningAndReportsTheRest(sample: Sample) throws {
    for readsDetails in [true, false] {
      var read: [String] = []
      var issues: [GPXIssue] = []
      let text = gpx(sample.content)
      try GPXReader(.bytes(Array(text.utf8)), readsDetails: readsDetails).read { event in
        switch event {
        case .track: read.append("track")
        case .route: read.append("route")
        case .points(let points): read += points.fixes.map { _ in points.kind.description }
        case .issue(let issue): issues.append(issue)
        case .segment, .metadata, .details: break
        }
      }
      #expect(read == sample.read)
      #expect(issues.map(\.description) == sample.reported.map { "line 3: \($0)" })
      #expect(issues.allSatisfy { ($0.kind.problem == .misplaced) != $0.kind.isNote })
      #expect(issues.allSatisfy { $0.skipsPoint == ($0.point != nil) })
    }
  }

  /// Elements of other vocabularies with the names of GPX mean something else where GPX has none.
  @Test(arguments: [
    "extensions", "metadata", "trk", "trkpt lat='3' lon='4'", "wpt lat='3' lon='4'",
  ]
  )
  func passesOverOtherVocabularies(place: String) {
    let other = ["wpt", "trkpt", "trk", "rte"].map {
      "<t:\($0) lat='x'><t:wpt lat='1' lon='2'/></t:\($0)>"
    }.joined()
    let end = place.prefix { $0 != " " }
    for content in [other, "<extensions>\(other)</extensions>"]
    where place == "extensions" || content != other || !place.contains("trk") {
      let text = "<gpx xmlns='http://www.topografix.com/GPX/1/1' xmlns:t='urn:terra'>"
      let recording = Recording(
        "\(text)<\(place)>\(content)</\(end)>\(Self.trkpt)</gpx>", isStrict: true)
      #expect(recording.error == nil)
      #expect(recording.issues.isEmpty)
      #expect(recording.points.count == (place.contains("lat") ? 2 : 1))
    }
  }

  @Test func failsAStrictReadingAtAPointOutOfPlaceButNotAtATrack() {
    let point = Recording(gpx("<metadata>\(Self.trkpt)</metadata>"), isStrict: true)
    guard case .issue(let issue) = point.error?.cause.kind else {
      Issue.record("\(String(describing: point.error))")
      return
    }
    #expect(issue.kind == Kind(.point, .misplaced))
    #expect(issue.point == .trackPoint)
    let track = Recording(gpx("<metadata><trk/></metadata>"), isStrict: true)
    #expect(track.error == nil)
    #expect(track.issues.map(\.kind) == [Kind(.track, .misplaced)])
  }

  @Test func namesTheLineOfEach() {
    let recording = Recording(
      "<gpx>\n<metadata>\n<trk>\n<trkseg>\n\(Self.trkpt)\n</trkseg></trk></metadata></gpx>")
    #expect(recording.issues.map(\.line) == [3, 4, 5])
    #expect(recording.issues.map(\.kind.part) == [.track, .segment, .point])
  }

  @Test func tellsNothingFromHalfATag() {
    // The whole tag may be `<trkseg>`.
    let recording = Recording("<gpx><trk><trk")
    #expect(recording.issues.isEmpty)
    #expect(recording.error?.cause == .truncated)
  }
}
