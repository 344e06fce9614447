import FaketrackFeatures
import Locations

/// Tracking: the map, the figures and controls of the walk, and the stream of photos.
package struct TrackingPage {
  private let units: Units
  private let tiles: TileTemplate?
  /// The number of the newest photo to show; `nil` for the newest of the walk.
  private let lastPhoto: Int?
  private let links: PageLinks

  package init(units: Units, tiles: TileTemplate? = nil, lastPhoto: Int? = nil) {
    self.init(units: units, tiles: tiles, lastPhoto: lastPhoto, links: .server)
  }

  init(units: Units, tiles: TileTemplate? = nil, lastPhoto: Int? = nil, links: PageLinks) {
    self.units = units
    self.tiles = tiles
    self.lastPhoto = lastPhoto
    self.links = links
  }

  /// - Parameter generation: identifies the server.
  package func html(_ state: TrackingState, generation: String) -> HTML {
    guard let track = state.entry, let shape = state.shape else {
      return Self.empty(isReading: state.entry?.shape == .loading ? state.entry?.title : nil)
    }
    let update = TrackingUpdate(state, generation: generation, in: units)
    return PageFrame(
      title: "Tracking", route: .tracking, layout: "split tracking",
      script: "walk/tracking.mjs", data: "/tracks/\(track.id)",
      refreshInterval: state.phase == .running ? 5 : nil
    ).html {
      tag("h1", .class("visually-hidden"), text: "Tracking \(track.title)")
      content(state, update, shape, name: track.title) {
        PhotoCard.grid(state, upTo: lastPhoto, in: units)
      }
    }
  }

  /// The walk on a page.
  ///
  /// - Parameter grid: the photos and the links to more of them.
  @HTMLBuilder
  func content(
    _ state: TrackingState, _ update: TrackingUpdate, _ shape: TrackShape, name: String,
    @HTMLBuilder grid: () -> HTML
  ) -> HTML {
    tag("div", .class("stage")) {
      MapFigure.html(of: name, walk: state, tiles: tiles, in: units, links: links)
      ProfileFigure.html(shape, legs: state.legs, at: state.distance, in: units)
      now(state, update, shape)
    }
    tag("div", .class("side"), .data("phase", update.phase)) {
      panel(state, update, shape, name: name)
      tag("div", .class("updates"), .flag("data-updates"), .flag("hidden")) {
        tag("button", .class("button primary pill"))
      }
      tag("div", .flag("data-notice"), .attribute("aria-live", "polite")) {
        WalkCards.notice(WalkPresentation(state, in: units).notice)
      }
      photos(state, update, grid())
    }
    Self.lightbox
  }

  // MARK: The walk

  /// The photo at the position, or else the track, or the summary of a walk that has arrived.
  private func now(_ state: TrackingState, _ update: TrackingUpdate, _ shape: TrackShape) -> HTML {
    let arrival = WalkCards.arrival(state, in: units)
    let hasArrived = arrival != .none && !update.looksBack
    let photo = PhotoCard.current(state, in: units, links: links)
    return tag("section", .class("now"), .label("At this position"), .flag("data-now")) {
      tag("h2", .class("visually-hidden"), text: "At this position")
      tag(
        "p", .class("phase"), .data("text", "phase"), .attribute("role", "status"),
        text: update.texts["phase"] ?? "")
      tag("div", .flag("data-arrival"), .flag("hidden", !hasArrived)) { arrival }
      tag("div", .class("tools")) {
        tag("button", .class("button"), .flag("data-save"), .flag("hidden"), text: "Save image")
        if links.hasServer { WalkCards.files(update) }
      }
      tag("div", .flag("data-shot"), .flag("hidden", hasArrived || photo == .none)) { photo }
      tag(
        "div", .class("overview"), .flag("data-empty"),
        .flag("hidden", hasArrived || photo != .none)
      ) {
        tag("h3", text: state.entry?.title ?? "")
        if !state.isLive {
          tag("dl", .class("figures")) {
            figure("Length", Quantity.distance(shape.length, in: units))
            figure("Time", Quantity.duration(shape.totals(of: [0...shape.length]).elapsed))
            if shape.elevations != nil {
              figure("Ascent", Quantity.height(shape.ascent, in: units))
            }
          }
        }
        tag(
          "p", .class("muted"), .data("text", "withoutPhotos"),
          text: update.texts["withoutPhotos"] ?? "")
      }
    }
  }

  private func panel(
    _ state: TrackingState, _ update: TrackingUpdate, _ shape: TrackShape, name: String
  ) -> HTML {
    tag("section", .class("panel"), .label("The walk")) {
      controls(WalkPresentation(state, in: units), speed: state.speed, shape)
      figures(WalkFigure.main, state, class: "figures line")
      tag("details", .class("menu details")) {
        tag("summary", .class("button")) { tag("span", text: "More") }
        // Keys scroll it even while its controls are disabled.
        tag("div", .class("card"), .attribute("tabindex", "0")) {
          tag("p", .class("track-name"), text: name)
          let more = WalkFigure.allCases.filter { !WalkFigure.main.contains($0) }
          figures(more, state, class: "figures")
          tag("div", .flag("data-splits")) { WalkCards.splits(state, in: units) }
          if links.hasServer {
            if let population = state.minPopulation { citiesChoice(population) }
            unitsChoice
          }
        }
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

  /// The buttons; unavailable ones are hidden.
  private func controls(
    _ walk: WalkPresentation, speed: ReplaySpeed, _ shape: TrackShape
  ) -> HTML {
    let lengths = ReplaySpeed.lengths(of: shape.totals(of: [0...shape.length]).elapsed)
    let isKnown = (ReplaySpeed.choices + lengths.map(\.speed)).contains(speed)
    let choices = (isKnown ? [] : [speed]) + ReplaySpeed.choices
    return tag("div", .class("controls"), .attribute("role", "group"), .label("Controls")) {
      for kind in WalkPresentation.Control.Kind.allCases {
        postForm(
          to: "/tracking/\(kind.rawValue)", .data("action", kind.rawValue), .flag("data-quiet"),
          .flag("hidden", !walk.controls.contains { $0.kind == kind })
        ) {
          tag("button", .class(walk.controls[0].kind == kind ? "button primary" : "button")) {
            switch kind {
            case .pause: Icon.pause.html
            case .resume, .start: Icon.play.html
            case .stop: Icon.stop.html
            }
            tag("span", .data("text", kind.rawValue), text: walk.title(of: kind))
          }
        }
      }
      postForm(
        to: "/tracking/speed", class: "speed", .flag("data-quiet"),
        .flag("hidden", !walk.isSteerable)
      ) {
        tag("label", .attribute("for", "speed"), text: "Speed")
        tag(
          "select", .id("speed"), .attribute("name", "speed"), .attribute("autocomplete", "off")
        ) {
          for choice in choices {
            tag(
              "option", .attribute("value", choice.name), .flag("selected", choice == speed),
              text: choice == .max ? "max" : "×\(choice.name)")
          }
          if !lengths.isEmpty {
            tag("optgroup", .attribute("label", "Whole walk")) {
              for (length, choice) in lengths where !choices.contains(choice) {
                tag(
                  "option", .attribute("value", choice.name), .flag("selected", choice == speed),
                  text: "in \(length)")
              }
            }
          }
        }
        tag("noscript") { tag("button", .class("button"), text: "Set") }
      }
    }
  }

  // MARK: Photos

  @HTMLBuilder
  private func photos(
    _ state: TrackingState, _ update: TrackingUpdate, _ grid: HTML
  ) -> HTML {
    tag(
      "p", .class("visually-hidden"), .data("text", "photoNews"), .attribute("aria-live", "polite"),
      text: update.texts["photoNews"] ?? "")
    tag("div", .class("photos-head")) {
      tag("h2", text: "Photos")
      tag("span", .class("badge"), text: "Sample")
    }
    tag("div", .flag("data-photos")) { grid }
    tag(
      "ol", .class("stream"), .flag("data-skeletons"), .flag("hidden", !update.isSearching)
    ) {
      PhotoCard.skeletons(3)
    }
  }

  private func citiesChoice(_ minPopulation: Int) -> HTML {
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

  private var unitsChoice: HTML {
    segments("Units", action: "/units") {
      for choice in Units.allCases {
        segment(
          choice.name, named: "units", value: choice.rawValue, isChosen: choice == units)
      }
    }
  }

  private func segments(
    _ label: String, action: String, @HTMLBuilder _ buttons: () -> HTML
  ) -> HTML {
    postForm(to: action) {
      tag("div", .class("segments"), .attribute("role", "group"), .label(label), content: buttons)
    }
  }

  private func segment(
    _ text: String, named name: String, value: String, isChosen: Bool
  ) -> HTML {
    tag(
      "button", .class("button"), .attribute("name", name), .attribute("value", value),
      .attribute("aria-pressed", isChosen ? "true" : "false"), text: text)
  }

  private static var lightbox: HTML {
    tag("dialog", .class("lightbox"), .flag("data-lightbox"), .label("Photo")) {
      tag("div", .flag("data-photo"))
      tag("p", .class("counter figures"), .flag("data-counter"))
      tag("canvas", .class("locator"), .hiddenFromReaders)
      for (name, text, icon) in [
        ("previous", "Previous photo", Icon.left), ("next", "Next photo", .right),
        ("close", "Close", .close),
      ] {
        tag("button", .class("button square \(name)"), .data("photo-action", name), .label(text)) {
          icon.html
        }
      }
    }
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
