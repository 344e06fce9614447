import CLibXML2

/// The names that matter in every GPX file, as the C library's dictionary holds them.
///
/// It takes every name from that dictionary, so that equal names are equal pointers.
struct GPXNames {
  typealias Name = UnsafePointer<xmlChar>

  let gpx, trk, trkseg, trkpt, rte, rtept, wpt: Name?
  let ele, time, speed, course, metadata, extensions: Name?
  let lat, lon: Name?
  /// The elements of GPX that hold values, and so neither points nor what points are in.
  private let values: Set<Name>

  init(_ dictionary: xmlDictPtr?) {
    func intern(_ name: String) -> Name? { xmlDictLookup(dictionary, name, -1) }
    gpx = intern("gpx")
    trk = intern("trk")
    trkseg = intern("trkseg")
    trkpt = intern("trkpt")
    rte = intern("rte")
    rtept = intern("rtept")
    wpt = intern("wpt")
    ele = intern("ele")
    time = intern("time")
    speed = intern("speed")
    course = intern("course")
    metadata = intern("metadata")
    extensions = intern("extensions")
    lat = intern("lat")
    lon = intern("lon")
    let other = [
      "metadata", "extensions", "link", "text", "url", "urlname", "author", "email", "copyright",
      "year", "license", "bounds", "ele", "time", "speed", "course",
    ]
    values = Set((other + GPXDetails.Element.allCases.map(\.rawValue)).compactMap(intern))
  }

  @inline(__always)
  func pointKind(_ name: Name?) -> GPXPointKind? {
    switch name {
    case trkpt: .trackPoint
    case rtept: .routePoint
    case wpt: .waypoint
    default: nil
    }
  }

  /// Whether the name is that of a point, or of what points are in.
  @inline(__always)
  func isStructure(_ name: Name?) -> Bool {
    name == trkpt || name == rtept || name == wpt || name == trk || name == trkseg || name == rte
  }

  /// Whether the name is that of an element of GPX that holds values.
  func isValue(_ name: Name?) -> Bool {
    name.map(values.contains) ?? false
  }
}
