import FaketrackFeatures
import Foundation
import Locations

/// Tracking: the map, the figures and controls of the walk, and the stream of photos.
package struct TrackingPage {
  private let units: Units
  private let tiles: TileTemplate?
  /// The picture of a walk that has not begun; `nil` to show its line instead.
  private let cover: Cover?
  /// The number of the newest photo to show; `nil` for the newest of the walk.
  private let lastPhoto: Int?

  /// A picture of the area, and what it is.
  package struct Cover: Sendable {
    let address: URL
    let credit: String
  }

  /// The content of the stage: a cover before the walk, the map and the photo at the position, or a poster of a
  /// walk that has arrived.
  private enum View: String {
    case cover, map, poster
  }

  package init(
    units: Units, tiles: TileTemplate? = nil, cover: Cover? = nil, lastPhoto: Int? = nil
  ) {
    self.units = units
    self.tiles = tiles
    self.cover = cover
    self.lastPhoto = lastPhoto
  }

  /// - Parameter generation: identifies the server.
  package func html(_ state: TrackingState, generation: String) -> HTML {
    guard let track = state.entry, let shape = state.shape else {
      return Self.empty(isReading: state.entry?.shape == .loading ? state.entry?.title : nil)
    }
    let update = TrackingUpdate(state, generation: generation, in: units)
    return PageFrame(
      title: "Tracking", route: .tracking, layout: "tracking",
      styles: ["map/map.css", "walk/walk.css", "photos/lightbox.css"], script: "walk/tracking.mjs",
      data: "/tracks/\(track.id)", name: track.title,
      refreshInterval: state.phase == .running ? 5 : nil
    ).html {
      tag("h1", .class("visually-hidden"), text: "Tracking \(track.title)")
      content(state, update, shape, name: track.title)
    }
  }

  /// The walk on a page: the stage, the profile under it, one bar of controls, and the photos below.
  @HTMLBuilder
  private func content(
    _ state: TrackingState, _ update: TrackingUpdate, _ shape: TrackShape, name: String
  ) -> HTML {
    let arrival = WalkCards.arrival(state, in: units)
    let hasArrived = arrival != .none && !update.looksBack
    let view: View = hasArrived ? .poster : update.phase == "idle" ? .cover : .map
    tag("div", .class("walk"), .data("phase", update.phase), .data("view", view.rawValue)) {
      tag("div", .class("stage")) {
        MapFigure.html(of: name, walk: state, tiles: tiles, in: units)
        now(state, update)
        start(state, shape)
        tag("div", .flag("data-arrival")) { arrival }
        tag("div", .class("walk-notice"), .flag("data-notice"), .attribute("aria-live", "polite")) {
          WalkCards.notice(WalkPresentation(state, in: units).notice)
        }
      }
      ProfileFigure.html(shape, legs: state.legs, at: state.distance, in: units)
      bar(state, update, shape, name: name)
      photos(update, PhotoCard.grid(state, upTo: lastPhoto, in: units))
    }
    PhotoCard.lightbox
  }

  // MARK: The stage

  /// The photo at the position as a print on the map, or why there is none.
  private func now(_ state: TrackingState, _ update: TrackingUpdate) -> HTML {
    let photo = PhotoCard.current(state, in: units)
    return tag("section", .class("now"), .label("At this position"), .flag("data-now")) {
      tag("h2", .class("visually-hidden"), text: "At this position")
      tag("div", .class("print"), .flag("data-shot"), .flag("hidden", photo == .none)) { photo }
      let reason = update.texts["withoutPhotos"] ?? ""
      tag(
        "p", .class("card without"), .data("text", "withoutPhotos"),
        .flag("hidden", photo != .none), text: reason)
    }
  }

  /// The cover of a walk that has not begun: a picture or the line, the name and the figures.
  private func start(_ state: TrackingState, _ shape: TrackShape) -> HTML {
    let name = cover == nil ? "cover plain" : "cover"
    return tag("section", .class(name), .label("Ready")) {
      if let cover {
        emptyTag(
          "img", .class("bleed"), .local("src", SamplePhotos.shown(cover.address).absoluteString),
          .attribute("alt", ""),
          .attribute("decoding", "async"), .attribute("fetchpriority", "high"))
      }
      MapFigure.route(of: shape)
      tag("div", .class("words")) {
        if let date = state.startDate { tag("p", .class("eyebrow"), text: date) }
        tag("h2") { PlaceTitle.html(state.entry?.title ?? "") }
        if !state.isLive {
          tag("dl", .class("figures facts")) {
            figure("Length", Quantity.distance(shape.length, in: units))
            figure("Time", Quantity.duration(shape.totals(of: [0...shape.length]).elapsed))
            if shape.elevations != nil {
              figure("Ascent", Quantity.height(shape.ascent, in: units))
            }
          }
        }
      }
      if let cover { tag("p", .class("credit"), text: cover.credit) }
    }
  }

  // MARK: The bar

  private func bar(
    _ state: TrackingState, _ update: TrackingUpdate, _ shape: TrackShape, name: String
  ) -> HTML {
    let walk = WalkPresentation(state, in: units)
    return tag("section", .class("panel"), .label("The walk")) {
      controls(walk, state.speed, shape)
      figures(WalkFigure.main, state, class: "figures line")
      tag(
        "p", .class("phase"), .data("text", "phase"), .attribute("role", "status"),
        text: update.texts["phase"] ?? "")
      speeds(walk, state.speed, shape)
      tag("div", .class("tools")) {
        tag("button", .class("button primary"), .flag("data-share"), .flag("hidden")) {
          Icon.share.html
          tag("span", text: "Share")
        }
        tag("button", .class("button"), .flag("data-save"), .flag("hidden")) {
          Icon.download.html
          tag("span", text: "Save image")
        }
        tag(
          "select", .flag("data-shape"), .flag("hidden"), .label("Shape of the image"),
          .attribute("autocomplete", "off")
        ) {
          for (shape, size) in [
            ("4:5", "1080x1350"), ("9:16", "1080x1920"), ("1.91:1", "1200x628"),
          ] {
            tag("option", .attribute("value", size), text: shape)
          }
        }
        WalkCards.files(update)
      }
      tag(
        "button", .class("button quiet square"), .flag("data-fullscreen"), .flag("hidden"),
        .label("Full screen")
      ) { Icon.fullScreen.html }
      tag(
        "button", .class("button quiet square more"), .attribute("popovertarget", "more"),
        .label("More")
      ) { Icon.more.html }
      tag("div", .class("card menu details"), .id("more"), .attribute("popover", "auto")) {
        tag("p", .class("track-name"), text: name)
        tag("div", .class("tools")) {
          for kind in [WalkPresentation.Control.Kind.start, .stop] { secondary(kind, walk) }
        }
        let more = WalkFigure.allCases.filter { !WalkFigure.main.contains($0) }
        figures(more, state, class: "figures")
        tag("div", .flag("data-splits")) { WalkCards.splits(state, in: units) }
        if let population = state.minimumPopulation { citiesChoice(population) }
        unitsChoice
      }
    }
  }

  /// Figures that are not known are hidden.
  private func figures(
    _ figures: [WalkFigure], _ state: TrackingState, class name: String
  ) -> HTML {
    tag("dl", .class(name)) {
      for figure in figures {
        let text = figure.text(state, in: units) ?? ""
        tag("div", .class("figure \(figure.rawValue)"), .flag("hidden", text.isEmpty)) {
          tag("dt", text: figure.title)
          tag("dd", .data("text", figure.rawValue), text: text)
        }
      }
    }
  }

  /// A button of the menu, for a control that is not the primary one.
  private func secondary(_ kind: WalkPresentation.Control.Kind, _ walk: WalkPresentation) -> HTML {
    postForm(
      to: "/tracking/\(kind.rawValue)", .data("secondary", kind.rawValue), .flag("data-quiet"),
      .flag("hidden", !walk.controls.dropFirst().contains { $0.kind == kind })
    ) {
      tag("button", .class("button")) {
        (kind == .start ? Icon.again : .stop).html
        tag("span", .data("text", kind.rawValue), text: walk.title(of: kind))
      }
    }
  }

  /// The primary button; the others are hidden.
  private func controls(
    _ walk: WalkPresentation, _ speed: ReplaySpeed, _ shape: TrackShape
  ) -> HTML {
    tag("div", .class("controls"), .attribute("role", "group"), .label("Controls")) {
      for kind in WalkPresentation.Control.Kind.allCases {
        postForm(
          to: "/tracking/\(kind.rawValue)", .data("action", kind.rawValue), .flag("data-quiet"),
          .flag("hidden", walk.controls[0].kind != kind)
        ) {
          tag("button", .class("button primary")) {
            switch kind {
            case .pause: Icon.pause.html
            case .resume: Icon.play.html
            case .start:
              Icon.again.html("again")
              Icon.play.html
            case .stop: Icon.stop.html
            }
            tag("span", .data("text", kind.rawValue), text: walk.title(of: kind))
          }
        }
      }
      for (step, text, icon) in [
        ("-1", "Previous photo on the way", Icon.left), ("1", "Next photo on the way", .right),
      ] {
        tag(
          "button", .class("button quiet square step"), .data("step", step), .label(text),
          .flag("hidden")
        ) { icon.html }
      }
    }
  }

  /// The length of the replay: of the whole walk, or as a multiple of the recorded pace.
  @HTMLBuilder
  private func speeds(
    _ walk: WalkPresentation, _ speed: ReplaySpeed, _ shape: TrackShape
  ) -> HTML {
    let lengths =
      ReplaySpeed.lengths(of: shape.totals(of: [0...shape.length]).elapsed) + [("Live", .realTime)]
    let multiples = ReplaySpeed.choices.filter { choice in
      !lengths.contains { $0.speed == choice }
    }
    let isKnown = (multiples + lengths.map(\.speed)).contains(speed)
    postForm(
      to: "/tracking/speed", class: "speed", .flag("data-quiet"),
      .flag("hidden", !walk.isSteerable)
    ) {
      tag("label", .attribute("for", "speed"), text: "Speed")
      tag("select", .id("speed"), .attribute("name", "speed"), .attribute("autocomplete", "off")) {
        for (length, choice) in lengths { option(length, choice, isChosen: choice == speed) }
        for choice in (isKnown ? [] : [speed]) + multiples {
          let text = choice == .max ? "max" : "×\(choice.name)"
          option(text, choice, isChosen: choice == speed)
        }
      }
      tag("noscript") { tag("button", .class("button"), text: "Set") }
    }
    segments(
      "Length of the replay", action: "/tracking/speed", .class("lengths"), .flag("data-quiet"),
      .flag("hidden", !walk.isSteerable)
    ) {
      for (length, choice) in lengths {
        segment(length, named: "speed", value: choice.name, isChosen: choice == speed)
      }
    }
  }

  private func option(_ text: String, _ speed: ReplaySpeed, isChosen: Bool) -> HTML {
    tag(
      "option", .attribute("value", speed.name), .flag("selected", isChosen), text: text)
  }

  // MARK: Photos

  private func photos(_ update: TrackingUpdate, _ grid: HTML) -> HTML {
    tag("section", .class("photos"), .attribute("aria-labelledby", "photos")) {
      tag("div", .class("updates"), .flag("data-updates"), .flag("hidden")) {
        tag("button", .class("button primary pill"))
      }
      tag(
        "p", .class("visually-hidden"), .data("text", "photoNews"),
        .attribute("aria-live", "polite"),
        text: update.texts["photoNews"] ?? "")
      tag("div", .class("photos-head")) {
        tag("h2", .id("photos"), text: "Photos")
        tag("span", .class("badge"), text: "Sample")
      }
      tag("div", .flag("data-photos")) { grid }
      tag("ol", .class("stream"), .flag("data-skeletons"), .flag("hidden", !update.isSearching)) {
        PhotoCard.skeletons(3)
      }
    }
  }

  private func citiesChoice(_ minimumPopulation: Int) -> HTML {
    segments("Cities nearby", action: "/tracking/cities") {
      if !CitySize.allCases.contains(where: { $0.minimumPopulation == minimumPopulation }) {
        segment(
          "\(Quantity.grouped(minimumPopulation)) people", named: "population",
          value: "\(minimumPopulation)", isChosen: true)
      }
      for size in CitySize.allCases {
        segment(
          size.title, named: "population", value: "\(size.minimumPopulation)",
          isChosen: size.minimumPopulation == minimumPopulation)
      }
    }
  }

  private var unitsChoice: HTML {
    segments("Units", action: "/units") {
      for choice in Units.allCases {
        segment(choice.name, named: "units", value: choice.rawValue, isChosen: choice == units)
      }
    }
  }

  private func segments(
    _ label: String, action: String, _ attributes: Attribute..., @HTMLBuilder buttons: () -> HTML
  ) -> HTML {
    let own: [Attribute] = [.attribute("method", "post"), .local("action", action)]
    return HTML(
      element: "form", own + attributes,
      content: tag(
        "div", .class("segments"), .attribute("role", "group"), .label(label), content: buttons))
  }

  private func segment(
    _ text: String, named name: String, value: String, isChosen: Bool
  ) -> HTML {
    tag(
      "button", .class("button"), .attribute("name", name), .attribute("value", value),
      .attribute("aria-pressed", isChosen ? "true" : "false"), text: text)
  }

  /// - Parameter track: the chosen track until its file has been read.
  private static func empty(isReading track: String?) -> HTML {
    PageFrame(title: "Tracking", route: .tracking).html {
      tag("h1", text: "Tracking")
      emptyState(
        track.map { "Reading \($0) …" } ?? "There is no track to walk yet.", icon: .place
      ) {
        primaryLink(track == nil ? "Choose a track" : "Choose another track", to: .home)
      }
    }
  }
}
