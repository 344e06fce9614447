import FaketrackFeatures
import Locations
import PhotoSearch

/// Home: the tracks, a place to drop another, the state of what a walk needs.
enum HomePage {
  struct Track {
    var id: Int
    var name: String
    /// Its shape, or what is wrong with it.
    var shape: Result<TrackShape, LoadingFailure>
    /// Whether it is being walked.
    var isWalked: Bool
  }

  struct State {
    var home: HomeViewModel.State
    var tracks: [Track]
    var photos: PhotoSourceChoice?
    /// The permission, as far as it is known.
    var permission: AuthorizationStatus?
    /// What was wrong with a file that was dropped.
    var failure: LoadingFailure?
  }

  static func html(_ state: State) -> HTML {
    PageFrame("faketrack", route: .home).html {
      tag("div", .class("hero")) {
        tag("h1", text: "Walk a track, see its photos")
        tag(
          "p", .class("lead"),
          text: "For every 100 metres, a photo taken there and the city you are near.")
      }
      if let failure = state.failure {
        ErrorCard.html(
          title: "That file cannot be walked", message: failure.message, hint: failure.hint
        ) {}
      }
      tag("div", .class("columns")) {
        tag("section", .attribute("aria-labelledby", "tracks")) {
          tag("h2", .id("tracks"), text: "Tracks")
          if state.tracks.isEmpty {
            tag("p", .class("muted"), text: "No track yet: drop a GPX file here to walk it.")
          } else {
            tag("ul", .class("tracks")) {
              for track in state.tracks { card(of: track) }
            }
          }
          dropZone
        }
        tag("section", .attribute("aria-labelledby", "needs")) {
          tag("h2", .id("needs"), text: "What it uses")
          facts(state)
        }
      }
    }
  }

  private static func card(of track: Track) -> HTML {
    tag("li", .class("card track")) {
      switch track.shape {
      case .success(let shape):
        MapPart.thumbnail(of: shape)
        tag("div", .class("grow")) {
          tag("h3", text: track.name)
          tag("p", .class("muted figures"), text: words(for: shape))
        }
        if track.isWalked {
          tag("a", .class("button primary"), .href(Route.tracking), text: "Watch")
        } else {
          tag(
            "form", .attribute("method", "post"), .local("action", "/tracking/start")
          ) {
            emptyTag(
              "input", .attribute("type", "hidden"), .attribute("name", "track"),
              .attribute("value", "\(track.id)"))
            tag("button", .class("button primary"), .label("Start \(track.name)")) {
              Icon.play.html
              "Start"
            }
          }
        }
      case .failure(let failure):
        tag("div", .class("grow")) {
          tag("h3", text: track.name)
          tag("p", .class("wrong"), text: ErrorCard.sentence(failure.message))
          if let hint = failure.hint { tag("p", .class("muted"), text: hint) }
        }
      }
    }
  }

  private static var dropZone: HTML {
    tag(
      "form", .class("drop"), .attribute("method", "post"), .local("action", "/tracks"),
      .attribute("enctype", "multipart/form-data"), .flag("data-drop")
    ) {
      Icon.upload.html
      tag("p") {
        tag("label", .attribute("for", "file"), text: "Choose a GPX file")
        tag("span", .class("only-live"), text: " or drop it here")
      }
      tag("p", .class("muted"), text: "It stays on this machine.")
      emptyTag(
        "input", .id("file"), .attribute("type", "file"), .attribute("name", "file"),
        .attribute("accept", ".gpx,application/gpx+xml,text/xml"), .flag("required"))
      tag("button", .class("button"), text: "Add")
    }
  }

  private static func facts(_ state: State) -> HTML {
    tag("dl", .class("card facts")) {
      fact(Icon.place, "Location") {
        words(for: state.permission)
        if state.permission.map({ !$0.isAuthorized }) ?? false {
          tag(
            "form", .attribute("method", "post"), .local("action", "/tracking/permission")
          ) {
            emptyTag(
              "input", .attribute("type", "hidden"), .attribute("name", "answer"),
              .attribute("value", "allow"))
            tag("button", .class("button small"), text: "Allow")
          }
        }
      }
      fact(Icon.camera, "Photos") { words(for: state.photos, hasKey: state.home.hasFlickrKey) }
      fact(Icon.search, "Cities") {
        tag(
          "a", .href(Route.cities(CityListQuery())),
          text: Quantity.count(state.home.cities, "city", plural: "cities"))
        tag("span", .class("muted"), text: state.home.hasImportedIndex ? "imported" : "built in")
      }
      fact(Icon.star, "Favorites") {
        switch state.home.favorites {
        case .loaded(let count):
          tag(
            "a", .href(Route.cities(CityListQuery(favoritesOnly: true))),
            text: Quantity.count(count, "city", plural: "cities"))
        case .failed(let failure): tag("span", .class("wrong"), text: failure.message)
        case .idle, .loading: "…"
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

  static func words(for shape: TrackShape) -> String {
    var words = [Quantity.distance(shape.length)]
    if let duration = shape.duration, duration > 0 { words.append(Quantity.duration(duration)) }
    if shape.ascent >= 1 { words.append("\(Quantity.fixed(shape.ascent, decimals: 0)) m up") }
    words.append(Quantity.count(shape.count, "point"))
    return words.joined(separator: " · ")
  }

  private static func words(for permission: AuthorizationStatus?) -> String {
    switch permission {
    case .authorizedAlways, .authorizedWhenInUse, nil: "Allowed"
    case .notDetermined: "Not asked yet"
    case .denied: "Denied"
    case .restricted: "Restricted"
    }
  }

  private static func words(for source: PhotoSourceChoice?, hasKey: Bool) -> String {
    switch source {
    case .flickr: "Flickr"
    case .commons: hasKey ? "Wikimedia Commons" : "Wikimedia Commons; Flickr needs a key"
    case .sample: "Drawn samples"
    case .auto, .some(.none), nil: "None"
    }
  }
}
