import FaketrackFeatures
import FaketrackSupport
import Foundation

/// The map: interactive with scripts, otherwise a drawing of the track.
enum MapFigure {
  /// - Parameters:
  ///   - walk: the walk on the map; `nil` for another map.
  ///   - shape: the track of a map without a walk.
  static func html(
    of name: String, walk: TrackingState? = nil, shape: TrackShape? = nil, tiles: TileTemplate?,
    in units: Units = .preferred
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
      if let shape = shape ?? walk?.shape {
        drawing(
          of: shape, walked: walk?.legs ?? [],
          walker: walk?.position.map { _ in walk?.distance ?? 0 },
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
        tag(
          "button", .class("button square"), .data("map", "street"),
          .attribute("aria-pressed", "false"), .flag("hidden")
        ) {
          Icon.layers.html
          tag("span", .class("visually-hidden"), text: "Street map")
          tag("span", .class("lost"), text: "Cannot be loaded")
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
        tag("a", .href(Route.about), text: "Cities: GeoNames")
      }
      tag("p", .class("map-hint"), .flag("data-hint"), .flag("hidden"), .hiddenFromReaders)
      if tiles == nil { offer }
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
