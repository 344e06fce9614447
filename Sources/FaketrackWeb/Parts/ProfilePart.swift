import FaketrackFeatures

/// The elevations along the track, with a slider over them that moves the walk.
enum ProfilePart {
  static func html(_ shape: TrackShape, at distance: Double) -> HTML {
    let length = max(shape.length, 1)
    let elevations = shape.elevations
    return tag(
      "form", .class("profile"), .attribute("method", "post"),
      .local("action", "/tracking/position"), .flag("data-profile")
    ) {
      tag(
        "svg", .attribute("viewBox", "0 0 1000 100"), .attribute("preserveAspectRatio", "none"),
        .hiddenFromReaders
      ) {
        let line = outline(of: shape, elevations)
        tag("defs") {
          tag("clipPath", .id("walked-part")) {
            tag(
              "rect", .data("progress", ""), .attribute("width", share(distance, of: length)),
              .attribute("height", "100"))
          }
        }
        tag("path", .class("ground"), .attribute("d", line))
        tag(
          "path", .class("ground walked"), .attribute("d", line),
          .attribute("clip-path", "url(#walked-part)"))
      }
      tag("p", .class("profile-scale")) {
        if let elevations {
          "\(Quantity.fixed(elevations.lowerBound, decimals: 0))–"
          "\(Quantity.fixed(elevations.upperBound, decimals: 0)) m"
        } else {
          "no elevations"
        }
        " · \(Quantity.distance(shape.length))"
      }
      emptyTag(
        "input", .attribute("type", "range"), .attribute("name", "metres"),
        .attribute("min", "0"), .attribute("max", "\(Int(length))"), .attribute("step", "1"),
        .attribute("value", "\(Int(distance))"), .label("Position on the track, in metres"))
      tag("noscript") { tag("button", .class("button"), text: "Go there") }
    }
  }

  private static func share(_ distance: Double, of length: Double) -> String {
    "\((1_000 * min(max(distance / length, 0), 1)).rounded(decimals: 1))"
  }

  /// The ground under the track as a filled line; flat where nothing is known.
  private static func outline(of shape: TrackShape, _ range: ClosedRange<Double>?) -> String {
    let low = range?.lowerBound ?? 0
    // A walk in the plain is not to look like one in the Alps.
    let span = max((range?.upperBound ?? 0) - low, 30)
    let columns = 250
    var tops = [Double?](repeating: nil, count: columns + 1)
    for point in shape.points {
      guard let elevation = point.elevation else { continue }
      let column = Int(point.distance / max(shape.length, 1) * Double(columns))
      let position = min(max(column, 0), columns)
      tops[position] = max(tops[position] ?? elevation, elevation)
    }
    var line = "M0 100"
    var last = 92.0
    for (column, top) in tops.enumerated() {
      if let top { last = 92 - (top - low) / span * 72 }
      line += "L\(column * 1_000 / columns) \(last.rounded(decimals: 1))"
    }
    return line + "L1000 100Z"
  }
}
