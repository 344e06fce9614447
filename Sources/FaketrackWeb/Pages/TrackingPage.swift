import FaketrackFeatures
import Locations

/// Tracking: the map, the walk's figures and controls, and the stream of photos.
enum TrackingPage {
  /// - Parameters:
  ///   - update: the state as the page shows it.
  ///   - track: the track that is walked, or will be.
  static func html(
    _ state: TrackingState, _ update: TrackingUpdate, _ walker: WalkerUpdate,
    track: TrackCatalog.Entry, shape: TrackShape, tiles: TileTemplate?
  ) -> HTML {
    PageFrame(
      "Tracking", route: .tracking, layout: "split tracking",
      preloads: .init(script: "tracking.mjs", data: "/tracks/\(track.id)"),
      refreshInterval: state.phase == .running ? 5 : nil
    ).html {
      tag("h1", .class("unseen"), text: "Tracking \(track.name)")
      tag("div", .class("stage")) {
        MapFigure.html(
          MapFigure.Subject(
            name: track.name, track: track.id, shape: shape, legs: state.legs,
            walker: state.position.map { _ in state.distance }),
          tiles: tiles)
        ProfileFigure.html(shape, at: state.distance)
      }
      tag("div", .class("side"), .data("phase", update.phase)) {
        panel(update, walker, name: track.name, length: shape.length)
        tag("div", .class("news"), .flag("data-news"), .flag("hidden")) {
          tag("button", .class("button primary pill"))
        }
        tag("div", .flag("data-notice"), .attribute("aria-live", "polite")) {
          TrackingNoticeCard.html(state)
        }
        tag("h2", .class("unseen"), text: "Photos, the newest first")
        stream(state)
      }
    }
  }

  private static func panel(
    _ update: TrackingUpdate, _ walker: WalkerUpdate, name: String, length: Double
  ) -> HTML {
    tag("section", .class("panel"), .label("The walk")) {
      tag("div", .class("panel-head")) {
        tag("p", .class("track-name"), text: name)
        tag(
          "p", .class("phase"), .data("text", "phase"), .attribute("role", "status"),
          text: update.texts.phase)
      }
      tag("dl", .class("figures")) {
        figure("Walked", "distance", walker.texts.distance, of: Quantity.distance(length))
        figure("Near", "near", update.texts.near)
        figure("Time", "time", walker.texts.time)
        figure("Elapsed", "elapsed", walker.texts.elapsed)
        figure("Pace", "pace", walker.texts.pace)
        figure("Photos", "photos", update.texts.photos)
        figure("Elevation", "elevation", walker.texts.elevation)
        figure("Ascent", "ascent", walker.texts.ascent)
      }
      controls(update)
    }
  }

  private static func figure(
    _ name: String, _ key: String, _ value: String, of whole: String? = nil
  ) -> HTML {
    tag("div", .class("figure \(key)")) {
      tag("dt", text: name)
      tag("dd") {
        tag("span", .data("text", key), text: value)
        if let whole { tag("span", .class("muted whole"), text: " of \(whole)") }
      }
    }
  }

  /// All the buttons; those that do not apply now are hidden.
  private static func controls(_ update: TrackingUpdate) -> HTML {
    tag("div", .class("controls")) {
      button("start", update.phase == "idle" ? "Start" : "Start again", .play, isPrimary: true) {
        ["idle", "ended"].contains(update.phase)
      }
      button("pause", "Pause", .pause, isPrimary: true) { update.phase == "running" }
      button("resume", "Resume", .play, isPrimary: true) { update.phase == "paused" }
      button("stop", "Stop", .stop) {
        ["running", "paused", "blocked"].contains(update.phase)
      }
      tag(
        "form", .class("speed"), .attribute("method", "post"), .local("action", "/tracking/speed"),
        .flag("data-quiet")
      ) {
        tag("label", .attribute("for", "speed"), text: "Speed")
        tag("select", .id("speed"), .attribute("name", "speed")) {
          for speed in speeds(with: update.speed) {
            tag(
              "option", .attribute("value", speed.name),
              .flag("selected", speed.name == update.speed),
              text: speed == .max ? "max" : "×\(speed.name)")
          }
        }
        tag("noscript") { tag("button", .class("button"), text: "Set") }
      }
    }
  }

  private static func speeds(with name: String) -> [ReplaySpeed] {
    let choices = ReplaySpeed.choices
    guard !choices.contains(where: { $0.name == name }), let other = ReplaySpeed(name: name)
    else { return choices }
    return [other] + choices
  }

  private static func button(
    _ action: String, _ text: String, _ icon: Icon, isPrimary: Bool = false, isShown: () -> Bool
  ) -> HTML {
    tag(
      "form", .attribute("method", "post"), .local("action", "/tracking/\(action)"),
      .data("action", action), .flag("data-quiet"), .flag("hidden", !isShown())
    ) {
      tag("button", .class(isPrimary ? "button primary" : "button")) {
        icon.html
        tag("span", text: text)
      }
    }
  }

  private static func stream(_ state: TrackingState) -> HTML {
    let isEmpty = state.photos.cards.isEmpty
    let isRunning = state.phase == .running && !state.lacksPermission
    return HTMLBuilder.buildArray([
      tag("ol", .class("stream"), .flag("data-stream"), .flag("reversed")) {
        for card in state.photos.cards.reversed() { PhotoCard.html(card) }
      },
      tag(
        "ol", .class("stream"), .flag("data-skeletons"), .flag("hidden", !(isEmpty && isRunning))
      ) {
        PhotoCard.skeletons(2)
      },
      tag(
        "div", .class("empty"), .flag("data-empty"), .flag("hidden", !isEmpty || isRunning)
      ) {
        tag("p", text: "Photos appear here during the walk.")
      },
    ])
  }

  /// The page without a track.
  static var empty: HTML {
    PageFrame("Tracking", route: .tracking).html {
      tag("h1", text: "Tracking")
      tag("div", .class("empty large")) {
        Icon.place.html
        tag("p", text: "There is no track to walk yet.")
        tag("a", .class("button primary"), .href(Route.home), text: "Choose a track")
      }
    }
  }
}
