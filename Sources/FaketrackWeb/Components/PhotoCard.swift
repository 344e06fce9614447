import Cities
import FaketrackFeatures
import Foundation
import PhotoSearch

/// A photo of the stream with its required credit.
enum PhotoCard {
  static func html(
    _ card: PhotoLog.Card, in units: Units = .metric, on clocks: Clocks = .local
  ) -> HTML {
    guard let photo = card.visit.photo else { return .none }
    let sample = SamplePhotos.path(of: photo.url)
    let name = sample == nil ? "card photo" : "card photo sample"
    return tag(
      "li", .class(name), .id("photo-\(card.number)"), .data("number", "\(card.number)")
    ) {
      tag("figure") {
        link(to: photo.page, .class("picture")) {
          emptyTag(
            "img", .src(sample ?? photo.url),
            .attribute("alt", photo.shownTitle),
            .attribute("width", "640"), .attribute("height", "480"),
            .attribute("decoding", "async"), .attribute("loading", "lazy"),
            .attribute("referrerpolicy", "no-referrer"))
        }
        tag("figcaption") {
          tag("p", .class("figures where")) { place(of: card.visit, in: units, on: clocks) }
          tag("h3", text: photo.shownTitle)
          tag("p", .class("muted")) { credit(for: photo) }
        }
      }
    }
  }

  /// The photos of a walk: the newest one large, earlier ones in a grid, and links to older ones.
  ///
  /// - Parameter last: the number of the newest photo to show; `nil` for the newest of the walk.
  @HTMLBuilder
  static func grid(_ state: TrackingState, upTo last: Int? = nil, in units: Units) -> HTML {
    let photos = state.photos
    let isNewest = (last ?? photos.count) >= photos.count
    let cards = isNewest ? photos.cards : state.cards(upTo: last ?? photos.count)
    tag("ol", .class("stream"), .flag("data-stream"), .flag("reversed")) {
      for card in cards.reversed() { html(card, in: units, on: state.clocks) }
    }
    tag("nav", .class("pages"), .label("More photos")) {
      let oldest = cards.first?.number ?? 1
      pageLink("Newest photos", "newest", upTo: nil, isShown: !isNewest)
      pageLink("Older photos", "older", upTo: oldest - 1, isShown: oldest > 1)
    }
  }

  private static func pageLink(
    _ text: String, _ name: String, upTo last: Int?, isShown: Bool
  ) -> HTML {
    tag(
      "a", .class("button"), .data("page", name),
      .local("href", "/tracking" + (last.map { "?photos=\($0)" } ?? "")),
      .flag("hidden", !isShown), text: text)
  }

  @HTMLBuilder
  static func skeletons(_ count: Int) -> HTML {
    for _ in 0..<count {
      tag("li", .class("card photo skeleton"), .hiddenFromReaders) {
        tag("div", .class("picture"))
        tag("p", .class("bar"))
        tag("p", .class("bar short"))
      }
    }
  }

  @HTMLBuilder
  private static func credit(for photo: Photo) -> HTML {
    link(to: photo.page) { photo.owner.isEmpty ? "unknown author" : photo.owner }
    if let license = photo.license {
      " · "
      link(to: license.url) { license.name }
    }
  }

  @HTMLBuilder
  private static func place(of visit: Visit, in units: Units, on clocks: Clocks) -> HTML {
    Quantity.distance(visit.fix.distance ?? 0, in: units)
    if let near = visit.city {
      " · "
      tag("a", .href(Route.city(id: near.city.id)), text: near.city.name)
    }
    if let time = visit.fix.time.flatMap({
      clocks.time($0, near: visit.city?.city, orFar: visit.farCity)
    }) {
      " · "
      time.text
    }
  }

  /// A link, or only its content if there is no address.
  private static func link(
    to url: URL?, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
  ) -> HTML {
    guard let url = SamplePhotos.path(of: url) ?? url else {
      return HTML(element: "span", attributes, content: content())
    }
    return outsideLink(url, attributes, content: content)
  }
}
