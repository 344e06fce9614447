import Cities
import FaketrackFeatures
import Foundation
import PhotoSearch

/// A photo of the walk with its required credit: large at the position where it was found and in the
/// lightbox, small in the stream.
enum PhotoCard {
  static func html(
    _ card: PhotoLog.Card, in units: Units = .preferred, on clocks: Clocks = .local
  ) -> HTML {
    guard let photo = card.visit.photo else { return .none }
    let name = SamplePhotos.path(of: photo.imageURL) == nil ? "card photo" : "card photo sample"
    return tag(
      "li", .class(name), .id("photo-\(card.number)"), .data("number", "\(card.number)")
    ) {
      figure(card.visit, photo, in: units, on: clocks)
    }
  }

  /// The photo nearest to the position; empty without one.
  static func current(_ state: TrackingState, in units: Units) -> HTML {
    guard let visit = state.currentCard?.visit, let photo = visit.photo else { return .none }
    return figure(visit, photo, in: units, on: state.clocks)
  }

  /// Small figures hide the parts of the class `full`.
  private static func figure(
    _ visit: Visit, _ photo: Photo, in units: Units, on clocks: Clocks
  ) -> HTML {
    let page = page(of: photo)
    return tag("figure") {
      link(to: page, .class("picture")) {
        image(
          of: photo, named: photo.shownTitle, .attribute("width", "640"),
          .attribute("height", "480"))
      }
      tag("figcaption") {
        tag("p", .class("figures where")) {
          tag("span", .class("place full")) { place(of: visit) }
          tag("span") {
            Quantity.distance(visit.fix.distance ?? 0, in: units)
            tag("span", .class("full"), text: time(of: visit, on: clocks))
          }
        }
        if let title = photo.captionTitle { tag("h3", .class("full"), text: title) }
        tag("p", .class("muted credit")) {
          author(of: photo)
          if let license = photo.license {
            tag("span", .class("full")) {
              " · "
              link(to: license.url) { license.name }
            }
          }
        }
        tag("p", .class("muted facts")) {
          let facts = [
            photo.taken.map { "taken \($0.description.replacing("T", with: " "))" },
            photo.coordinate.map {
              let distance = $0.distance(to: visit.fix.coordinate)
              return "\(Quantity.distance(distance, in: units)) from the path"
            },
          ].compactMap(\.self)
          facts.joined(separator: " · ")
          if page != nil {
            facts.isEmpty ? "" : " · "
            link(to: page) { "View at source" }
          }
        }
      }
    }
  }

  /// The photos of a walk, the newest first, and links to older ones.
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
  private static func place(of visit: Visit) -> HTML {
    if let near = visit.shownCity?.close {
      tag("a", .href(Route.city(id: near.city.id)), text: near.city.name)
    }
  }

  /// The page of a photo, or one's own photo itself; `nil` without either.
  private static func page(of photo: Photo) -> URL? {
    photo.pageURL ?? OwnPhotoFiles.path(of: photo.imageURL)
  }

  private static func time(of visit: Visit, on clocks: Clocks) -> String {
    clocks.time(of: visit).map { " · \($0.text)" } ?? ""
  }

  /// The image of a photo, loaded once it is near the view.
  static func image(of photo: Photo, named name: String, _ size: Attribute...) -> HTML {
    // One's own photos are small on the page.
    let address = OwnPhotoFiles.smallPath(of: photo.imageURL) ?? SamplePhotos.shown(photo.imageURL)
    return HTML(
      element: "img",
      [.src(address), .attribute("alt", name)] + size + [
        .attribute("decoding", "async"), .attribute("loading", "lazy"),
        .attribute("referrerpolicy", "no-referrer"),
      ], content: nil)
  }

  /// The author, linked to the page of the photo.
  static func author(of photo: Photo) -> HTML {
    let unknown = photo.imageURL.isFileURL ? "your own photo" : "unknown author"
    return link(to: photo.pageURL) {
      photo.owner.isEmpty ? unknown : photo.owner
    }
  }

  /// A photo in full-screen size, which the scripts show.
  static var lightbox: HTML {
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

  /// A link, or only its content if there is no address.
  private static func link(
    to url: URL?, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
  ) -> HTML {
    guard let url else { return HTML(element: "span", attributes, content: content()) }
    return outsideLink(SamplePhotos.shown(url), attributes, content: content)
  }
}

/// The small images of photos on the map and the profile.
enum PhotoThumbnail {
  /// The address of a small image, empty if it must not be shown.
  ///
  /// Flickr's terms allow no more than 30 photos on a page: those with a card.
  static func address(of url: URL, isOnCard: Bool) -> String {
    if let own = OwnPhotoFiles.smallPath(of: url) ?? SamplePhotos.smallPath(of: url) {
      return own.absoluteString
    }
    guard url.isWebAddress else { return "" }
    let text = url.absoluteString
    switch url.host {
    case "live.staticflickr.com":
      return isOnCard ? text.replacing(/_[a-z](?=\.jpg$)/, with: "_s") : ""
    case "upload.wikimedia.org": return text.replacing(/\/\d+px-/, with: "/120px-")
    default: return text
    }
  }
}
