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
    case .resume: "/tracking/resume"
    case .goBack: "/tracking/position"
    }
  }

  @HTMLBuilder
  private static func fields(of remedy: WalkNotice.Remedy) -> HTML {
    switch remedy {
    case .allow: hiddenField("answer", "allow")
    case .deny: hiddenField("answer", "deny")
    case .startAgain, .resume: HTML.none
    case .goBack(let meters):
      hiddenField("meters", "\(meters)")
      hiddenField("resume", "1")
    }
  }

  /// The poster of a walk that has arrived, to which the scripts add a photo and its credit.
  static func arrival(_ state: TrackingState, in units: Units) -> HTML {
    guard let arrival = WalkArrival(state, in: units), let shape = state.shape else { return .none }
    let stops = arrival.stops
    return tag("section", .class("poster plain"), .label(arrival.title)) {
      MapFigure.route(of: shape, stops: stops.map(\.distance))
      tag("div", .class("words")) {
        let place = [arrival.start, state.startDate].compactMap(\.self)
        if !place.isEmpty { tag("p", .class("eyebrow"), text: place.joined(separator: " · ")) }
        tag("h2") { PlaceTitle.html(state.entry?.title ?? arrival.title) }
        if !stops.isEmpty {
          tag("ol", .class("stops")) { for stop in stops { tag("li", text: stop.name) } }
        }
      }
      tag("dl", .class("figures facts")) {
        for item in arrival.figures {
          tag("div", .class("figure")) {
            tag("dt", text: item.title)
            tag("dd") {
              // The unit of the distance is smaller than its number.
              let number = item.text.prefix { $0 != " " }
              String(number)
              tag("small", text: String(item.text.dropFirst(number.count)))
            }
          }
        }
      }
      tag("p", .class("mark")) {
        tag("b", text: "faketrack")
        tag("span", .flag("data-credit"))
      }
    }
  }

  /// The files of a walk as a menu.
  @HTMLBuilder
  static func files(_ update: TrackingUpdate) -> HTML {
    tag(
      "button", .class("button"), .flag("data-files"), .attribute("popovertarget", "files"),
      .flag("hidden", !update.hasFiles), text: "Files")
    tag("div", .class("card menu"), .id("files"), .attribute("popover", "auto")) {
      for file in WalkFile.all {
        tag("a", .local("href", file.address), .flag("download"), text: file.title)
      }
      let note = update.texts["filesNote"] ?? ""
      tag("p", .class("muted"), .data("text", "filesNote"), text: note)
    }
  }

  /// The time and pace of each walked kilometer or mile as a table.
  static func splits(_ state: TrackingState, in units: Units) -> HTML {
    let splits = WalkSplit.all(state, in: units)
    guard let first = splits.first else { return .none }
    return tag("table", .class("figures")) {
      tag("caption", text: "Splits")
      tag("tr") {
        for title in ["Up to", "Time", "Pace"] {
          tag("th", .attribute("scope", "col"), text: title)
        }
        if first.ascent != nil { tag("th", .attribute("scope", "col"), text: "Ascent") }
      }
      for split in splits {
        tag("tr") {
          for text in [split.title, split.time, split.pace, split.ascent].compactMap(\.self) {
            tag("td", text: text)
          }
        }
      }
    }
  }
}
