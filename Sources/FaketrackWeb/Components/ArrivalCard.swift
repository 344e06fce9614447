import FaketrackFeatures

/// The summary of a walk that has ended, with its downloads.
enum ArrivalCard {
  static func html(_ state: TrackingState, in units: Units) -> HTML {
    guard let arrival = WalkArrival(state, in: units) else { return .none }
    return tag("section", .class("card arrival"), .label(arrival.title)) {
      tag("h2", text: arrival.title)
      tag("dl", .class("figures wrap")) {
        for item in arrival.figures { figure(item.title, item.text) }
      }
      if let cities = arrival.cities {
        tag("p") {
          tag("span", .class("muted"), text: "Cities passed: ")
          cities
        }
      }
      if let note = arrival.note { tag("p", .class("muted"), text: note) }
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
}
