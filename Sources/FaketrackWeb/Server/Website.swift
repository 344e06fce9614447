import FaketrackCompression
import FaketrackFeatures
import FaketrackServer
import Foundation

/// Answers requests for pages, resources and data, and the actions of the pages.
@MainActor
final class Website {
  let dependencies: Dependencies
  let own: OwnPhotoFiles?
  let tiles: TileTemplate?
  let loads: PageLoads
  /// Identifies this server: browsers may have seen walks of an earlier one.
  let generation = String(UInt32.random(in: .min ... .max), radix: 36)
  /// The time that the first response of a page waits for other services.
  let loadTimeout: Duration
  /// The latest failures of uploads, until Home has shown them.
  var uploadFailures: [(token: String, failure: Failure)] = []
  private let access: AccessPolicy
  private let contentPolicy: String

  init(
    _ dependencies: Dependencies, own: OwnPhotoFiles? = nil, imageHosts: [String] = [],
    tiles: TileTemplate? = nil,
    listeningOn host: String, loadTimeout: Duration = .milliseconds(700)
  ) {
    self.dependencies = dependencies
    self.own = own
    self.tiles = tiles
    self.loadTimeout = loadTimeout
    loads = PageLoads(dependencies)
    access = AccessPolicy(listeningOn: host)
    let tileOrigin = (tiles ?? .openStreetMap).origin
    contentPolicy = ContentPolicy.pages(imagesFrom: imageHosts + [tileOrigin].compactMap(\.self))
  }

  var tracking: TrackingViewModel { dependencies.tracking }

  /// Maximum number of bytes in the body of a request; 0 if the request is refused anyway.
  nonisolated func bodyLimit(of request: WebRequest) -> Int {
    guard request.method == "POST", access.admits(host: request.headers["Host"]),
      access.isFromOwnPage(request.headers)
    else { return 0 }
    return request.pathNames == ["tracks"] ? TrackUpload.limit : FormFields.limit
  }

  func answer(_ request: WebRequest) async -> WebResponse {
    var response: WebResponse
    if !access.admits(host: request.headers["Host"]) {
      response = .text("This server does not answer to that name.", status: .misdirectedRequest)
    } else {
      switch request.method {
      case "GET", "HEAD":
        response =
          access.isFromElsewhere(request.headers)
          ? .text("Only pages of this server may load that.", status: .forbidden)
          : await show(request)
      case "POST" where !access.isFromOwnPage(request.headers):
        response = .text(
          "Only pages of this server may do that. A program sends its address as the Origin header.",
          status: .forbidden)
      case "POST": response = await act(on: request)
      default:
        response = .text("Use GET or POST.", status: .methodNotAllowed)
        response.headers["Allow"] = "GET, HEAD, POST"
      }
    }
    if request.wantsJSON, response.status.code >= 400 { response = response.asJSON }
    secure(&response)
    response = await Self.compressed(response, for: request)
    if request.method == "HEAD" {
      if case .bytes(let bytes) = response.body {
        response.headers["Content-Length"] = "\(bytes.count)"
      }
      response.body = .bytes([])
    }
    return response
  }

  /// Compresses text of 1 KB or more for browsers that accept it.
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
    response.body = .bytes(Gzip.compressed(bytes))
    return response
  }

  var notFound: WebResponse {
    .html(
      PageFrame(title: "Nothing here", route: nil).html {
        emptyState("There is no page at this address.", title: "Nothing here") {
          primaryLink("Home", to: .home)
        }
      }, status: .notFound)
  }

  private func secure(_ response: inout WebResponse) {
    func set(_ name: String, _ value: String) {
      if response.headers[name] == nil { response.headers[name] = value }
    }
    let isImage = response.headers["Content-Type"]?.hasPrefix("image/") == true
    set("Content-Security-Policy", isImage ? ContentPolicy.images : contentPolicy)
    set("X-Content-Type-Options", "nosniff")
    // Only this server learns the page of a form or link. Tile servers require the origin, which the
    // script of the map sends.
    set("Referrer-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
    set("Cache-Control", "no-store")
  }
}
