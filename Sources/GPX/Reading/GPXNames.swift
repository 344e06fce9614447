import CLibXML2

/// The names that matter in every GPX file, as the C library's dictionary holds them.
///
/// It takes every name from that dictionary, so that equal names are equal pointers.
struct GPXNames {
  typealias Name = UnsafePointer<xmlChar>

  let gpx, trk, trkseg, trkpt, rte, rtept, wpt: Name?
  let ele, time, speed, course, extensions: Name?
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

/// The names that matter only for details, as the C library's dictionary holds them.
struct DetailNames {
  typealias Name = GPXNames.Name

  let elements: [Name: GPXDetails.Element]
  let link, href, text, type, url, urlname: Name?
  let metadata, author, name, email, id, domain, copyright, year, license, bounds: Name?

  init(_ dictionary: xmlDictPtr?) {
    func intern(_ name: String) -> Name? { xmlDictLookup(dictionary, name, -1) }
    var elements: [Name: GPXDetails.Element] = [:]
    for element in GPXDetails.Element.allCases {
      if let name = intern(element.rawValue) { elements[name] = element }
    }
    self.elements = elements
    link = intern("link")
    href = intern("href")
    text = intern("text")
    type = intern("type")
    url = intern("url")
    urlname = intern("urlname")
    metadata = intern("metadata")
    author = intern("author")
    name = intern("name")
    email = intern("email")
    id = intern("id")
    domain = intern("domain")
    copyright = intern("copyright")
    year = intern("year")
    license = intern("license")
    bounds = intern("bounds")
  }
}
