import FaketrackSupport
import Geodesy

/// Writes GPX 1.1 piece by piece in constant memory.
///
/// Waypoints come first, then routes, then tracks; a call out of that order, or after the end, is a
/// programming error and stops the program. A fix before any route or track begins a track, and
/// what is open is closed by what follows.
///
/// Speed and course are written as Garmin's TrackPointExtension v2, because GPX 1.1 has no elements
/// for them. Characters that XML 1.0 cannot hold, numbers that are not finite and times outside the
/// years 0001 ... 9999 are left out.
public struct GPXWriter: Sendable {
  static let namespace = "http://www.topografix.com/GPX/1/1"
  private static let extensionNamespace = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"

  private enum Place: Int {
    case waypoints, route, track, segment, end
  }

  private var text = TextBuffer()
  private var place = Place.waypoints
  /// The number of the open segment; nil before its first fix.
  private var segment: Int?
  private var segmentExtensions: String?

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - creator: the name of the program that makes it.
  ///   - metadata: the name, authors and other facts of the document.
  public init(creator: String, metadata: GPXMetadata = GPXMetadata()) {
    append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\"")
    append(attribute: "creator", creator)
    append(" xmlns=\"\(Self.namespace)\"")
    append(" xmlns:gpxtpx=\"\(Self.extensionNamespace)\">\n")
    if !metadata.isEmpty { append(metadata) }
  }

  /// Continues a document whose beginning another writer has written.
  package init() {}

  /// Returns the bytes written since the last call.
  public mutating func takeBytes() -> [UInt8] {
    defer { text.removeAll() }
    return text.bytes
  }

  /// Moves the text written since the last call to the end of another text.
  package mutating func move(to other: inout TextBuffer) {
    other.append(contentsOf: text)
    text.removeAll()
  }

  /// Writes a place of interest.
  public mutating func write(waypoint: GPXWaypoint) {
    precondition(place == .waypoints, "waypoints come before routes and tracks")
    append("  ")
    append("wpt", waypoint.fix, waypoint.details)
  }

  /// Begins a route, which ends with the next route or track or the document.
  public mutating func startRoute(_ details: GPXDetails = GPXDetails()) {
    precondition(place.rawValue <= Place.route.rawValue, "routes come before tracks")
    start(.route, "  <rte>\n", details)
  }

  /// Begins a track, which ends with the next track or the document.
  public mutating func startTrack(_ details: GPXDetails = GPXDetails()) {
    precondition(place != .end, "the document is finished")
    start(.track, "  <trk>\n", details)
  }

  /// Begins a track with a name.
  public mutating func startTrack(name: String?) {
    startTrack(GPXDetails(name: name))
  }

  /// Begins a segment of the track, even if the next fix has the same ``/Geodesy/Fix/segment`` as the last.
  ///
  /// Without a track, one begins with it.
  ///
  /// - Parameter extensions: the extensions of the segment as XML; see ``GPXDetails/extensions``.
  public mutating func startSegment(extensions: String? = nil) {
    if place == .segment {
      closeSegment()
    } else if place != .track {
      startTrack()
    }
    append("    <trkseg>\n")
    place = .segment
    segment = nil
    segmentExtensions = extensions
  }

  /// Writes the next point of the route or track that began last.
  ///
  /// In a track, a fix begins a segment if its ``/Geodesy/Fix/segment`` differs from the previous fix's.
  /// Without a route or track, the fix begins a track.
  public mutating func write(_ fix: Fix, _ details: GPXDetails = GPXDetails()) {
    if place == .route {
      append("    ")
      return append("rtept", fix, details)
    }
    if place != .segment || fix.segment != segment ?? fix.segment { startSegment() }
    write(inSegment: GPXWaypoint(fix, details))
  }

  /// Writes the next point of the open segment, whatever the number of its segment.
  mutating func write(inSegment point: GPXWaypoint) {
    segment = point.fix.segment
    text.append("      ")
    append("trkpt", point.fix, point.details)
  }

  /// Ends the open track; another writer may continue the document.
  package mutating func endTrack() {
    closeOpenElements()
    place = .end
  }

  /// Ends the document; a second call has no effect.
  ///
  /// - Parameter extensions: the extensions of the file as XML; see ``GPXDetails/extensions``.
  public mutating func finish(extensions: String? = nil) {
    guard place != .end else { return }
    endTrack()
    append(extensions: extensions, indentation: "  ")
    append("</gpx>\n")
  }
}

extension GPXWriter {
  private mutating func start(_ place: Place, _ tag: StaticString, _ details: GPXDetails) {
    closeOpenElements()
    self.place = place
    text.append(tag)
    append(details, GPXDetails.Element.ofPath, indentation: "    ")
    append(extensions: details.extensions, indentation: "    ")
  }

  private mutating func closeOpenElements() {
    switch place {
    case .route: append("  </rte>\n")
    case .segment:
      closeSegment()
      append("  </trk>\n")
    case .track: append("  </trk>\n")
    case .waypoints, .end: break
    }
  }

