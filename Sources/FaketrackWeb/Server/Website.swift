import FaketrackFeatures
import FlyingFox
import Foundation
import Locations
import PhotoSearch

/// What the page is made of.
package struct WebsiteParts: Sendable {
  package var dependencies: Dependencies
  package var tracks: [WebTrack]
  /// Where photos come from, for what the browser may load and what the pages say.
  package var photos: PhotoSourceChoice?
  package var tiles: TileTemplate?
  /// The speed that walks begin with.
  package var speed: ReplaySpeed
  /// The permission that the simulated device begins with.
  package var permission: AuthorizationStatus
  package var makeWalk: WalkMaking

  package init(
    dependencies: Dependencies, tracks: [WebTrack], photos: PhotoSourceChoice?,
    tiles: TileTemplate? = nil, speed: ReplaySpeed, permission: AuthorizationStatus,
    makeWalk: @escaping WalkMaking
  ) {
    self.dependencies = dependencies
    self.tracks = tracks
    self.photos = photos
    self.tiles = tiles
    self.speed = speed
    self.permission = permission
    self.makeWalk = makeWalk
  }
}

/// Answers requests: the screens at their addresses, what they are made of, and what they send.
@MainActor
final class Website {
  /// Streams of events that may be open at once.
  static let streamLimit = 64
  /// How long a first answer waits for what comes from elsewhere.
  static let patience = Duration.milliseconds(700)

  let parts: WebsiteParts
  let access: AccessPolicy
  let content: ContentPolicy
  let library: TrackLibrary
  let session: WalkSession

  init(_ parts: WebsiteParts, listeningOn host: String) {
    self.parts = parts
    access = AccessPolicy(listeningOn: host)
    content = ContentPolicy(photos: parts.photos, tiles: parts.tiles)
    library = TrackLibrary(parts.tracks)
    session = WalkSession(library: library, speed: parts.speed, makeWalk: parts.makeWalk)
  }

  /// The answer to any request.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    var response: HTTPResponse
    if !access.admits(host: request.headers[.host]) {
      response = .text(
        "This is not the host you asked for.",
        status: HTTPStatusCode(421, phrase: "Misdirected Request"))
    } else {
      switch request.method {
      case .GET: response = await show(request)
      case .HEAD: response = Self.withoutBody(await show(request))
      case .POST where !access.isFromOwnPage(request.headers):
        response = .text(
          "Only the page itself may do that: the Origin header does not name this server.",
          status: .forbidden)
      case .POST: response = await act(on: request)
      default:
        response = .text("Use GET or POST.", status: .methodNotAllowed)
        response.headers[HTTPHeader("Allow")] = "GET, HEAD, POST"
      }
    }
    secure(&response)
    return response
  }

  /// Adds what keeps the browser, and others on the same machine, from doing harm.
  private func secure(_ response: inout HTTPResponse) {
    func set(_ name: String, _ value: String) {
      let header = HTTPHeader(name)
      if response.headers[header] == nil { response.headers[header] = value }
    }
    let isImage = response.headers[.contentType]?.hasPrefix("image/") == true
    set("Content-Security-Policy", isImage ? ContentPolicy.images : content.pages)
    set("X-Content-Type-Options", "nosniff")
    // To itself the page says where a form was sent from; to others nothing.
    set("Referrer-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
    set("Cache-Control", "no-store")
    // The server writes head and body apart: a kept connection would wait 40 ms for each answer.
    set("Connection", "close")
  }

  private static func withoutBody(_ response: HTTPResponse) -> HTTPResponse {
    guard case .httpBody(let body) = response.payload else { return response }
    var response = response
    if let count = body.count { response.headers[.contentLength] = "\(count)" }
    response.payload = .httpBody(HTTPBodySequence())
    return response
  }
}
