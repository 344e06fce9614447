import FaketrackFeatures
import FaketrackSupport
import Foundation

/// The map: interactive with scripts, otherwise a drawing of the track.
enum MapFigure {
  /// - Parameters:
  ///   - walk: the walk on the map; `nil` for a map of cities.
  ///   - links: a page without a server has no street map.
  static func html(
    of name: String, walk: TrackingState? = nil, tiles: TileTemplate?, in units: Units = .preferred,
    links: PageLinks = .server
  ) -> HTML {
    let track = walk?.entry?.id
    let file = tiles?.file
    return tag(
      "div", .class("map"), .data("track", track.map(String.init) ?? ""),
      .data("tiles", (tiles ?? .openStreetMap).text),
      .attribute("data-min-zoom", file.map { "\($0.zooms.lowerBound)" }),
      .attribute("data-max-zoom", file.map { "\($0.zooms.upperBound)" }),
      .attribute("data-bounds", file?.bounds?.map { "\($0)" }.joined(separator: ",")),
      .data("units", units.rawValue)
    ) {
      if let walk, let shape = walk.shape {
        drawing(
          of: shape, walked: walk.legs, walker: walk.position.map { _ in walk.distance },
          name: "Map of \(name)")
      }
      tag(
        "canvas", .attribute("tabindex", "0"), .attribute("role", "application"), .flag("hidden"),
        .label("Map of \(name). Arrow keys move it, plus and minus zoom."))
      tag("div", .class("map-buttons"), .flag("hidden")) {
        tag("button", .class("button square"), .data("map", "in"), .label("Zoom in"), text: "+")
        tag("button", .class("button square"), .data("map", "out"), .label("Zoom out"), text: "−")
      }
      tag("div", .class("map-views")) {
        if links.hasServer {
          tag(
            "button", .class("button square"), .data("map", "street"),
            .attribute("aria-pressed", "false"), .flag("hidden")
          ) {
            Icon.layers.html
            tag("span", .class("visually-hidden"), text: "Street map")
            tag("span", .class("lost"), text: "Cannot be loaded")
          }
        }
        if track != nil {
          tag(
            "button", .class("button"), .data("map", "follow"), .flag("hidden"), text: "Follow")
        }
        tag(
          "button", .class("button"), .data("map", "fit"), .flag("hidden"),
          text: track == nil ? "Show all" : "Fit")
      }
      tag("p", .class("map-credit")) {
        tag("span", .flag("data-tiles-credit"), .flag("hidden")) {
          for run in (tiles ?? .openStreetMap).credit {
            if let link = run.link {
              outsideLink(link) { run.text }
            } else {
              run.text
            }
          }
        }
        if links.hasServer {
          tag("a", .href(Route.about), text: "Cities: GeoNames")
        } else {
          outsideLink(URL(string: "https://www.geonames.org")) { "Cities: GeoNames" }
        }
      }
      tag("p", .class("map-hint"), .flag("data-hint"), .flag("hidden"), .hiddenFromReaders)
      if links.hasServer, tiles == nil { offer }
    }
  }

  /// The card that asks before anything is loaded from another server; scripts show it.
  private static var offer: HTML {
    tag(
      "section", .class("card tiles-offer"), .flag("data-tiles-offer"), .flag("hidden"),
      .attribute("aria-labelledby", "tiles-offer-title")
    ) {
      tag(
        "h2", .id("tiles-offer-title"), text: "Street map from \(TileTemplate.openStreetMap.site)")
      tag("p", text: "It sees the area you look at.")
      tag("div", .class("actions")) {
        tag("button", .class("button primary"), .attribute("value", "on"), text: "Load it")
        tag("button", .class("button"), .attribute("value", "off"), text: "Stay offline")
      }
    }
  }

