import FaketrackFeatures
import Locations

/// Tracking: the map, the figures and controls of the walk, and the stream of photos.
package enum TrackingPage {
  /// The options of the view.
  package struct ViewOptions {
    var units: Units
    var tiles: TileTemplate?
    /// The number of the newest photo to show; `nil` for the newest of the walk.
    var lastPhoto: Int?

    package init(units: Units, tiles: TileTemplate? = nil, lastPhoto: Int? = nil) {
      self.units = units
      self.tiles = tiles
      self.lastPhoto = lastPhoto
    }
  }

  /// The page of a walk, or of the lack of a track.
  ///
  /// - Parameter generation: identifies the server.
  package static func html(
    _ state: TrackingState, _ options: ViewOptions, generation: String
  ) -> HTML {
    guard let track = state.entry, let shape = state.shape else { return empty }
    let update = TrackingUpdate(state, generation: generation, in: options.units)
    return PageFrame(
      "Tracking", route: .tracking, layout: "split tracking",
      script: "tracking.mjs", data: "/tracks/\(track.id)",
      refreshInterval: state.phase == .running ? 5 : nil
    ).html {
      tag("h1", .class("visually-hidden"), text: "Tracking \(track.title)")
      tag("div", .class("stage")) {
        MapFigure.html(
          MapFigure.Subject(
            name: track.title, track: track.id, shape: shape, legs: state.legs,
            walker: state.position.map { _ in state.distance }),
          tiles: options.tiles, in: options.units)
        ProfileFigure.html(shape, legs: state.legs, at: state.distance, in: options.units)
      }
      tag("div", .class("side"), .data("phase", update.phase)) {
        panel(state, update, options.units, name: track.title, shape)
        tag("div", .class("updates"), .flag("data-updates"), .flag("hidden")) {
          tag("button", .class("button primary pill"))
        }
        tag("div", .flag("data-notice"), .attribute("aria-live", "polite")) { update.notice }
        tag("div", .flag("data-arrival")) { update.arrival }
        photos(state, options, update)
        tag("div", .class("choices")) {
          if let population = state.minPopulation { citiesChoice(population) }
          unitsChoice(options.units)
        }
      }
      lightbox
    }
  }

  // MARK: The walk

  private static func panel(
    _ state: TrackingState, _ update: TrackingUpdate, _ units: Units, name: String,
    _ shape: TrackShape
  ) -> HTML {
    let walker = WalkerUpdate(state, in: units)
    return tag("section", .class("panel"), .label("The walk")) {
      tag("div", .class("panel-head")) {
        tag("p", .class("track-name"), text: name)
        tag(
          "p", .class("phase"), .data("text", "phase"), .attribute("role", "status"),
          text: update.texts.phase)
      }
      tag("dl", .class("figures")) {
        figure(
          "Walked", "distance", walker.texts.distance,
          of: Quantity.distance(shape.length, in: units))
        figure("Nearest city", "near", update.texts.near)
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

  /// The buttons; unavailable ones are hidden.
  private static func controls(_ update: TrackingUpdate) -> HTML {
    tag("div", .class("controls"), .attribute("role", "group"), .label("Controls")) {
      for (action, text, icon) in [
        ("pause", "Pause", Icon.pause), ("resume", update.texts.resume, .play),
        ("start", update.texts.start, .play), ("stop", "Stop", .stop),
      ] {
        postForm(
          to: "/tracking/\(action)", .data("action", action), .flag("data-quiet"),
          .flag("hidden", !update.actions.contains(action))
        ) {
          tag("button", .class(update.actions.first == action ? "button primary" : "button")) {
            icon.html
            tag("span", .data("text", action), text: text)
          }
        }
      }
      postForm(to: "/tracking/speed", class: "speed", .flag("data-quiet")) {
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

  // MARK: Photos

  @HTMLBuilder
  private static func photos(
    _ state: TrackingState, _ options: ViewOptions, _ update: TrackingUpdate
  ) -> HTML {
    let isEmpty = state.photos.count == 0
    tag("div", .class("photos-head")) {
      tag("h2", text: "Photos")
      tag("span", .class("badge"), text: "Sample")
    }
    tag("div", .flag("data-photos")) {
      PhotoGrid.html(state, upTo: options.lastPhoto, in: options.units)
    }
    tag(
      "ol", .class("stream"), .flag("data-skeletons"), .flag("hidden", !update.isSearching)
    ) {
      PhotoCard.skeletons(3)
    }
    tag(
      "div", .class("empty"), .flag("data-empty"), .flag("hidden", !isEmpty || update.isSearching)
    ) {
      tag("p", .data("text", "withoutPhotos"), text: update.texts.withoutPhotos)
    }
  }

  private static func citiesChoice(_ minPopulation: Int) -> HTML {
    segments("Cities nearby", action: "/tracking/cities") {
      if !CitySize.allCases.contains(where: { $0.minPopulation == minPopulation }) {
        segment(
          "\(Quantity.grouped(minPopulation)) people", named: "population",
          value: "\(minPopulation)", isChosen: true)
      }
      for size in CitySize.allCases {
        segment(
          size.title, named: "population", value: "\(size.minPopulation)",
          isChosen: size.minPopulation == minPopulation)
      }
    }
  }

  private static func unitsChoice(_ units: Units) -> HTML {
    segments("Units", action: "/units") {
      for choice in Units.allCases {
        segment(
          choice.name, named: "units", value: choice.rawValue, isChosen: choice == units)
      }
    }
  }

  private static func segments(
    _ label: String, action: String, @HTMLBuilder _ buttons: () -> HTML
  ) -> HTML {
    postForm(to: action) {
      tag("div", .class("segments"), .attribute("role", "group"), .label(label), content: buttons)
    }
  }

  private static func segment(
    _ text: String, named name: String, value: String, isChosen: Bool
  ) -> HTML {
    tag(
      "button", .class("button"), .attribute("name", name), .attribute("value", value),
      .attribute("aria-pressed", isChosen ? "true" : "false"), text: text)
  }

  /// The dialog in which the scripts show one photo.
  private static var lightbox: HTML {
    tag("dialog", .class("lightbox"), .flag("data-lightbox"), .label("Photo")) {
      tag("div", .flag("data-photo"))
      for (name, text, icon) in [
        ("newer", "Newer photo", Icon.left), ("older", "Older photo", .right),
        ("close", "Close", .close),
      ] {
        tag("button", .class("button square \(name)"), .data("photo-action", name), .label(text)) {
          icon.html
        }
      }
    }
  }

  /// The page without a track.
  static var empty: HTML {
    PageFrame("Tracking", route: .tracking).html {
      tag("h1", text: "Tracking")
      emptyState("There is no track to walk yet.", icon: .place) {
        primaryLink("Choose a track", to: .home)
      }
    }
  }
}
