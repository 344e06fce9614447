import FaketrackFeatures
import FaketrackSupport
import Foundation

/// The small map of a story: the line, its waypoints, and the walker.
struct StoryMap {
  let state: TrackingState
  let shape: TrackShape

  /// The size in pixels for which lines and texts are drawn without scripts.
  private static let size = (width: 320.0, height: 300.0)
  private static let waypointLimit = 30

  var html: HTML {
    let line = PlaneLine(shape, points: 800)
    let unit = line.units(perPixelOf: Self.size.width, by: Self.size.height).rounded(places: 3)
    return tag("div", .class("map")) {
      tag(
        "svg", .attribute("viewBox", line.viewBox), .attribute("role", "img"),
        .label("Map of \(state.entry?.title ?? "the walk")"), .attribute("style", "--unit:\(unit)")
      ) {
        tag("path", .class("way"), .attribute("d", line.path { _ in true }))
        tag("path", .class("walked"))
        for waypoint in shape.waypoints.prefix(Self.waypointLimit) {
          if let name = waypoint.name {
            let (x, y) = line.point(at: waypoint.coordinate)
            tag("path", .class("waypoint"), .attribute("d", dot(x, y)))
            tag("text", .attribute("x", text(x)), .attribute("y", text(y)), text: name)
          }
        }
        for place in [0, shape.length] {
          if let dot = line.dot(atDistance: place) { tag("path", .class("end"), dot) }
        }
        if let dot = line.dot(atDistance: shape.length) {
          tag("path", .class("halo"), .flag("hidden"), dot)
          tag("path", .class("walker"), .flag("hidden"), dot)
        }
      }
      HTML.raw(
        "script", .attribute("type", "application/json"), .id("line"),
        text: ScriptJSON.text(line.parts))
    }
  }

  /// The data of a path that a round cap makes a dot.
  private func dot(_ x: Double, _ y: Double) -> String { "M\(text(x)) \(text(y))h0" }

  private func text(_ number: Double) -> String { "\(number.rounded(places: 1))" }
}
