import FaketrackFeatures
import FaketrackSupport

/// The elevations along the track, with a slider over them that moves the walk.
enum ProfileFigure {
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
              "rect", .data("progress", ""), .attribute("width", progress(distance, of: length)),
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
          "\(DecimalText.fixed(elevations.lowerBound, places: 0))–"
          "\(DecimalText.fixed(elevations.upperBound, places: 0)) m"
        } else {
          "no elevations"
        }
        " · \(Quantity.distance(shape.length))"
      }
      emptyTag(
        "input", .attribute("type", "range"), .attribute("name", "meters"),
        .attribute("min", "0"),
        .attribute("max", DecimalText.fixed(length.rounded(.down), places: 0)),
        .attribute("step", "1"),
        .attribute("value", DecimalText.fixed(distance.rounded(.down), places: 0)),
        .label("Position on the track, in meters"))
      tag("noscript") { tag("button", .class("button"), text: "Go there") }
    }
  }

  /// The walked fraction in thousandths, the width of the drawing.
  private static func progress(_ distance: Double, of length: Double) -> String {
    "\((1_000 * min(max(distance / length, 0), 1)).rounded(places: 1))"
  }

  /// The ground under the track as a filled line; level where the elevation is unknown.
  private static func outline(of shape: TrackShape, _ range: ClosedRange<Double>?) -> String {
    let low = range?.lowerBound ?? 0
    // A walk across a plain must not look like one in the Alps.
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
      line += "L\(column * 1_000 / columns) \(last.rounded(places: 1))"
    }
    return line + "L1000 100Z"
  }
}
