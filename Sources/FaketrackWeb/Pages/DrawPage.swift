import FaketrackFeatures
import FaketrackSupport
import GPX
import Geodesy

/// Draw a walk: places in fields and on the map, and the track that leads along them.
enum DrawPage {
  /// - Parameter around: the position that the map shows first; `nil` for the world.
  static func html(
    _ walk: DrawnWalk, _ preview: Loading<DrawnWalk.Preview>, around: Coordinate?,
    tiles: TileTemplate?, in units: Units
  ) -> HTML {
    PageFrame(
      title: "Draw a walk", route: nil, layout: "split draw-page",
      styles: ["map/map.css", "draw/draw.css"], script: "draw/draw.mjs"
    ).html {
      tag(
        "div", .class("stage"),
        .attribute("data-around", around.map { "\($0.latitude),\($0.longitude)" })
      ) {
        MapFigure.html(
          of: "the walk", shape: preview.value?.shape, tiles: tiles, in: units)
      }
      tag("div", .class("side")) {
        tag(
          "form", .class("panel"), .local("action", DrawnWalk.path), .flag("data-draw")
        ) {
          tag("h1", text: "Draw a walk")
          tag("p", .class("muted")) {
            tag("span", .class("js-only"), text: "Click along the map, or type names of cities.")
            tag(
              "span", .class("no-js"),
              text: "Type names of cities, or positions such as 52.4,13.06.")
          }
          places(walk, preview.value?.places)
          means(walk.means)
          tag("button", .class("button no-js"), text: "Show")
          answer(preview, in: units)
          tag("div", .class("actions")) {
            action("Walk it", .post, DrawnWalk.path, class: "button primary")
            action("Save GPX", .get, DrawnWalk.File.gpx.address, class: "button")
          }
          tag(
            "p", .class("muted"),
            text: "The track is made: it may lead over water and through walls.")
        }
      }
    }
  }

  /// The city of a place in words; `nil` for a position far from any.
  static func name(of place: MadeTrack.Place) -> String? {
    place.city.map { place.isPosition ? "Near \($0.shortName)" : $0.shortName }
  }

  /// A field for each place and one more, at least two.
  private static func places(_ walk: DrawnWalk, _ known: [MadeTrack.Place]?) -> HTML {
    let texts = walk.places + [""]
    return tag("ol", .class("places"), .flag("data-places")) {
      for (number, text) in (texts.count < 2 ? ["", ""] : texts).enumerated() {
        let place = known.flatMap { number < $0.count ? $0[number] : nil }
        tag("li") {
          emptyTag(
            "input", .attribute("name", "place"), .attribute("value", text),
            .attribute("autocomplete", "off"), .attribute("spellcheck", "false"),
            .attribute("maxlength", "100"), .attribute("placeholder", "City or position"),
            .label("Place \(number + 1)"))
          tag(
            "button", .class("button square quiet js-only"), .attribute("type", "button"),
            .flag("data-remove"), .label("Remove place \(number + 1)")
          ) { Icon.close.html }
          tag("p", .class("muted"), text: place.flatMap(name) ?? "")
        }
      }
    }
  }

  private static func means(_ chosen: TrackMaker.Means) -> HTML {
    tag("label", .class("means")) {
      tag("span", text: "By")
      tag("select", .attribute("name", "by")) {
        for means in TrackMaker.Means.allCases {
          tag(
            "option", .attribute("value", means.rawValue), .flag("selected", means == chosen),
            text: means.rawValue)
        }
      }
    }
  }

  /// The facts of the walk, or why there is none.
  private static func answer(_ preview: Loading<DrawnWalk.Preview>, in units: Units) -> HTML {
    let failure = preview.failure.map {
      [$0.message, $0.hint].compactMap(\.self).map(ErrorCard.sentence).joined(separator: " ")
    }
    return tag(
      "p", .class(failure == nil ? "answer" : "answer wrong"), .attribute("role", "status"),
      text: failure ?? preview.value?.shape?.facts(in: units) ?? "")
  }

  private enum Method: String {
    case get, post
  }

  private static func action(
    _ title: String, _ method: Method, _ address: String, class name: StaticString
  ) -> HTML {
    tag(
      "button", .class("\(name)"), .attribute("formmethod", method.rawValue),
      .local("formaction", address), text: title)
  }
}
