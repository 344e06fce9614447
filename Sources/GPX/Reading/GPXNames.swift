import CLibXML2

/// Names in the C library's dictionary, where equal names are equal pointers.
struct GPXNames {
  typealias Name = UnsafePointer<xmlChar>

  let gpx, trk, trkseg, trkpt, rte, rtept, wpt: Name?
  let ele, time, speed, course, metadata, extensions: Name?
  let lat, lon: Name?
  /// A point of Garmin's `RoutePointExtension`.
  let rpt: Name?
  /// The namespace of GPX 1.1.
  let namespace: Name?
  let name: Name?
  /// Elements of GPX outside of points that hold values, and so no points.
  private let values: Set<Name>

  init(_ dictionary: xmlDictPtr?) {
    func intern(_ name: String) -> Name? { xmlDictLookup(dictionary, name, -1) }
    gpx = intern("gpx")
    (trk, trkseg, trkpt) = (intern("trk"), intern("trkseg"), intern("trkpt"))
    (rte, rtept, wpt) = (intern("rte"), intern("rtept"), intern("wpt"))
    (ele, time, speed, course) = (intern("ele"), intern("time"), intern("speed"), intern("course"))
    (metadata, extensions) = (intern("metadata"), intern("extensions"))
    namespace = intern(GPXWriter.namespace)
    (lat, lon, name) = (intern("lat"), intern("lon"), intern("name"))
    rpt = intern("rpt")
    let other = [
      "metadata", "extensions", "link", "text", "url", "urlname", "author", "email", "copyright",
      "year", "license", "bounds", "ele", "time", "speed", "course",
    ]
    let details = GPXDetails.Element.ofMetadata + GPXDetails.Element.ofPath
    values = Set((other + details.map(\.rawValue)).compactMap(intern))
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

  /// Whether an element with the name is a point, track, segment or route.
  @inline(__always)
  func isStructure(_ name: Name?) -> Bool {
    name == trkpt || name == rtept || name == wpt || name == trk || name == trkseg || name == rte
  }

  func isValue(_ name: Name?) -> Bool {
    name.map(values.contains) ?? false
  }
}

/// Values of points that a ``Fix`` does not hold.
package struct GPXOmissions: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  static let names = GPXOmissions(rawValue: 1)
  private static let table: [(element: String?, title: String)] = [
    (nil, "names of points"), ("hr", "heart rate"), ("cad", "cadence"), ("atemp", "temperature"),
    ("sat", "sat"), ("fix", "fix"), ("hdop", "hdop"), ("vdop", "vdop"), ("pdop", "pdop"),
  ]

  /// The elements whose names the C library has met and its parser has not asked for.
  init(in dictionary: xmlDictPtr?) {
    self = []
    for (bit, row) in Self.table.enumerated() {
      guard let name = row.element, xmlDictExists(dictionary, name, -1) != nil else { continue }
      insert(Self(rawValue: 1 << bit))
    }
  }

  /// The titles of the members, such as `heart rate`.
  package var titles: [String] {
    Self.table.indices.filter { contains(Self(rawValue: 1 << $0)) }.map { Self.table[$0].title }
  }
}

extension GPXNames.Name {
  var text: String { String(cString: self) }
}
