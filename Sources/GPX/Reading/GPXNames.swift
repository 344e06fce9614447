import CLibXML2

/// The names that matter in GPX, as the parser's dictionary holds them.
///
/// The parser takes every name from the same dictionary, so that equal names are equal pointers.
struct GPXNames {
  typealias Name = UnsafePointer<xmlChar>

  let gpx, trk, trkseg, trkpt, rte, rtept, wpt: Name?
  let ele, time, speed, course, name, extensions: Name?
  let lat, lon: Name?

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
    name = intern("name")
    extensions = intern("extensions")
    lat = intern("lat")
    lon = intern("lon")
  }

  func pointKind(_ name: Name?) -> GPXPointKind? {
    switch name {
    case trkpt: .trackPoint
    case rtept: .routePoint
    case wpt: .waypoint
    default: nil
    }
  }
}
