import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
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
  /// What was wrong with a file that was sent, until Home has shown it.
  var uploadFailure: Failure?
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
    content = ContentPolicy(imageHosts: imageHosts, tiles: tiles ?? .openStreetMap)
  }

  /// The walk, which all browsers watch.
  var tracking: TrackingViewModel { dependencies.tracking }

  /// The most bytes that the body of a request may have; none if it is refused anyway.
  nonisolated func bodyLimit(of request: WebRequest) -> Int {
    guard request.method == "POST", access.admits(host: request.headers["Host"]),
      access.isFromOwnPage(request.headers)
    else { return 0 }
    return request.pathNames == ["tracks"] ? TrackUpload.limit : FormFields.limit
  }

  /// The answer to any request.
  func answer(_ request: WebRequest) async -> WebResponse {
    var response: WebResponse
    if !access.admits(host: request.headers["Host"]) {
      response = .text("This server does not answer to that name.", status: .misdirected)
    } else {
      switch request.method {
      case "GET" where access.isFromElsewhere(request.headers),
        "HEAD" where access.isFromElsewhere(request.headers):
        response = .text("Only pages of this server may load that.", status: .forbidden)
      case "GET": response = await show(request)
      case "HEAD": response = await show(request)
      case "POST" where !access.isFromOwnPage(request.headers):
        response = .text(
          "Only pages of this server may do that: the Origin header names another.",
          status: .forbidden)
      case "POST": response = await act(on: request)
      default:
        response = .text("Use GET or POST.", status: .methodNotAllowed)
        response.headers["Allow"] = "GET, HEAD, POST"
      }
    }
    secure(&response)
    response = await Self.compressed(response, for: request)
    return request.method == "HEAD" ? Self.withoutBody(response) : response
  }

  /// The answer as few bytes, if the browser can read them and it is worth the work.
  private nonisolated static func compressed(
    _ response: WebResponse, for request: WebRequest
  ) async -> WebResponse {
    guard case .bytes(let bytes) = response.body, bytes.count >= 1_024,
      let type = response.headers["Content-Type"],
      type.hasPrefix("text/") || type.hasPrefix("application/") || type == "image/svg+xml"
    else { return response }
    var response = response
    response.headers["Vary"] = "Accept-Encoding"
    guard request.acceptsGzip else { return response }
    response.headers["Content-Encoding"] = "gzip"
    let smaller = Gzip.compressed(bytes)
    response.body = .bytes(smaller)
    return response
  }

  var notFound: WebResponse {
    .html(
      RefusalPage.html(title: "Nothing here", message: "There is no page at this address."),
      status: .notFound)
  }

  /// Adds the headers that keep other pages, and others on this machine, from doing harm.
  private func secure(_ response: inout WebResponse) {
    func set(_ name: String, _ value: String) {
      if response.headers[name] == nil { response.headers[name] = value }
    }
    let isImage = response.headers["Content-Type"]?.hasPrefix("image/") == true
    set("Content-Security-Policy", isImage ? ContentPolicy.images : content.pages)
    set("X-Content-Type-Options", "nosniff")
    // Tells this server which page a form or link was on, and other servers nothing; those of tiles
    // want to know the origin, and the map's script tells them that.
    set("Referrer-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
    set("Cache-Control", "no-store")
  }

  private static func withoutBody(_ response: WebResponse) -> WebResponse {
    var response = response
    if case .bytes(let bytes) = response.body {
      response.headers["Content-Length"] = "\(bytes.count)"
    }
    response.body = .bytes([])
    return response
  }
}
