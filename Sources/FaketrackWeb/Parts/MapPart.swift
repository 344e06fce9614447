import Cities
import FaketrackFeatures
import Geodesy

/// The map. Without scripts it is a drawing of the track; with them it moves.
enum MapPart {
  /// What a map is about, besides the cities of the index.
  struct Subject {
    var track: Int?
    var shape: TrackShape?
    var view: WalkView?
    var name: String
  }

  static func html(_ subject: Subject, tiles: TileTemplate?) -> HTML {
    tag(
      "div", .class("map"), .data("track", subject.track.map(String.init) ?? ""),
      .data("tiles", tiles?.text ?? ""), .data("tiles-by", tiles?.attribution ?? "")
    ) {
      if let shape = subject.shape { drawing(of: shape, subject.view, name: subject.name) }
      tag(
        "canvas", .attribute("tabindex", "0"), .attribute("role", "img"), .flag("hidden"),
        .label("Map of \(subject.name). Arrow keys move it, plus and minus zoom."))
      tag("div", .class("map-buttons"), .flag("hidden")) {
        tag("button", .class("button square"), .data("map", "in"), .label("Zoom in"), text: "+")
        tag("button", .class("button square"), .data("map", "out"), .label("Zoom out"), text: "−")
      }
      tag(
        "button", .class("button follow"), .data("map", "follow"), .flag("hidden"),
        text: subject.track == nil ? "Show all" : "Follow")
      tag("p", .class("map-credit")) {
        if let tiles { tag("span", text: tiles.attribution) }
        tag("a", .href(Route.about), text: "Cities: GeoNames")
      }
    }
  }

  /// A small picture of a track, for a list.
  static func thumbnail(of shape: TrackShape) -> HTML {
    picture(of: shape, walked: [], class: "thumbnail", name: nil, points: 100)
  }

  private static func drawing(of shape: TrackShape, _ view: WalkView?, name: String) -> HTML {
    picture(of: shape, walked: view?.legs ?? [], class: "drawing", name: "Map of \(name)")
  }

  private static func picture(
    of shape: TrackShape, walked legs: [ClosedRange<Double>], class name: String,
    name label: String?,
    points: Int = 400
  ) -> HTML {
    let line = PlaneLine(shape, points: points)
    return tag(
      "svg", .class(name), .attribute("viewBox", line.viewBox),
      .attribute("role", label == nil ? nil : "img"), .attribute("aria-label", label),
      .attribute("aria-hidden", label == nil ? "true" : nil)
    ) {
      tag("path", .class("track"), .attribute("d", line.path { _ in true }))
      if !legs.isEmpty {
        tag(
          "path", .class("walked"),
          .attribute("d", line.path { point in legs.contains { $0.contains(point.distance) } }))
      }
    }
  }
}
