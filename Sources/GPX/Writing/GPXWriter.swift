import Geodesy

/// Writes GPX 1.1 piece by piece in constant memory.
///
/// ```swift
/// var writer = GPXWriter(creator: "walker")
/// writer.startTrack(name: "Potsdam")
/// for fix in fixes {
///   writer.write(fix)
///   output(writer.takeBytes())
/// }
/// writer.finish()
/// output(writer.takeBytes())
/// ```
///
/// The schema wants waypoints first, then routes, then tracks; the calls must come in that order.
/// A fix of another ``Fix/segment`` than the one before begins a new segment. Speed and course are
/// written as Garmin's TrackPointExtension v2, since GPX 1.1 has no place of its own for them.
/// Characters that XML 1.0 cannot hold are left out.
public struct GPXWriter: Sendable {
  /// A page that belongs to a point.
  public struct Link: Hashable, Sendable {
    /// Its address.
    public var address: String
    /// What it is called.
    public var text: String?

    public init(_ address: String, text: String? = nil) {
      self.address = address
      self.text = text
    }
  }

  private enum Place: Int {
    case waypoints, route, track, segment, end
  }

  private var bytes: [UInt8] = []
  private var place = Place.waypoints
  private var segment = 0

  /// Begins a document; `creator` is the name of the program that makes it.
  public init(creator: String) {
    bytes +=
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="
      """.utf8
    XMLText.append(creator, to: &bytes)
    bytes +=
      """
      " xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">

      """.utf8
  }

  /// What has been written since the last call.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes a place of interest; before routes and tracks.
  public mutating func write(_ waypoint: GPXWaypoint, link: Link? = nil) {
    precondition(place == .waypoints, "waypoints come before routes and tracks")
    append("  ")
    append("wpt", waypoint.fix, name: waypoint.name, link)
  }

  /// Begins a route, which ends with the next one, a track or the document; before tracks.
  public mutating func startRoute(name: String? = nil) {
    precondition(place.rawValue <= Place.route.rawValue, "routes come before tracks")
    leave()
    place = .route
    append("  <rte>\n")
    append("    ", "name", name)
  }

  /// Begins a track, which ends with the next one or the document.
  public mutating func startTrack(name: String? = nil) {
    precondition(place != .end, "the document is finished")
    leave()
    place = .track
    append("  <trk>\n")
    append("    ", "name", name)
  }

  /// Begins a segment of the track, even if the fixes before and behind it have one number.
  public mutating func startSegment() {
    precondition(place == .track || place == .segment, "a segment needs a track")
    if place == .segment { append("    </trkseg>\n") }
    append("    <trkseg>\n")
    place = .segment
  }

  /// Writes the next point of the route or track that began last.
  public mutating func write(_ fix: Fix, name: String? = nil, link: Link? = nil) {
    if place == .route {
      append("    ")
      return append("rtept", fix, name: name, link)
    }
    if place == .track || fix.segment != segment { startSegment() }
    segment = fix.segment
    append("      ")
    append("trkpt", fix, name: name, link)
  }

  /// Ends the document.
  public mutating func finish() {
    guard place != .end else { return }
    leave()
    place = .end
    append("</gpx>\n")
  }
}

extension GPXWriter {
  /// Ends the route or track that is open.
  private mutating func leave() {
    switch place {
    case .route: append("  </rte>\n")
    case .track: append("  </trk>\n")
    case .segment: append("    </trkseg>\n  </trk>\n")
    case .waypoints, .end: break
    }
  }

  /// Appends a point, its parts in the order that the schema asks for.
  private mutating func append(_ element: String, _ fix: Fix, name: String?, _ link: Link?) {
    append("<\(element) lat=\"")
    DecimalText.append(fix.coordinate.latitude, to: &bytes)
    append("\" lon=\"")
    DecimalText.append(fix.coordinate.longitude, to: &bytes)
    append("\">")
    if let elevation = fix.elevation { append("ele", elevation) }
    if let time = fix.time {
      let count = bytes.count
      append("<time>")
      if GPXTime.append(time, to: &bytes) {
        append("</time>")
      } else {
        bytes.removeLast(bytes.count - count)
      }
    }
    append("", "name", name)
    if let link {
      append("<link href=\"")
      XMLText.append(link.address, to: &bytes)
      append("\">")
      append("", "text", link.text)
      append("</link>")
    }
    if fix.speed != nil || fix.course != nil {
      append("<extensions><gpxtpx:TrackPointExtension>")
      if let speed = fix.speed { append("gpxtpx:speed", speed) }
      if let course = fix.course { append("gpxtpx:course", course) }
      append("</gpxtpx:TrackPointExtension></extensions>")
    }
    append("</\(element)>\n")
  }

  private mutating func append(_ element: String, _ value: Double) {
    guard value.isFinite else { return }
    append("<\(element)>")
    DecimalText.append(value, to: &bytes)
    append("</\(element)>")
  }

  private mutating func append(_ indentation: String, _ element: String, _ text: String?) {
    guard let text else { return }
    append("\(indentation)<\(element)>")
    XMLText.append(text, to: &bytes)
    append("</\(element)>\(indentation.isEmpty ? "" : "\n")")
  }

  private mutating func append(_ text: String) {
    bytes += text.utf8
  }
}
