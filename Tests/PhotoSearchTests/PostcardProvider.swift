import FaketrackServices
import Foundation
import Geodesy

@testable import PhotoSearch

// A provider as one is added: this file, and one line that lists it.

/// Searches a service of postcards that answers with one line `id;latitude;longitude;title` a card.
struct PostcardSearch: PhotoSearching {
  let identity = "postcards"
  let maximumRadius = 1_000.0
  let configuration: PhotoProvider.Configuration

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let service = configuration.endpoint ?? URL(literal: "https://api.postcards.example/near")
    let request = ServiceRequest(
      service,
      query: [
        QueryItem("near", "\(query.center.latitude),\(query.center.longitude)"),
        QueryItem("key", configuration.key),
      ], headers: ["User-Agent": configuration.userAgent])
    let response: ServiceResponse
    do {
      response = try await configuration.environment.fetcher.fetch(request)
    } catch HTTPFailure.unreachable(let what) {
      throw PhotoSearchError(service: "Postcards", reason: .unreachable, message: what)
    }
    guard response.status == 200 else {
      throw PhotoSearchError(
        service: "Postcards", reason: .status(response.status), message: "no cards")
    }
    let cards = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
    return PhotoPage(photos: cards.compactMap(card), isLast: true)
  }

  private func card(_ line: Substring) -> Photo? {
    let fields = line.split(separator: ";")
    guard fields.count == 4, let latitude = Double(fields[1]), let longitude = Double(fields[2]),
      let url = URL(string: "https://cards.example/\(fields[0]).png")
    else { return nil }
    return Photo(
      id: String(fields[0]), title: String(fields[3]), owner: "Postcards", imageURL: url,
      coordinate: try? Coordinate(latitude: latitude, longitude: longitude))
  }
}

extension PhotoProvider {
  static let postcards = PhotoProvider(
    name: "postcards", title: "Postcards",
    notice: "photos: Postcards; they are old",
    keyVariable: "POSTCARDS_KEY", endpointVariable: "POSTCARDS_URL",
    imageHosts: ["https://cards.example"],
    makeSearch: { PostcardSearch(configuration: $0) })
}
