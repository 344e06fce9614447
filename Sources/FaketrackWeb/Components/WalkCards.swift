import FaketrackFeatures

/// The cards of the walk: the notice, with a button for each remedy, and the summary of its end.
enum WalkCards {
  static func notice(_ notice: WalkNotice?) -> HTML {
    guard let notice else { return .none }
    return ErrorCard.html(
      title: notice.title, Failure(message: notice.message, hint: notice.hint),
      isQuestion: notice.isQuestion
    ) {
      for remedy in notice.remedies {
        postForm(to: address(of: remedy), .flag("data-quiet")) {
          fields(of: remedy)
          tag(
            "button", .class(remedy == notice.remedies.first ? "button primary" : "button"),
            text: remedy.title)
        }
      }
    }
  }

  private static func address(of remedy: WalkNotice.Remedy) -> String {
    switch remedy {
    case .allow, .deny: "/tracking/permission"
    case .startAgain: "/tracking/start"
    case .goBack: "/tracking/position"
    }
  }

  @HTMLBuilder
  private static func fields(of remedy: WalkNotice.Remedy) -> HTML {
    switch remedy {
    case .allow: hiddenField("answer", "allow")
    case .deny: hiddenField("answer", "deny")
    case .startAgain: HTML.none
    case .goBack(let meters):
      hiddenField("meters", "\(meters)")
      hiddenField("resume", "1")
    }
  }

  /// The summary of a walk that has ended, with its downloads.
  static func arrival(_ state: TrackingState, in units: Units) -> HTML {
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