  /// The line of a walk as its cover and its poster show it, with a number at each stop.
  ///
  /// - Parameter stops: meters along the track.
  static func route(of shape: TrackShape, stops: [Double] = []) -> HTML {
    let line = PlaneLine(shape, points: 400)
    return tag("svg", .class("route"), .attribute("viewBox", line.viewBox), .hiddenFromReaders) {
      let path = line.path { _ in true }
      tag("path", .class("halo"), .attribute("d", path))
      tag("path", .class("way"), .attribute("d", path))
      let ends = [("begin", 0), ("end", shape.length)]
      for (name, place) in ends {
        if let dot = line.dot(atDistance: place) {
          tag("path", .class("ring"), dot)
          tag("path", .class(name), dot)
        }
      }
      for (number, place) in stops.enumerated() {
        if let dot = line.dot(atDistance: place), let (x, y) = line.point(atDistance: place) {
          tag("path", .class("stop"), dot)
          tag(
            "text", .attribute("x", "\(x.rounded(places: 1))"),
            .attribute("y", "\(y.rounded(places: 1))"), .attribute("dy", "0.35em"),
            text: "\(number + 1)")
        }
      }
    }
  }

  private static func drawing(
    of shape: TrackShape, walked legs: [ClosedRange<Double>], walker: Double?, name: String
  ) -> HTML {
    let line = PlaneLine(shape, points: 400)
    return tag(
      "svg", .class("drawing"), .attribute("viewBox", line.viewBox), .attribute("role", "img"),
      .label(name)
    ) {
      tag("path", .class("track"), .attribute("d", line.path { _ in true }))
      if !legs.isEmpty {
        tag(
          "path", .class("walked"),
          .attribute("d", line.path { point in legs.contains { $0.contains(point.distance) } }))
      }
      if let dot = walker.flatMap(line.dot(atDistance:)) { tag("path", .class("walker"), dot) }
    }
  }
}

/// A track in Web Mercator, scaled to a square of 1,000 units.
struct PlaneLine {
  private let points: [(point: TrackShape.Point, x: Double, y: Double)]
  let viewBox: String

  init(_ shape: TrackShape, points count: Int) {
    let stride = max(1, shape.points.count / count)
    let drawn = shape.points.indices.filter { number in
      number.isMultiple(of: stride) || shape.points[number].isBreak
        || number == shape.points.count - 1
    }.map { shape.points[$0] }
    let places = [WebMercator.Point](line: drawn.map(\.coordinate))
    let (left, right) = (places.map(\.x).min() ?? 0, places.map(\.x).max() ?? 0)
    let (top, bottom) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
    let scale = 1_000 / max(right - left, bottom - top, 1e-9)
    points = zip(drawn, places).map { ($0, ($1.x - left) * scale, ($1.y - top) * scale) }
    // The same margin as on the interactive map, which replaces the drawing.
    let (width, height) = (max((right - left) * scale, 1), max((bottom - top) * scale, 1))
    viewBox = [-width / 8, -height / 8, width * 1.25, height * 1.25]
      .map { "\($0.rounded(places: 1))" }.joined(separator: " ")
  }

  /// The point at a distance along the track in meters.
  func point(atDistance distance: Double) -> (x: Double, y: Double)? {
    guard let next = points.firstIndex(where: { $0.point.distance > distance }), next > 0 else {
      return (points.last { $0.point.distance <= distance } ?? points.first).map { ($0.x, $0.y) }
    }
    let (last, end) = (points[next - 1], points[next])
    if end.point.isBreak { return (last.x, last.y) }
    let fraction =
      (distance - last.point.distance) / (end.point.distance - last.point.distance)
    return (last.x + fraction * (end.x - last.x), last.y + fraction * (end.y - last.y))
  }

  /// The data of a path that a round cap makes a dot.
  func dot(atDistance distance: Double) -> Attribute? {
    point(atDistance: distance).map {
      .attribute("d", "M\($0.x.rounded(places: 1)) \($0.y.rounded(places: 1))h0")
    }
  }

  /// The parts of the line with the included points, as the data of an SVG path.
  func path(where isIncluded: (TrackShape.Point) -> Bool) -> String {
    var path = ""
    var isDrawing = false
    for (point, x, y) in points {
      let included = isIncluded(point)
      if included {
        path += isDrawing && !point.isBreak ? "L" : "M"
        path += "\(x.rounded(places: 1)) \(y.rounded(places: 1))"
      }
      isDrawing = included
    }
    return path
  }
}
