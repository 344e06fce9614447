import FaketrackFeatures
import FaketrackServer
import FaketrackTestSupport
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
    _ walks: TestWalks = TestWalks(), tracks: [Track] = [Walks.track()],
    favorites: StubFavorites = StubFavorites(), summaries: StubSummaries = StubSummaries(),
    feed: StubFeed? = nil, photos: PhotoSourceSummary = PhotoSourceSummary(),
    permission: AuthorizationStatus = .authorizedWhenInUse, speed: ReplaySpeed = .max,
    clocks: Clocks = .local, memory: Int = 0, cities: CityNames? = nil, imageHosts: [String] = [],
    tiles: TileTemplate? = nil, loadTimeout: Duration = .seconds(600)
  ) -> Website {
    Website(
      .make(
        walks, tracks: tracks, favorites: favorites, summaries: summaries, feed: feed,
        photos: photos, permission: permission, speed: speed, clocks: clocks,
        memory: memory, cities: cities),
      imageHosts: imageHosts, tiles: tiles, listeningOn: "127.0.0.1", loadTimeout: loadTimeout)
  }

  /// The server that requests are sent to.
  static let host = "127.0.0.1:8080"

  func get(_ address: String, headers: WebHeaders = [:]) async -> WebResponse {
    await send("GET", address, headers: headers)
  }

  /// Gets a page as a browser does that followed a link on another page of this server.
  func page(_ address: String, from referrer: String? = nil) async throws -> String {
    var headers: WebHeaders = [:]
    headers["Referer"] = referrer.map { "http://\(Self.host)\($0)" }
    return try await get(address, headers: headers).text
  }

  /// Posts a form as a page of this server does.
  func post(
    _ address: String, _ form: String = "", headers: WebHeaders = [:]
  ) async -> WebResponse {
    var all: WebHeaders = ["Origin": "http://\(Self.host)"]
    for field in headers.fields { all[field.name] = field.value }
    return await send("POST", address, headers: all, body: Array(form.utf8))
  }

  /// Posts a form as a script does.
  func postByScript(_ address: String, _ form: String = "") async -> WebResponse {
    await post(address, form, headers: ["X-Faketrack": "1"])
  }

  /// Sends a file as a form with the given disposition.
  func upload(
    _ content: [UInt8], disposition: String = "form-data; name=\"file\"; filename=\"walk.gpx\"",
    headers: WebHeaders = [:]
  ) async -> WebResponse {
    let head = "--XX\r\nContent-Disposition: \(disposition)\r\n\r\n"
    var all: WebHeaders = [
      "Origin": "http://\(Self.host)", "Content-Type": "multipart/form-data; boundary=XX",
    ]
    for field in headers.fields { all[field.name] = field.value }
    return await send(
      "POST", "/tracks", headers: all,
      body: Array(head.utf8) + content + Array("\r\n--XX--\r\n".utf8))
  }

  func send(
    _ method: String, _ address: String, headers: WebHeaders, body: [UInt8] = [],
    isLocal: Bool = true
  ) async -> WebResponse {
    var all: WebHeaders = ["Host": Self.host]
    for field in headers.fields { all[field.name] = field.value }
    return await answer(
      WebRequest(
        method: method, target: address, headers: all, body: .bytes(body), isLocal: isLocal))
  }
}

extension Dependencies {
  @MainActor
  static func make(
    _ walks: TestWalks = TestWalks(), tracks: [Track] = [Walks.track()],
    favorites: StubFavorites = StubFavorites(), summaries: StubSummaries = StubSummaries(),
    feed: StubFeed? = nil, photos: PhotoSourceSummary = PhotoSourceSummary(),
    permission: AuthorizationStatus = .authorizedWhenInUse, speed: ReplaySpeed = .max,
    clocks: Clocks = .local, memory: Int = 0, cities: CityNames? = nil
  ) -> Dependencies {
    Dependencies(
      index: .world, favorites: favorites, summaries: summaries, feed: feed, photos: photos,
      tracking: TrackingViewModel(
        catalog: TrackCatalog(tracks), speed: speed, permission: permission, clocks: clocks,
        memory: memory, cities: cities,
        makeWalk: { try walks.walk(for: $0) }))
  }
}

extension WebResponse {
  /// The bytes of the body; fails for a stream.
  var bytes: [UInt8] {
    get throws {
      guard case .bytes(let bytes) = body else { throw IsStream() }
      return bytes
    }
  }

  var text: String {
    get throws { String(decoding: try bytes, as: UTF8.self) }
  }

  /// The text of a stream to its end.
  func streamedText() async throws -> String {
    guard case .stream(let pieces) = body else { throw IsNoStream() }
    var bytes: [UInt8] = []
    for try await piece in pieces { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  subscript(header: String) -> String? { headers[header] }

  private struct IsStream: Error {}
  private struct IsNoStream: Error {}
}
