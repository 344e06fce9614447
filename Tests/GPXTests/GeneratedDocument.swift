import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// A random document: its text in one of the many ways to write it, and what it says.
struct GeneratedDocument {
  private(set) var text = ""
  /// The contents that a reader must find, except for the places and texts of issues.
  private(set) var expected = GPXDocument()
  /// The points in the order of the file, as their elements and attributes are written.
  private(set) var written: [WrittenPoint] = []

  /// A point as it stands in the text.
  struct WrittenPoint: Equatable {
    var element: String
    var latitude: String?
    var longitude: String?
    var name: String?
    var elevation: String?
  }

  private var generator: SplitMix64
  private var prefix = ""
  private var lineFeed = "\n"
  private var isVersion1_0 = false
  private var segments = 0

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    let namespaces = ["", "http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0"]
    let namespace = namespaces[generator.index(below: 3)]
    let isPrefixed = !namespace.isEmpty && chance(3)
    prefix = isPrefixed ? "g:" : ""
    lineFeed = chance(3) ? "\r\n" : "\n"
    isVersion1_0 = namespace.hasSuffix("1/0")
    if chance(2) { text += "<?xml version='1.0' encoding=\"UTF-8\"?>" + lineFeed }
    var root = isVersion1_0 ? " version='1.0'" : " version=\"1.1\""
    if !namespace.isEmpty { root += " xmlns\(isPrefixed ? ":g" : "")='\(namespace)'" }
    addGap()
    text += "<\(prefix)gpx\(root) creator='x &gt; y'>"
    addMetadata()
    for _ in 0..<2 + generator.index(below: 6) {
      addGap()
      switch generator.index(below: 3) {
      case 0: if let point = addPoint("wpt", segment: -1) { expected.waypoints.append(point) }
      case 1: addRoute()
      default: addTrack()
      }
    }
    addGap()
    text += "</\(prefix)gpx>"
    addGap()
  }

  // MARK: Structure

  private mutating func addMetadata() {
    guard chance(2) else { return }
    if !isVersion1_0 { text += "<\(prefix)metadata>" }
    if chance(2) { expected.metadata.details.name = addElement("name") }
    if chance(2) { expected.metadata.details[.description] = addElement("desc") }
    if isVersion1_0, chance(2) {
      expected.metadata.author = GPXMetadata.Author(name: addElement("author"))
    }
    if chance(2) { expected.metadata.details[.keywords] = addElement("keywords") }
    if chance(2) {
      text += "<\(prefix)time>2026-05-01T08:00:00Z</\(prefix)time>"
      expected.metadata.time = Date(timeIntervalSince1970: 1_777_622_400)
    }
    addGap()
    if !isVersion1_0 { text += "</\(prefix)metadata>" }
  }

  private mutating func addRoute() {
    text += "<\(prefix)rte>"
    var route = GPXRoute(addDetails(isPath: true))
    for _ in 0..<generator.index(below: 4) {
      addGap()
      if let point = addPoint("rtept", segment: expected.routes.count) {
        route.points.append(point)
      }
    }
    text += "</\(prefix)rte>"
    expected.routes.append(route)
  }

  private mutating func addTrack() {
    text += "<\(prefix)trk>"
    var track = GPXTrack(addDetails(isPath: true))
    for _ in 0..<generator.index(below: 4) {
      addGap()
      text += "<\(prefix)trkseg>"
      var segment = GPXSegment()
      for _ in 0..<generator.index(below: 5) {
        addGap()
        if let point = addPoint("trkpt", segment: segments) { segment.points.append(point) }
      }
      addGap()
      text += "</\(prefix)trkseg>"
      track.segments.append(segment)
      segments += 1
    }
    text += "</\(prefix)trk>"
    expected.tracks.append(track)
  }

  /// Writes a point, and returns it if it can be used.
  private mutating func addPoint(_ element: String, segment: Int) -> GPXWaypoint? {
    let bad = ["", "46,2", "NaN", "91", "-90.5", "undefined"]
    let isBad = chance(8)
    let latitude = isBad ? bad[generator.index(below: bad.count)] : addedDegrees(90)
    let longitude = addedDegrees(180)
    let isMissing = isBad && chance(3)
    var attributes = [addedAttribute("lon", longitude)]
    if !isMissing {
      attributes.insert(addedAttribute("lat", latitude), at: generator.index(below: 2))
    }
    if chance(4) { attributes.append(" id='7'") }
    text += "<\(prefix)\(element)" + attributes.joined()
    var point = WrittenPoint(
      element: element, latitude: isMissing ? nil : latitude, longitude: longitude)
    var fix: Fix?
    if let value = Double(latitude), let other = Double(longitude),
      let coordinate = try? Coordinate(latitude: value, longitude: other), !isBad
    {
      fix = Fix(coordinate, segment: segment)
    }
    if chance(4) {
      text += chance(2) ? "/>" : "></\(prefix)\(element)>"
    } else {
      text += ">"
      if chance(2) {
        let elevation = "\(Double(generator.index(below: 90_000)) / 10 - 400)"
        text += "<\(prefix)ele>\(elevation)</\(prefix)ele>"
        point.elevation = elevation
        fix?.elevation = Double(elevation)
      }
      if chance(2) {
        let second = generator.index(below: 60)
        text +=
          "<\(prefix)time>2026-05-01T08:00:\(second < 10 ? "0" : "")\(second)Z</\(prefix)time>"
        fix?.time = Date(timeIntervalSince1970: 1_777_622_400 + Double(second))
      }
      let details = addDetails(isPath: false)
      point.name = details.name
      text += "</\(prefix)\(element)>"
      written.append(point)
      if let fix { return GPXWaypoint(fix, details) }
      noteIssue(element, isMissing, latitude)
      return nil
    }
    written.append(point)
    if let fix { return GPXWaypoint(fix) }
    noteIssue(element, isMissing, latitude)
    return nil
  }

  private mutating func noteIssue(_ element: String, _ isMissing: Bool, _ latitude: String) {
    let problem: GPXIssue.Problem =
      isMissing
      ? .missing
      : latitude.isEmpty
        ? .empty
        : ["91", "-90.5"].contains(latitude) ? .outOfRange : .notANumber
    let kinds = ["wpt": GPXPointKind.waypoint, "rtept": .routePoint, "trkpt": .trackPoint]
    expected.issues.append(
      GPXIssue(
        GPXIssue.Kind(.latitude, problem), point: kinds[element], line: 0, skipsPoint: true))
  }

  // MARK: Details

  /// Writes texts, links and extensions in any order, and returns them.
  private mutating func addDetails(isPath: Bool) -> GPXDetails {
    var details = GPXDetails()
    let elements: [GPXDetails.Element] =
      isPath
      ? [.name, .comment, .description, .source, .number, .type]
      : [.name, .symbol, .satellites, .horizontalDilution, .geoidHeight, .fix]
    for _ in 0..<generator.index(below: 4) {
      addGap()
      switch generator.index(below: 4) {
      case 0:
        let href = randomText()
        text += "<\(prefix)link" + addedAttribute("href", href) + ">"
        var link = GPXLink(href)
        if chance(2) { link.text = addElement("text") }
        if chance(2) { link.type = addElement("type") }
        text += "</\(prefix)link>"
        details.links.append(link)
      case 1:
        text += "<\(prefix)extensions>"
        let xml = (0..<1 + generator.index(below: 2)).map { _ in addExtension() }.joined()
        addGap()
        text += "</\(prefix)extensions>"
        details.extensions = (details.extensions ?? "") + xml
      default:
        let element = elements[generator.index(below: elements.count)]
        details[element] = addElement(element.rawValue)
      }
    }
    return details
  }

  /// Writes an element of another vocabulary, and returns it as a reader hands it out.
  private mutating func addExtension() -> String {
    addGap()
    let (value, content) = (randomText(), randomText())
    text += "<x:hr xmlns:x='urn:x'" + addedAttribute("unit", value) + ">"
    addText(content)
    text += "</x:hr>"
    return "<x:hr xmlns:x=\"urn:x\" unit=\"\(Self.escaped(value))\">\(Self.escaped(content))</x:hr>"
  }

  /// Writes an element with a text, and returns the text.
  private mutating func addElement(_ name: String) -> String {
    let value = randomText()
    text += "<\(prefix)\(name)>"
    if chance(4) { text += lineFeed + "  " }
    addText(value)
    if chance(4) { text += lineFeed }
    text += "</\(prefix)\(name)>"
    return value
  }

  // MARK: Characters

  /// Writes white space, comments and processing instructions, which mean nothing.
  private mutating func addGap() {
    switch generator.index(below: 8) {
    case 0: text += lineFeed
    case 1: text += "<!-- <wpt lat='1' lon='2'/> & ü -->"
    case 2: text += "<?p <trkpt/> & ?>"
    case 3: text += lineFeed + "\t "
    default: break
    }
  }

  /// Writes a text as characters, references and CDATA sections, with comments between them.
  private mutating func addText(_ value: String) {
    for scalar in value.unicodeScalars {
      switch generator.index(below: 12) {
      case 0: text += "&#\(scalar.value);"
      case 1: text += "&#x\(String(scalar.value, radix: 16));"
      case 2: text += "<![CDATA[\(scalar)]]>"
      case 3: text += "<!-- -->" + Self.escaped(String(scalar))
      default: text += Self.escaped(String(scalar))
      }
    }
  }

  private mutating func addedAttribute(_ name: String, _ value: String) -> String {
    let quote = chance(2) ? "\"" : "'"
    let escaped = Self.escaped(value).replacingOccurrences(of: "'", with: "&apos;")
    let space = chance(4) ? lineFeed : " "
    return "\(space)\(name)=\(quote)\(escaped)\(quote)"
  }

  private mutating func addedDegrees(_ limit: Int) -> String {
    "\(Double(generator.index(below: 2_000_000 * limit + 1)) / 1_000_000 - Double(limit))"
  }

  /// Some characters of one to four bytes, without white space at the ends.
  private mutating func randomText() -> String {
    let characters = ["a", "B", "7", "&", "<", ">", "\"", "'", "]", "é", "€", "🚶", " ", "-"]
    let middle = (0..<generator.index(below: 7)).map { _ in
      characters[generator.index(below: characters.count)]
    }
    return "x" + middle.joined() + "y"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  private mutating func chance(_ count: Int) -> Bool {
    generator.index(below: count) == 0
  }
}