  private mutating func closeSegment() {
    append(extensions: segmentExtensions, indentation: "      ")
    segmentExtensions = nil
    append("    </trkseg>\n")
  }

  private mutating func append(_ metadata: GPXMetadata) {
    append("  <metadata>\n")
    append("name", text: metadata.details.name, indentation: "    ")
    append("desc", text: metadata.details[.description], indentation: "    ")
    if let author = metadata.author {
      append("    <author>")
      append("name", text: author.name)
      if let email = author.email {
        // The schema splits an address to hide it from programs that collect addresses.
        let parts = email.unicodeScalars.split(
          separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        append("<email")
        append(attribute: "id", String(parts[0]))
        append(attribute: "domain", parts.count > 1 ? String(parts[1]) : "")
        append("/>")
      }
      if let link = author.link { append(link) }
      append("</author>\n")
    }
    if let copyright = metadata.copyright {
      append("    <copyright")
      append(attribute: "author", copyright.author)
      append(">")
      append("year", text: copyright.year)
      append("license", text: copyright.license)
      append("</copyright>\n")
    }
    for link in metadata.details.links { append(link, indentation: "    ") }
    if let time = metadata.time, let text = GPXTime.string(time) {
      append("    <time>\(text)</time>\n")
    }
    append("keywords", text: metadata.details[.keywords], indentation: "    ")
    append(extensions: metadata.details.extensions, indentation: "    ")
    append("  </metadata>\n")
  }

  /// Appends a point with its parts in the order of the schema.
  private mutating func append(_ element: StaticString, _ fix: Fix, _ details: GPXDetails) {
    text.append("<")
    text.append(element)
    text.append(" lat=\"")
    text.appendShortest(fix.coordinate.latitude)
    text.append("\" lon=\"")
    text.appendShortest(fix.coordinate.longitude)
    text.append("\">")
    append("ele", fix.elevation)
    if let time = fix.time {
      let count = text.count
      text.append("<time>")
      if GPXTime.append(time, to: &text) {
        text.append("</time>")
      } else {
        text.truncate(to: count)
      }
    }
    append(details, GPXDetails.Element.ofPoint)
    appendExtensions(of: fix, details)
    text.append("</")
    text.append(element)
    text.append(">\n")
  }

  /// Appends the extensions of a point, speed and course among them.
  private mutating func appendExtensions(of fix: Fix, _ details: GPXDetails) {
    guard fix.speed != nil || fix.course != nil else {
      return append(extensions: details.extensions)
    }
    let xml = details.extensions ?? ""
    let end = "</gpxtpx:TrackPointExtension>"
    // Some readers look at the first such element only, so the values join those in it.
    let isExtended = !xml.isEmpty && xml.contains("\"\(Self.extensionNamespace)\"")
    let place = isExtended ? xml.firstRange(of: end)?.lowerBound : nil
    text.append("<extensions>")
    append(String(xml[..<(place ?? xml.endIndex)]))
    if place == nil { text.append("<gpxtpx:TrackPointExtension>") }
    append("gpxtpx:speed", fix.speed)
    append("gpxtpx:course", fix.course)
    append(place.map { String(xml[$0...]) } ?? end)
    text.append("</extensions>")
  }

  /// Appends texts and links in the order of the schema, on separate lines if indented.
  private mutating func append(
    _ details: GPXDetails, _ elements: [GPXDetails.Element], indentation: String = ""
  ) {
    guard !details.isEmpty else { return }
    for element in elements {
      append(element.rawValue, text: details[element], indentation: indentation)
      guard element == .source else { continue }
      for link in details.links { append(link, indentation: indentation) }
    }
  }

  private mutating func append(_ link: GPXLink, indentation: String = "") {
    append("\(indentation)<link")
    append(attribute: "href", link.href)
    append(">")
    append("text", text: link.text)
    append("type", text: link.type)
    append(indentation.isEmpty ? "</link>" : "</link>\n")
  }

  private mutating func append(extensions xml: String?, indentation: String = "") {
    guard let xml, !xml.isEmpty else { return }
    append("\(indentation)<extensions>\(xml)</extensions>\(indentation.isEmpty ? "" : "\n")")
  }

  private mutating func append(_ element: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return }
    text.append("<")
    text.append(element)
    text.append(">")
    text.appendShortest(value)
    text.append("</")
    text.append(element)
    text.append(">")
  }

  private mutating func append(_ element: String, text value: String?, indentation: String = "") {
    guard let value else { return }
    append("\(indentation)<\(element)>")
    XMLText.append(value, to: &text)
    append("</\(element)>\(indentation.isEmpty ? "" : "\n")")
  }

  private mutating func append(attribute name: String, _ value: String) {
    append(" \(name)=\"")
    XMLText.append(value, to: &text)
    append("\"")
  }

  private mutating func append(_ xml: String) {
    text.append(contentsOf: xml)
  }
}
