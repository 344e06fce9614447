import CLibXML2

/// Names in the C library's dictionary, where equal names are equal pointers.
struct GPXNames {
  typealias Name = UnsafePointer<xmlChar>

  let gpx, trk, trkseg, trkpt, rte, rtept, wpt: Name?
  let ele, time, speed, course, metadata, extensions: Name?
  let lat, lon: Name?
  /// Elements of GPX that hold values, and so no points.
  private let values: Set<Name>

  init(_ dictionary: xmlDictPtr?) {
    func intern(_ name: String) -> Name? { xmlDictLookup(dictionary, name, -1) }
    gpx = intern("gpx")
    (trk, trkseg, trkpt) = (intern("trk"), intern("trkseg"), intern("trkpt"))
    (rte, rtept, wpt) = (intern("rte"), intern("rtept"), intern("wpt"))
    (ele, time, speed, course) = (intern("ele"), intern("time"), intern("speed"), intern("course"))
    (metadata, extensions) = (intern("metadata"), intern("extensions"))
    (lat, lon) = (intern("lat"), intern("lon"))
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

  /// Whether the name is that of a point, track, segment or route.
  @inline(__always)
  func isStructure(_ name: Name?) -> Bool {
    name == trkpt || name == rtept || name == wpt || name == trk || name == trkseg || name == rte
  }

  func isValue(_ name: Name?) -> Bool {
    name.map(values.contains) ?? false
  }
}

extension GPXNames.Name {
  var text: String { String(cString: self) }
}
