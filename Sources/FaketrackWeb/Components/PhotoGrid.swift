import FaketrackFeatures

/// The photos of a walk: the newest one large, earlier ones in a grid, and links to older ones.
enum PhotoGrid {
  /// - Parameter last: the number of the newest photo to show; `nil` for the newest of the walk.
  @HTMLBuilder
  static func html(_ state: TrackingState, upTo last: Int? = nil, in units: Units) -> HTML {
    let photos = state.photos
    let isNewest = (last ?? photos.count) >= photos.count
    let cards = isNewest ? photos.cards : state.cards(upTo: last ?? photos.count)
    tag("ol", .class("stream"), .flag("data-stream"), .flag("reversed")) {
      for card in cards.reversed() { PhotoCard.html(card, in: units, on: state.clocks) }
    }
    tag("nav", .class("pages"), .label("More photos")) {
      let oldest = cards.first?.number ?? 1
      link("Newest photos", "newest", upTo: nil, isShown: !isNewest)
      link("Older photos", "older", upTo: oldest - 1, isShown: oldest > 1)
    }
  }

  private static func link(_ text: String, _ name: String, upTo last: Int?, isShown: Bool) -> HTML {
    tag(
      "a", .class("button"), .data("page", name),
      .local("href", "/tracking" + (last.map { "?photos=\($0)" } ?? "")),
      .flag("hidden", !isShown), text: text)
  }
}
