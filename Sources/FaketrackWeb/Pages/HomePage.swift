import FaketrackFeatures
import FaketrackSupport
import Locations
import PhotoSearch

/// Home: a shelf of tracks under the walk and the tile that adds tracks; settings at the end.
enum HomePage {
  static func html(
    _ state: HomeViewModel.State, walk: TrackingState, notice: HTML? = nil,
    in units: Units = .preferred
  ) -> HTML {
    PageFrame(
      title: "faketrack", route: .home, layout: "page home", styles: ["home/home.css"]
    ).html {
      tag("h1", text: "Walks")
      notice
      tag("div", .class("first")) {
        running(walk, in: units)
        tag("div", .class("add")) {
          dropTile
          drawTile
        }
      }
      tag("div", .data("part", "tracks"), .attribute("aria-live", "polite")) {
        tracks(state, walk: walk, in: units)
      }
      settings(state)
    }
  }

  static func notice(of uploadFailure: Failure) -> HTML {
    ErrorCard.html(title: "Can't use this file", uploadFailure) {
      tag(
        "a", .class("button primary"), .local("href", Route.home.address + "#file"),
        text: "Choose another file")
    }
  }

  // MARK: The walk

  /// The walk that is under way or has ended; empty before the first one.
  private static func running(_ walk: TrackingState, in units: Units) -> HTML {
    guard let track = walk.entry, let shape = track.shape.value, walk.isUnderWay || hasWalked(walk)
    else { return .none }
    let presentation = WalkPresentation(walk, in: units)
    let status = presentation.status == "Walking" ? "Walking now" : presentation.status
    let figures = [
      WalkFigure.position.text(walk, in: units), WalkFigure.near.text(walk).map { "near \($0)" },
    ]
    return tag("section", .class("card running"), .attribute("aria-labelledby", "walk")) {
      map(of: shape, walk)
      tag("div", .class("text")) {
        tag("p", .class("status"), .data("phase", presentation.stage.rawValue), text: status)
        tag("h2", .id("walk"), text: track.title)
        tag(
          "p", .class("muted figures"), text: figures.compactMap(\.self).joined(separator: " · "))
        if !walk.isLive, shape.length > 0 { meter(walk.distance / shape.length) }
        tag("div", .class("actions")) {
          tag("a", .class("button primary open"), .href(Route.tracking)) {
            walk.isUnderWay ? "Watch" : "Show"
          }
          if let control = presentation.controls.first, control.kind != .stop {
            postForm(to: "/tracking/\(control.kind.rawValue)") {
              tag("button", .class("button")) {
                control.kind == .pause ? Icon.pause.html : Icon.play.html
                control.title
              }
            }
          }
        }
      }
    }
  }

  private static func hasWalked(_ walk: TrackingState) -> Bool {
    walk.phase != .idle && walk.walkedDistance > 0
  }

  private static func meter(_ share: Double) -> HTML {
    tag(
      "svg", .class("meter"), .attribute("viewBox", "0 0 100 1"),
      .attribute("preserveAspectRatio", "none"), .hiddenFromReaders
    ) {
      let end = min(max(share, 0), 1) * 100
      tag("path", .attribute("d", "M0 0.5H\(end.rounded(places: 1))"))
    }
  }

  // MARK: The shelf

  /// The tracks; only the names of those that are still loading.
  @HTMLBuilder
  static func tracks(
    _ state: HomeViewModel.State, walk: TrackingState, in units: Units = .preferred
  ) -> HTML {
    if state.tracks.isEmpty {
      tag("p", .class("muted"), text: "No track yet: drop a GPX file here to walk it.")
    } else {
      let isLoading = state.tracks.contains { $0.shape == .loading }
      let length = state.tracks.reduce(0) { $0 + ($1.shape.value?.length ?? 0) }
      statusLine(
        Quantity.count(state.tracks.count, "walk")
          + (isLoading || length == 0 ? "" : " · \(Quantity.longDistance(length, in: units))"))
      tag("ul", .class("tracks")) {
        for track in state.newestFirst { card(of: track, state, walk, in: units) }
      }
      if isLoading { LoadingPlaceholder.link(address: Route.home.address) }
    }
  }

