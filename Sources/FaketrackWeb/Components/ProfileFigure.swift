import FaketrackFeatures
import FaketrackSupport

/// The elevation profile of the track, with a slider that moves the walk.
enum ProfileFigure {
  static func html(
    _ shape: TrackShape, legs: [ClosedRange<Double>], at distance: Double, in units: Units
  ) -> HTML {
    let length = max(shape.length, 1)
    return postForm(to: "/tracking/position", class: "profile", .flag("data-profile")) {
      tag(
        "svg", .class("heights"), .attribute("viewBox", "0 0 1000 100"),
        .attribute("preserveAspectRatio", "none"), .hiddenFromReaders
      ) {
        let line = "M0 100L\(edge(of: shape))L1000 100Z"
        tag("defs") {
          gradient(shape)
          tag("clipPath", .id("walked-part")) {
            // The last leg grows.
            for leg in legs.isEmpty ? [0...0] : legs {
              tag(
                "rect", .flag("data-progress", leg == (legs.last ?? 0...0)),
                .attribute("x", thousandths(leg.lowerBound / length)),
                .attribute("width", thousandths((leg.upperBound - leg.lowerBound) / length)),
                .attribute("height", "100"))
            }
          }
        }
        tag("path", .class("profile-area"), .attribute("d", line))
        tag(
          "path", .class("profile-area walked"), .attribute("d", line),
          .attribute("clip-path", "url(#walked-part)"))
      }
      axis(length, units)
      if let scale = scale(shape, units) { tag("p", .class("profile-scale"), text: scale) }
      tag("div", .class("profile-photos"), .flag("data-photos-along"), .hiddenFromReaders)
      emptyTag(
        "input", .attribute("type", "range"), .attribute("name", "meters"),
        .attribute("min", "0"),
        .attribute("max", DecimalText.fixed(length.rounded(.down), places: 0)),
        .attribute("step", "1"),
        .attribute("value", DecimalText.fixed(distance.rounded(.down), places: 0)),
        .attribute("aria-valuetext", Quantity.distance(distance, in: units)),
        .label("Position on the track"))
      tag("div", .class("profile-tip"), .flag("data-tip"), .flag("hidden"), .hiddenFromReaders) {
        emptyTag("img", .attribute("alt", ""), .flag("hidden"))
        tag("p")
      }
      tag("noscript") { tag("button", .class("button"), text: "Go there") }
    }
  }

  /// The profile as the lower edge of a picture.
  static func ridge(_ shape: TrackShape) -> HTML {
    let edge = edge(of: shape)
    return tag(
      "svg", .class("ridge"), .attribute("viewBox", "0 0 1000 100"),
      .attribute("preserveAspectRatio", "none"), .hiddenFromReaders
    ) {
      tag("defs") { gradient(shape) }
      tag("path", .class("ground"), .attribute("d", "M0 101L\(edge)L1000 101Z"))
      tag("path", .class("edge"), .attribute("d", "M\(edge)"))
    }
  }

  /// The colors from the lowest elevation up.
  private static func gradient(_ shape: TrackShape) -> HTML {
    tag(
      "linearGradient", .id("heights"), .attribute("gradientUnits", "userSpaceOnUse"),
      .attribute("x1", "0"), .attribute("x2", "0"), .attribute("y1", "94"),
      .attribute("y2", "\(94 - highest(shape))")
    ) {
      for offset in ["0", "0.5", "1"] { tag("stop", .attribute("offset", offset)) }
    }
  }

  private static func scale(_ shape: TrackShape, _ units: Units) -> String? {
    guard let heights = shape.elevations else { return nil }
    return "\(Quantity.height(heights.lowerBound, in: units)) – "
      + Quantity.height(heights.upperBound, in: units)
  }

  /// A share of the width of the drawing, from 0 to 1, in thousandths.
  private static func thousandths(_ share: Double) -> String {
    "\((1_000 * min(max(share, 0), 1)).rounded(places: 2))"
  }

  private static func axis(_ length: Double, _ units: Units) -> HTML {
    let step = units.roundDistance(atLeast: length / 8)
    return tag("svg", .class("axis"), .hiddenFromReaders) {
      for number in 1..<9 where Double(number) * step < length * 0.97 {
        let place = "\((Double(number) * step / length * 100).rounded(places: 2))%"
        tag(
          "line", .attribute("x1", place), .attribute("x2", place), .attribute("y1", "0"),
          .attribute("y2", "4"))
        tag(
          "text", .attribute("x", place), .attribute("y", "15"),
          text: label(Double(number) * step, step, units))
      }
    }
  }

  /// A distance in the unit of its round step, without needless decimals.
  private static func label(_ distance: Double, _ step: Double, _ units: Units) -> String {
    let isShort = units == .imperial && step < 160
    let text =
      isShort ? Quantity.height(distance, in: units) : Quantity.distance(distance, in: units)
    return text.replacing(".0 ", with: " ")
  }

  /// The height of the highest elevation in the drawing; at least 30 m fill it, or small differences would
  /// look like mountains.
  private static func highest(_ shape: TrackShape) -> Double {
    let difference = shape.elevations.map { $0.upperBound - $0.lowerBound } ?? 0
    return (84 * min(difference / 30, 1)).rounded(places: 1)
  }

  /// The elevations from left to right, level where they are unknown.
  private static func edge(of shape: TrackShape) -> String {
    let low = shape.elevations?.lowerBound ?? 0
    let span = max((shape.elevations?.upperBound ?? 0) - low, 30)
    let columns = 250
    var tops = [Double?](repeating: nil, count: columns + 1)
    for point in shape.points {
      guard let elevation = point.elevation else { continue }
      let column = Int(point.distance / max(shape.length, 1) * Double(columns))
      let position = min(max(column, 0), columns)
      tops[position] = max(tops[position] ?? elevation, elevation)
    }
    var last = tops.lazy.compactMap(\.self).first.map { 94 - ($0 - low) / span * 84 } ?? 94
    return tops.enumerated().map { column, top in
      if let top { last = 94 - (top - low) / span * 84 }
      return "\(column * 1_000 / columns) \(last.rounded(places: 1))"
    }.joined(separator: "L")
  }
}
