import FaketrackFeatures

/// What a walk came to, once it has ended, and the files that keep it.
enum ArrivalCard {
  /// The most cities that are named.
  private static let cityLimit = 12

  /// - Parameter shape: the track, once it is known.
  static func html(_ state: TrackingState, on shape: TrackShape?, in units: Units) -> HTML {
    guard !state.isUnderWay, state.history.count > 0 else { return .none }
    let title = state.phase == .finished ? "Arrived" : "The walk so far"
    return tag("section", .class("card arrival"), .label(title)) {
      tag("h2", text: title)
      tag("dl", .class("figures wrap")) {
        figure("Distance", Quantity.distance(state.walkedDistance, in: units))
        if let walked = shape.map(state.walked) {
          figure("Time", Quantity.duration(walked.elapsed))
          figure("Ascent", Quantity.height(walked.ascent, in: units))
        }
        figure("Photos", Quantity.grouped(state.photos.count))
      }
      let cities = state.citiesPassed
      if !cities.isEmpty {
        tag("p") {
          tag("span", .class("muted"), text: "Cities passed: ")
          cities.prefix(cityLimit).map(\.name).joined(separator: ", ")
          if cities.count > cityLimit { " and \(cities.count - cityLimit) more" }
        }
      }
      if state.history.forgotten > 0 {
        let kept = state.history.count - state.history.forgotten
        tag("p", .class("muted")) { "The files hold the last \(Quantity.count(kept, "location"))." }
      }
      tag("p", .class("downloads")) {
        tag("span", .class("muted"), text: "Download: ")
        for file in WalkFile.all {
          tag(
            "a", .class("button small"), .local("href", file.address), .flag("download"),
            text: file.title)
        }
      }
    }
  }

  private static func figure(_ name: String, _ value: String) -> HTML {
    tag("div", .class("figure")) {
      tag("dt", text: name)
      tag("dd", text: value)
    }
  }
}