  private static func card(
    of track: TrackCatalog.Entry, _ state: HomeViewModel.State, _ walk: TrackingState,
    in units: Units
  ) -> HTML {
    let isLoading = track.shape == .loading
    let isOfWalk = track.id == walk.track && walk.phase != .idle
    let photos = isOfWalk ? walk.photos.count : 0
    let shape = track.shape.value.flatMap { $0.count > 0 ? $0 : nil }
    return tag(
      "li", .class("card track"), .flag("data-waiting", isLoading),
      .attribute("aria-busy", isLoading ? "true" : nil)
    ) {
      tag("div", .class("picture")) {
        if isOfWalk, let photo = walk.photos.cards.last?.visit.photo {
          PhotoCard.image(of: photo, named: "")
          tag("p", .class("credit")) {
            PhotoCard.author(of: photo)
            if let license = photo.license { " (\(license.name))" }
          }
        } else if let shape {
          profile(of: shape)
        }
        if state.added.contains(track.id), !isOfWalk {
          tag("span", .class("new"), text: "New")
        }
      }
      tag("div", .class("text")) {
        tag("div") {
          tag("h2", text: track.title)
          switch track.shape {
          case .loaded(let shape):
            let facts = [
              track.isLive ? "Live receiver" : nil, shape.count > 0 ? shape.facts(in: units) : nil,
            ]
            let more = [
              photos > 0 ? Quantity.count(photos, "photo") : nil, state.days[track.id],
              track.title == track.name ? nil : track.name,
            ]
            for line in [facts, more] {
              tag(
                "p", .class("muted figures"), text: line.compactMap(\.self).joined(separator: " · ")
              )
            }
            if let damage = shape.damage {
              tag(
                "p", .class("wrong"),
                text: ErrorCard.sentence(damage.message) + " It can be walked as far as it goes.")
            }
          case .failed(let failure, _):
            tag("p", .class("wrong"), text: ErrorCard.sentence(failure.message))
            if let hint = failure.hint { tag("p", .class("muted"), text: hint) }
          case .idle, .loading:
            tag("p", .class("bar short"), .hiddenFromReaders)
            tag("p", .class("visually-hidden"), text: "Reading …")
          }
        }
        if let shape { signature(of: shape) }
      }
      actions(on: track, isWalked: track.id == state.walkedTrack)
    }
  }

  /// The link or button that covers the card, and the button that removes it.
  @HTMLBuilder
  private static func actions(on track: TrackCatalog.Entry, isWalked: Bool) -> HTML {
    if isWalked {
      tag("a", .class("open"), .href(Route.tracking), .label("Watch \(track.title)")) {
        Icon.play.html
      }
    } else {
      if track.shape.failure == nil {
        postForm(to: "/tracking/start") {
          hiddenField("track", "\(track.id)")
          tag("button", .class("open"), .label("Start \(track.title)")) { Icon.play.html }
        }
      }
      postForm(to: "/tracks/\(track.id)/remove") {
        tag("button", .class("button square remove"), .label("Remove \(track.title)")) {
          Icon.close.html
        }
      }
    }
  }

  // MARK: Drawings

  /// The track with its walked parts and the walker.
  private static func map(of shape: TrackShape, _ walk: TrackingState) -> HTML {
    let line = PlaneLine(shape, points: 400)
    return drawing("map", line) {
      path("line", line.path { _ in true })
      path("walked", line.path { point in walk.legs.contains { $0.contains(point.distance) } })
      dot("start", line.dot(atDistance: 0))
      if walk.position != nil { dot("walker", line.dot(atDistance: walk.distance)) }
    }
  }

  /// The track in five colors by elevation, or in one on level ground.
  private static func profile(of shape: TrackShape) -> HTML {
    let line = PlaneLine(shape, points: 200)
    let heights = shape.elevations ?? 0...0
    let span = heights.upperBound - heights.lowerBound
    func level(_ point: TrackShape.Point) -> Int {
      guard span >= 5, let elevation = point.elevation else { return 4 }
      return min(Int((elevation - heights.lowerBound) / span * 5), 4)
    }
    return drawing("thumbnail", line) {
      for color in 0..<5 {
        var last = -1
        path(
          "line level-\(color)",
          line.path { point in
            defer { last = level(point) }
            // A color continues to the first point of the next one.
            return level(point) == color || last == color && !point.isBreak
          })
      }
    }
  }

