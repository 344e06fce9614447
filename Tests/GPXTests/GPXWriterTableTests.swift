import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

/// The output of a writer, element by element.
@Suite struct GPXWriterTableTests {
  /// The places of a document that have details.
  enum Place: CaseIterable {
    case metadata, waypoint, route, routePoint, track, trackPoint

    /// The children that the schema allows, in its order (GPX 1.1, `wptType` and so on).
    var schema: [String] {
      switch self {
      case .metadata:
        ["name", "desc", "author", "copyright", "link", "time", "keywords", "bounds", "extensions"]
      case .route, .track:
        ["name", "cmt", "desc", "src", "link", "number", "type", "extensions", "rtept", "trkseg"]
      case .waypoint, .routePoint, .trackPoint:
        [
          "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym",
          "type", "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions",
        ]
      }
    }
  }

  private let fix: Fix

  init() throws {
    fix = Fix(
      try Coordinate(latitude: 1, longitude: 2), time: Date(timeIntervalSinceReferenceDate: 0),
      elevation: 3, speed: 4, course: 5)
  }

  private func document(_ details: GPXDetails, at place: Place) -> GPXDocument {
    var document = GPXDocument()
    let point = GPXWaypoint(fix, details)
    switch place {
    case .metadata:
      document.metadata = GPXMetadata(
        details: details, author: GPXMetadata.Author(name: "a"),
        copyright: GPXMetadata.Copyright(author: "c"), time: Date(timeIntervalSinceReferenceDate: 0)
      )
    case .waypoint: document.waypoints = [point]
    case .route: document.routes = [GPXRoute(details)]
    case .routePoint: document.routes = [GPXRoute(points: [point])]
    case .track: document.tracks = [GPXTrack(details)]
    case .trackPoint: document.tracks = [GPXTrack(segments: [GPXSegment([point])])]
    }
    return document
  }

  private func details(_ document: GPXDocument, at place: Place) -> GPXDetails? {
    switch place {
    case .metadata: document.metadata.details
    case .waypoint: document.waypoints.first?.details
    case .route: document.routes.first?.details
    case .routePoint: document.routes.first?.points.first?.details
    case .track: document.tracks.first?.details
    case .trackPoint: document.tracks.first?.segments.first?.points.first?.details
    }
  }

  @Test(arguments: Place.allCases, GPXDetails.Element.allCases)
  func writesAnElementWhereTheSchemaAllowsIt(place: Place, element: GPXDetails.Element) throws {
    var given = GPXDetails()
    given[element] = "v <&> \"'"
    let back = try GPXDocument(
      data: document(given, at: place).data(creator: "test"), isStrict: true)
    let isAllowed = place.schema.contains(element.rawValue)
    #expect(details(back, at: place)?[element] == (isAllowed ? "v <&> \"'" : nil))
    #expect(details(back, at: place)?.isEmpty == !isAllowed)
    #expect(back.issues.isEmpty)
  }

