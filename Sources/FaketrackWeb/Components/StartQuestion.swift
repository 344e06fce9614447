import FaketrackFeatures
import FaketrackServer

/// The question before a walk begins, if it would send positions to a photo service for the first time
/// or discard another walk.
struct StartQuestion {
  /// The name of the action under `/tracking`: `start`, or `resume` for a walk that begins elsewhere.
  let action: String
  /// The track to start; `nil` for the chosen one.
  private let track: TrackCatalog.Entry?
  /// The photo service that the browser has not been asked about.
  private let service: String?
  /// The walk that would be discarded.
  private let lost: TrackingState?

  /// - Parameter item: returns a field of the form, or an item of the query of Home.
  /// - Returns: `nil` if there is nothing to ask.
  @MainActor
  init?(
    _ action: String, in item: (String) -> String?, from request: WebRequest,
    _ dependencies: Dependencies
  ) {
    let walk = dependencies.tracking.state
    track = dependencies.tracking.catalog.entry(item("track").flatMap { Int($0) })
    guard ["start", "resume"].contains(action), track != nil || walk.entry != nil else {
      return nil
    }
    let begins = action == "start" || walk.phase == .idle
    self.action = action
    service = begins ? dependencies.photos.service : nil
    lost = action == "start" && walk.isUnfinished ? walk : nil
    let isKnown = service == nil || request.cookie(Self.cookieName) == service?.percentEncoded
    if isKnown, lost == nil { return nil }
  }

  /// The address of the question on Home, for browsers without scripts.
  var address: String {
    let address = Route.home.address.withQueryItem("ask=\(action)")
    return track.map { address.withQueryItem("track=\($0.id)") } ?? address
  }

  private static let cookieName = "faketrack-photos"

  /// The cookie by which a browser remembers for a year that it may use the photo service.
  var cookie: String? {
    service.map {
      "\(Self.cookieName)=\($0.percentEncoded); Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
    }
  }

  func card(in units: Units) -> HTML {
    let title = track.map { "Start \($0.title)?" } ?? (lost == nil ? "Start?" : "Start again?")
    let loss = lost.map { walk in
      let photos = Quantity.count(walk.photos.count, "photo")
      return "This discards the unfinished walk of \(walk.entry?.title ?? "another track"): "
        + "\(Quantity.distance(walk.walkedDistance, in: units)) and \(photos)."
    }
    let search = service.map { "Photo search sends positions to \($0)." }
    let sentences = [loss, search].compactMap(\.self)
    return ErrorCard.html(
      title: title, Failure(message: sentences[0], hint: sentences.dropFirst().first),
      isQuestion: true
    ) {
      postForm(to: "/tracking/\(action)", .flag("data-quiet")) {
        hiddenField("confirmed", "1")
        if let track { hiddenField("track", "\(track.id)") }
        tag("button", .class("button primary"), text: lost == nil ? "Start" : "Discard and start")
      }
      tag(
        "a", .class("button"), .href(Route.tracking),
        text: lost == nil ? "Not now" : "Keep walking")
    }
  }
}
