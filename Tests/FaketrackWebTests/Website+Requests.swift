import Cities
import FaketrackFeatures
import FlyingFox
import Foundation
import PhotoSearch

@testable import FaketrackWeb

extension Website {
  static func make(
    _ workshop: WalkWorkshop = WalkWorkshop(), tracks: [WebTrack] = [Walks.track(kilometers: 1)],
    feed: String? = nil, summary: String? = "A town.", photos: PhotoSourceChoice = .sample,
    tiles: TileTemplate? = nil
  ) throws -> Website {
    let dependencies = Dependencies(
      index: try CityIndex.builtIn(), favorites: KeptFavorites(),
      summaries: OneSummary(text: summary), feed: feed.map(OneFeed.init))
    return Website(
      WebsiteParts(
        dependencies: dependencies, tracks: tracks, photos: photos, tiles: tiles, speed: .max,
        permission: .authorizedWhenInUse, makeWalk: workshop.makeWalk),
      listeningOn: "127.0.0.1")
  }

  func get(_ address: String, headers: [HTTPHeader: String] = [:]) async -> HTTPResponse {
    await send(.GET, address, headers: headers)
  }

  func post(
    _ address: String, _ form: String = "", headers: [HTTPHeader: String] = [:]
  ) async -> HTTPResponse {
    let own = [HTTPHeader("Origin"): "http://127.0.0.1:8080"]
    return await send(
      .POST, address, headers: own.merging(headers) { $1 }, body: Data(form.utf8))
  }

  func send(
    _ method: HTTPMethod, _ address: String, headers: [HTTPHeader: String], body: Data = Data()
  ) async -> HTTPResponse {
    let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
    return await answer(
      HTTPRequest(
        method: method, version: .http11,
        target: HTTPRequest.Target(path: parts[0], query: parts.count > 1 ? parts[1] : ""),
        headers: HTTPHeaders([.host: "127.0.0.1:8080"].merging(headers) { $1 }),
        body: HTTPBodySequence(data: body)))
  }
}

extension HTTPResponse {
  var text: String {
    get async throws { String(decoding: try await bodyData, as: UTF8.self) }
  }

  subscript(header: String) -> String? { headers[HTTPHeader(header)] }
}