  /// The shape of the track, small, with a ring at its start and a dot at its end.
  private static func signature(of shape: TrackShape) -> HTML {
    let line = PlaneLine(shape, points: 60)
    return drawing("signature", line) {
      path("line", line.path { _ in true })
      dot("start", line.dot(atDistance: 0))
      dot("walker", line.dot(atDistance: shape.length))
    }
  }

  private static func drawing(
    _ name: String, _ line: PlaneLine, @HTMLBuilder content: () -> HTML
  ) -> HTML {
    tag(
      "svg", .class(name), .attribute("viewBox", line.viewBox), .hiddenFromReaders,
      content: content)
  }

  private static func path(_ name: String, _ data: String) -> HTML {
    data.isEmpty ? .none : tag("path", .class(name), .attribute("d", data))
  }

  /// A dot on the edge of another color.
  @HTMLBuilder
  private static func dot(_ name: String, _ data: Attribute?) -> HTML {
    if let data {
      tag("path", .class("\(name) edge"), data)
      tag("path", .class(name), data)
    }
  }

  // MARK: Adding tracks

  private static var dropTile: HTML {
    postForm(
      to: "/tracks", class: "drop", .attribute("enctype", "multipart/form-data"),
      .flag("data-drop")
    ) {
      Icon.upload.html
      tag("div") {
        tag("label", .attribute("for", "file")) {
          tag("span", .class("js-only"), text: "Drop or choose tracks")
          tag("span", .class("no-js"), text: "Add tracks")
        }
        tag("p", .class("muted")) {
          "GPX files, many at once"
          tag("span", .class("js-only"), text: ", or whole folders")
          ". They stay on this machine."
        }
      }
      emptyTag(
        "input", .id("file"), .attribute("type", "file"), .attribute("name", "file"),
        .attribute("accept", ".gpx,.gz,application/gpx+xml,application/gzip,text/xml"),
        .flag("multiple"), .flag("required"))
      tag("button", .class("button"), text: "Add")
    }
  }

  private static var drawTile: HTML {
    tag("a", .class("tile"), .local("href", DrawnWalk.path)) {
      Icon.draw.html
      tag("div") {
        tag("p", .class("name"), text: "Draw a walk")
        tag("p", .class("muted"), text: "Along points on the map, or from city to city.")
      }
    }
  }

  // MARK: Settings

  /// The sources and the simulated device; open while its permission keeps a walk from starting.
  private static func settings(_ state: HomeViewModel.State) -> HTML {
    let permission = state.permission
    let isAllowed = permission.isAuthorized
    return tag(
      "details", .class("card settings"),
      .flag("open", [.denied, .restricted].contains(permission))
    ) {
      tag("summary", text: "Settings")
      tag("dl", .class("facts")) {
        fact(Icon.place, "Simulated location") {
          permission.words
          postForm(to: "/tracking/permission") {
            hiddenField("answer", isAllowed ? "deny" : "allow")
            tag("button", .class("button small"), text: isAllowed ? "Deny" : "Allow")
          }
        }
        fact(Icon.camera, "Photos") { state.photos.words }
        fact(Icon.search, "Cities") {
          tag(
            "a", .href(Route.cities(CityListQuery())),
            text: Quantity.count(state.cities, "city", plural: "cities"))
          tag("span", .class("muted"), text: state.hasImportedIndex ? "imported" : "built in")
        }
        fact(Icon.star, "Favorites") {
          switch state.favorites {
          case .loaded(let count):
            tag(
              "a", .href(Route.cities(CityListQuery(favoritesOnly: true))),
              text: Quantity.count(count, "city", plural: "cities"))
          case .failed(let failure, _): tag("span", .class("wrong"), text: failure.message)
          case .idle, .loading: "…"
          }
        }
      }
    }
  }

  private static func fact(
    _ icon: Icon, _ name: String, @HTMLBuilder value: () -> HTML
  ) -> HTML {
    tag("div") {
      tag("dt") {
        icon.html
        name
      }
      tag("dd", content: value)
    }
  }
}
