import FaketrackFeatures
import FlyingFox
import Foundation

/// Answers requests: the pages at their addresses, what they are made of, and what they send.
@MainActor
final class Website {
  /// Streams of events that may be open at once.
  static let streamLimit = 64

  let dependencies: Dependencies
  let tiles: TileTemplate?
  let loads: PageLoads
  /// Distinguishes the walks of this server from those of one that ran here before.
  let era = String(UInt32.random(in: .min ... .max), radix: 36)
  /// How long the first response of a page waits for other services.
  let patience: Duration
  private let access: AccessPolicy
  private let content: ContentPolicy

  /// - Parameters:
  ///   - imageHosts: the origins that photos come from.
  ///   - host: the address that the server listens on.
  init(
    _ dependencies: Dependencies, imageHosts: [String] = [], tiles: TileTemplate? = nil,
    listeningOn host: String, patience: Duration = .milliseconds(700)
  ) {
    self.dependencies = dependencies
    self.tiles = tiles
    self.patience = patience
    loads = PageLoads(dependencies)
    access = AccessPolicy(listeningOn: host)
    content = ContentPolicy(imageHosts: imageHosts, tiles: tiles)
  }

  /// The walk, which all browsers watch.
  var tracking: TrackingViewModel { dependencies.tracking }

  /// The answer to any request.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    var response: HTTPResponse
    if !access.admits(host: request.headers[.host]) {
      response = .text(
        "This server does not answer to that name.",
        status: HTTPStatusCode(421, phrase: "Misdirected Request"))
    } else {
      switch request.method {
      case .GET: response = await show(request)
      case .HEAD: response = Self.withoutBody(await show(request))
      case .POST where !access.isFromOwnPage(request.headers):
        response = .text(
          "Only pages of this server may do that: the Origin header names another.",
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

  var notFound: HTTPResponse {
    .html(
      RefusalPage.html(title: "Nothing here", message: "There is no page at this address."),
      status: .notFound)
  }

  /// Adds the headers that keep other pages, and others on this machine, from doing harm.
  private func secure(_ response: inout HTTPResponse) {
    func set(_ name: String, _ value: String) {
      let header = HTTPHeader(name)
      if response.headers[header] == nil { response.headers[header] = value }
    }
    let isImage = response.headers[.contentType]?.hasPrefix("image/") == true
    set("Content-Security-Policy", isImage ? ContentPolicy.images : content.pages)
    set("X-Content-Type-Options", "nosniff")
    // Tells this server which page a form or link was on, and other servers nothing.
    set("Referrer-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
    set("Cache-Control", "no-store")
    // FlyingFox writes head and body apart, and a connection that stays open would delay the body by
    // 40 ms.
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
