import FaketrackFeatures
import FlyingFox
import Foundation
import Locations
import WorldCities

@testable import FaketrackWeb

/// The ids of cities in the built-in index.
enum Places {
  static let potsdam = 2_852_458
  static let berlin = 2_950_159
  /// No city.
  static let nowhere = 1
}

extension Website {
  /// A website over doubles, whose first answers wait as long as it takes unless said otherwise.
  static func make(
    _ walks: TestWalks = TestWalks(), tracks: [TrackFile] = [Walks.track()],
    favorites: StubFavorites = StubFavorites(), summaries: StubSummaries = StubSummaries(),
    feed: StubFeed? = nil, photos: PhotoSourceSummary = PhotoSourceSummary(),
    permission: AuthorizationStatus = .authorizedWhenInUse, speed: ReplaySpeed = .max,
    imageHosts: [String] = [], tiles: TileTemplate? = nil, patience: Duration = .seconds(600)
  ) -> Website {
    Website(
      .make(
        walks, tracks: tracks, favorites: favorites, summaries: summaries, feed: feed,
        photos: photos, permission: permission, speed: speed),
      imageHosts: imageHosts, tiles: tiles, listeningOn: "127.0.0.1", patience: patience)
  }

  /// The server that requests are sent to.
  static let host = "127.0.0.1:8080"

  func get(_ address: String, headers: [HTTPHeader: String] = [:]) async -> HTTPResponse {
    await send(.GET, address, headers: headers)
  }

  /// Gets a page as a browser does that followed a link on another page of this server.
  func page(_ address: String, from referrer: String? = nil) async throws -> String {
    let headers = referrer.map { [HTTPHeader("Referer"): "http://\(Self.host)\($0)"] } ?? [:]
    return try await get(address, headers: headers).text
  }

  /// Posts a form as a page of this server does.
  func post(
    _ address: String, _ form: String = "", headers: [HTTPHeader: String] = [:]
  ) async -> HTTPResponse {
    let own = [HTTPHeader("Origin"): "http://\(Self.host)"]
    return await send(
      .POST, address, headers: own.merging(headers) { $1 }, body: Data(form.utf8))
  }

  /// Posts a form as a script does.
  func postByScript(_ address: String, _ form: String = "") async -> HTTPResponse {
    await post(address, form, headers: [HTTPHeader("X-Faketrack"): "1"])
  }

  /// Sends a file as a form with the given disposition.
  func upload(
    _ content: [UInt8], disposition: String = "form-data; name=\"file\"; filename=\"walk.gpx\""
  ) async -> HTTPResponse {
    let head = "--XX\r\nContent-Disposition: \(disposition)\r\n\r\n"
    return await send(
      .POST, "/tracks",
      headers: [
        HTTPHeader("Origin"): "http://\(Self.host)",
        .contentType: "multipart/form-data; boundary=XX",
      ],
      body: Data(Array(head.utf8) + content + Array("\r\n--XX--\r\n".utf8)))
  }

  func send(
    _ method: HTTPMethod, _ address: String, headers: [HTTPHeader: String], body: Data = Data()
  ) async -> HTTPResponse {
    let sides = address.split(separator: "?", maxSplits: 1).map(String.init)
    return await answer(
      HTTPRequest(
        method: method, version: .http11,
        target: HTTPRequest.Target(path: sides[0], query: sides.count > 1 ? sides[1] : ""),
        headers: HTTPHeaders([.host: Self.host].merging(headers) { $1 }),
        body: HTTPBodySequence(data: body)))
  }
}

extension Dependencies {
  @MainActor
  static func make(
    _ walks: TestWalks = TestWalks(), tracks: [TrackFile] = [Walks.track()],
    favorites: StubFavorites = StubFavorites(), summaries: StubSummaries = StubSummaries(),
    feed: StubFeed? = nil, photos: PhotoSourceSummary = PhotoSourceSummary(),
    permission: AuthorizationStatus = .authorizedWhenInUse, speed: ReplaySpeed = .max
  ) -> Dependencies {
    Dependencies(
      index: .world, favorites: favorites, summaries: summaries, feed: feed, photos: photos,
      tracking: TrackingViewModel(
        catalog: TrackCatalog(tracks), speed: speed, permission: permission,
        makeTracker: { try walks.tracker(for: $0) }))
  }
}

extension HTTPResponse {
  var text: String {
    get async throws { String(decoding: try await bodyData, as: UTF8.self) }
  }

  subscript(header: String) -> String? { headers[HTTPHeader(header)] }
}