  @Test(arguments: Place.allCases)
  func keepsToTheOrderOfTheSchema(place: Place) throws {
    var given = GPXDetails(
      links: [GPXLink("a"), GPXLink("b", text: "t", type: "y")], extensions: "<x/>")
    for element in GPXDetails.Element.allCases { given[element] = element.rawValue }
    let text = String(
      decoding: document(given, at: place).data(creator: "test"), as: UTF8.self)
    let children = Self.children(of: place, in: text)
    let ranks = try children.map { try #require(place.schema.firstIndex(of: $0), "\($0)") }
    #expect(ranks == ranks.sorted())
    // Everything that can be here is here: all but the bounds, and the points of the path.
    #expect(Set(children) == Set(place.schema).subtracting(["bounds", "rtept", "trkseg"]))
    #expect(children.count { $0 == "link" } == 2)
  }

  /// The names of the child elements of the first element of a place.
  private static func children(of place: Place, in text: String) -> [String] {
    let parents: [Place: String] = [
      .metadata: "metadata", .waypoint: "wpt", .route: "rte", .routePoint: "rtept", .track: "trk",
      .trackPoint: "trkpt",
    ]
    var (open, children) = ([String](), [String]())
    for tag in text.split(separator: "<").dropFirst() {
      let name = String(tag.prefix { !" />".contains($0) })
      if tag.hasPrefix("/") {
        open.removeLast()
        continue
      }
      if open.last == parents[place] { children.append(name) }
      if tag.split(separator: ">").first?.hasSuffix("/") == false { open.append(name) }
    }
    return children
  }

  @Test(arguments: [
    "", " ", "a", "&", "<", ">", "\"", "'", "&amp;", "]]>", "<![CDATA[x]]>", "\t", "\n", "\r",
    "a\r\nb",
    "\u{A0}", "\u{85}", "\u{2028}", "é", "€", "🚶", "\u{10FFFD}", "a\u{301}", "&#65;", "<!-- -->",
  ])
  func escapesTextsInElementsAndAttributes(text: String) throws {
    // Surrounding white space is ignored in a text, and kept in an attribute.
    let given = GPXDetails(
      name: "x\(text)y", links: [GPXLink(text, text: "x\(text)y", type: "x\(text)y")])
    for place in Place.allCases {
      let back = try GPXDocument(data: document(given, at: place).data(creator: text))
      #expect(details(back, at: place)?.name == given.name)
      #expect(details(back, at: place)?.links == given.links)
    }
    let metadata = GPXMetadata(
      author: GPXMetadata.Author(name: "x\(text)y", email: "x\(text)@\(text)y"),
      copyright: GPXMetadata.Copyright(author: text, year: "x\(text)y", license: "x\(text)y"))
    let back = try GPXDocument(data: GPXDocument(metadata: metadata).data(creator: text))
    #expect(back.metadata == metadata)
  }

  @Test func leavesOutExactlyTheCharactersThatXMLCannotHold() throws {
    let scalars =
      (0...0x9F).map { UInt32($0) } + [0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000]
    for value in scalars {
      let scalar = try #require(Unicode.Scalar(value))
      var document = GPXDocument(tracks: [GPXTrack(GPXDetails(name: "a\(scalar)b"))])
      document.metadata.copyright = GPXMetadata.Copyright(author: "a\(scalar)b")
      // Section 2.2 of XML 1.0.
      let isAllowed =
        [0x9, 0xA, 0xD].contains(value) || (0x20...0xD7FF).contains(value)
        || (0xE000...0xFFFD).contains(value) || value >= 0x1_0000
      let back = try GPXDocument(data: document.data(creator: "\(scalar)"))
      #expect(back.tracks.first?.name == (isAllowed ? "a\(scalar)b" : "ab"), "\(value)")
      #expect(back.metadata.copyright?.author == (isAllowed ? "a\(scalar)b" : "ab"), "\(value)")
    }
  }

  @Test(arguments: [
    ("who@example.com", "id=\"who\" domain=\"example.com\""), ("a@b@c", "id=\"a\" domain=\"b@c\""),
    ("nobody", "id=\"nobody\" domain=\"\""), ("@home", "id=\"\" domain=\"home\""),
    ("\"x\"@y", "id=\"&quot;x&quot;\" domain=\"y\""),
    ("a@\u{301}b", "id=\"a\" domain=\"\u{301}b\""),
  ])
  func splitsAnEmailAddressLikeTheSchema(email: String, attributes: String) {
    let document = GPXDocument(metadata: GPXMetadata(author: GPXMetadata.Author(email: email)))
    let text = String(decoding: document.data(creator: "test"), as: UTF8.self)
    #expect(text.contains("<author><email \(attributes)/></author>"))
  }

  @Test(
    arguments: [
      (
        nil, 4.0, nil,
        "<gpxtpx:TrackPointExtension><gpxtpx:speed>4</gpxtpx:speed></gpxtpx:TrackPointExtension>"
      ),
      (
        nil, nil, 5.0,
        "<gpxtpx:TrackPointExtension><gpxtpx:course>5</gpxtpx:course></gpxtpx:TrackPointExtension>"
      ),
      ("<a/>", nil, nil, "<a/>"),
      (
        "<a/>", 4, 5,
        "<a/><gpxtpx:TrackPointExtension><gpxtpx:speed>4</gpxtpx:speed><gpxtpx:course>5</gpxtpx:course>"
          + "</gpxtpx:TrackPointExtension>"
      ),
      // An element of the first version has no speed; a second one is added.
      (
        "<gpxtpx:TrackPointExtension xmlns:gpxtpx=\"v1\"><gpxtpx:hr>9</gpxtpx:hr></gpxtpx:TrackPointExtension>",
        4, nil,
        "<gpxtpx:TrackPointExtension xmlns:gpxtpx=\"v1\"><gpxtpx:hr>9</gpxtpx:hr></gpxtpx:TrackPointExtension>"
          + "<gpxtpx:TrackPointExtension><gpxtpx:speed>4</gpxtpx:speed></gpxtpx:TrackPointExtension>"
      ),
    ] as [(String?, Double?, Double?, String)])
  func writesSpeedAndCourseAsAnExtension(
    xml: String?, speed: Double?, course: Double?, written: String
  ) throws {
    var point = GPXWaypoint(fix, GPXDetails(extensions: xml))
    (point.fix.speed, point.fix.course) = (speed, course)
    let document = GPXDocument(tracks: [GPXTrack(segments: [GPXSegment([point])])])
    let data = document.data(creator: "test")
    #expect(
      String(decoding: data, as: UTF8.self).contains("<extensions>\(written)</extensions></trkpt>"))
    let back = try GPXDocument(data: data)
    #expect(back.fixes == document.fixes)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-180, "-180"), (0.1, "0.1"), (1e-7, "0.0000001"),
    (1e15, "1000000000000000"),
    (123.456, "123.456"), (-12.5, "-12.5"),
  ])
  func writesNumbersWithoutExponents(value: Double, text: String) throws {
    var writer = GPXWriter(creator: "test")
    var fix = self.fix
    fix.elevation = value
    writer.write(fix)
    let written = String(decoding: writer.takeBytes(), as: UTF8.self)
    #expect(
      written.contains("<ele>\(text)</ele>")
        || written.contains("<ele>-\(text)</ele>") && value == 0)
  }

  @Test func writesNumbersThatAreReadBackToTheLastBit() throws {
    var generator = SplitMix64(seed: 61)
    let fixes = try (0..<2_000).map { _ in
      Fix(
        try Coordinate(
          latitude: generator.unit() * 180 - 90, longitude: generator.unit() * 360 - 180),
        elevation: (generator.unit() - 0.5) * pow(10, Double(generator.index(below: 25) - 12)),
        speed: generator.unit() * 100, course: generator.unit() * 359)
    }
    var writer = GPXWriter(creator: "test")
    for fix in fixes { writer.write(fix) }
    writer.finish()
    #expect(try GPXDocument(data: Data(writer.takeBytes())).fixes == fixes)
  }

  @Test func writesNothingForEmptyDetails() {
    let empty = GPXDocument(
      tracks: [GPXTrack(segments: [GPXSegment()])], routes: [GPXRoute()],
      waypoints: [GPXWaypoint(Fix(fix.coordinate))], extensions: "")
    let text = String(decoding: empty.data(creator: "x"), as: UTF8.self)
    #expect(!text.contains("metadata") && !text.contains("extensions>"))
    #expect(text.contains("<wpt lat=\"1\" lon=\"2\"></wpt>"))
    #expect(text.contains("<rte>\n  </rte>"))
    #expect(text.contains("<trk>\n    <trkseg>\n    </trkseg>\n  </trk>"))
  }
}
