import FaketrackFeatures
import FaketrackSupport
import Locations
import PhotoSearch

/// Home: the tracks, a drop zone for another, and the status of permission, photos and cities.
enum HomePage {
  /// The number of photos on the card of the walked track.
  private static let photoCount = 4

  static func html(
    _ state: HomeViewModel.State, walk: TrackingState, notice: HTML? = nil,
    in units: Units = .preferred
  ) -> HTML {
    PageFrame(title: "faketrack", route: .home).html {
      tag("div", .class("hero")) {
        tag("h1", text: "Walk a track, see its photos")
        tag(
          "p", .class("lead"),
          text: "For every 100 meters, a photo taken there and the city you are near.")
      }
      notice
      tag("div", .class("columns")) {
        tag("section", .attribute("aria-labelledby", "tracks")) {
          tag("h2", .id("tracks"), text: "Tracks")
          tag("div", .data("part", "tracks"), .attribute("aria-live", "polite")) {
            tracks(state, walk: walk, in: units)
          }
          dropZone
        }
        tag("section", .attribute("aria-labelledby", "status")) {
          tag("h2", .id("status"), text: "Status")
          facts(state)
          simulation(state.permission)
        }
      }
    }
  }

  static func notice(of uploadFailure: Failure) -> HTML {
    ErrorCard.html(title: "Can't use this file", uploadFailure) {
      tag(
        "a", .class("button primary"), .local("href", Route.home.address + "#file"),
        text: "Choose another file")
    }
  }

  /// The tracks; only the names of those that are still loading.
  @HTMLBuilder
  static func tracks(
    _ state: HomeViewModel.State, walk: TrackingState, in units: Units = .preferred
  ) -> HTML {
    if state.tracks.isEmpty {
      tag("p", .class("muted"), text: "No track yet: drop a GPX file here to walk it.")
    } else {
      tag("ul", .class("tracks")) {
        for track in state.tracks {
          card(
            of: track, isWalked: track.id == state.walkedTrack,
            photos: track.id == walk.track ? walk.photos.cards.suffix(photoCount) : [], in: units)
        }
      }
      if state.tracks.contains(where: { $0.shape == .loading }) {
        LoadingPlaceholder.link(address: Route.home.address)
      }
    }
  }

  private static func card(
    of track: TrackCatalog.Entry, isWalked: Bool, photos: ArraySlice<PhotoLog.Card>,
    in units: Units
  ) -> HTML {
    let isLoading = track.shape == .loading
    return tag(
      "li", .class("card track"), .flag("data-waiting", isLoading),
      .attribute("aria-busy", isLoading ? "true" : nil)
    ) {
      if let shape = track.shape.value, shape.count > 0 {
        tag("div", .class("preview"), .hiddenFromReaders) {
          MapFigure.thumbnail(of: shape)
          for card in photos.reversed() {
            if let photo = card.visit.photo { PhotoCard.image(of: photo, named: "") }
          }
        }
      }
      tag("div", .class("grow")) {
        tag("h3", text: track.title)
        switch track.shape {
        case .loaded(let shape):
          let file = track.title == track.name ? "" : "\(track.name) · "
          tag("p", .class("muted figures"), text: file + (track.summary(in: units) ?? ""))
          if let damage = shape.damage {
            tag(
              "p", .class("wrong"),
              text: ErrorCard.sentence(damage.message) + " It can be walked as far as it goes.")
          }
          credits(photos.reversed().compactMap(\.visit.photo))
        case .failed(let failure, _):
          tag("p", .class("wrong"), text: ErrorCard.sentence(failure.message))
          if let hint = failure.hint { tag("p", .class("muted"), text: hint) }
        case .idle, .loading:
          tag("p", .class("bar short"), .hiddenFromReaders)
          tag("p", .class("visually-hidden"), text: "Reading …")
        }
      }
      if isWalked {
        primaryLink("Watch", to: .tracking)
      } else {
        if track.shape.failure == nil {
          postForm(to: "/tracking/start") {
            hiddenField("track", "\(track.id)")
            tag("button", .class("button primary"), .label("Start \(track.title)")) {
              Icon.play.html
              "Start"
            }
          }
        }
        postForm(to: "/tracks/\(track.id)/remove", class: "remove") {
          tag("button", .class("button square quiet"), .label("Remove \(track.title)")) {
            Icon.close.html
          }
        }
      }
    }
  }

  /// The authors of the photos of a card, which their licenses require, each once.
  private static func credits(_ photos: [Photo]) -> HTML {
    guard !photos.isEmpty else { return .none }
    var named: Set<[String?]> = []
    let works = photos.filter { named.insert([$0.owner, $0.license?.name]).inserted }
    return tag("p", .class("muted")) {
      for (number, photo) in works.enumerated() {
        number == 0 ? "Photos: " : ", "
        PhotoCard.author(of: photo)
        if let license = photo.license { " (\(license.name))" }
      }
    }
  }

  private static var dropZone: HTML {
    postForm(
      to: "/tracks", class: "drop", .attribute("enctype", "multipart/form-data"),
      .flag("data-drop")
    ) {
      Icon.upload.html
      tag("p") {
        tag("label", .attribute("for", "file"), text: "Choose a GPX file")
        tag("span", .class("js-only"), text: " or drop it here")
      }
      tag("p", .class("muted"), text: "Plain or gzipped; it stays on this machine.")
      emptyTag(
        "input", .id("file"), .attribute("type", "file"), .attribute("name", "file"),
        .attribute("accept", ".gpx,.gz,application/gpx+xml,application/gzip,text/xml"),
        .flag("required"))
      tag("button", .class("button"), text: "Add")
    }
  }

  private static func facts(_ state: HomeViewModel.State) -> HTML {
    tag("dl", .class("card facts")) {
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

  /// The settings of the simulated device; open while they keep a walk from starting.
  private static func simulation(_ permission: AuthorizationStatus) -> HTML {
    let isAllowed = permission.isAuthorized
    return tag(
      "details", .class("card simulation"),
      .flag("open", [.denied, .restricted].contains(permission))
    ) {
      tag("summary", text: "Simulation")
      tag("dl", .class("facts")) {
        fact(Icon.place, "Location") {
          permission.words
          postForm(to: "/tracking/permission") {
            hiddenField("answer", isAllowed ? "deny" : "allow")
            tag("button", .class("button small"), text: isAllowed ? "Deny" : "Allow")
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
