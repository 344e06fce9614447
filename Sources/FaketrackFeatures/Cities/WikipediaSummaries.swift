import Cities
import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy

/// An encyclopedia.
package protocol CitySummarizing: Sendable {
  /// The summary of the article about exactly this city, or `nil` if there is none.
  func summary(of city: City) async throws -> CitySummary?
}

/// The summary of an article about a city. The text is licensed under CC BY-SA.
package struct CitySummary: Hashable, Sendable {
  /// The title of the article.
  package var title: String
  /// The subject in a few words.
  package var description: String?
  /// The first paragraph.
  package var extract: String
  /// The address of the article.
  package var url: URL?

  package init(title: String, description: String? = nil, extract: String, url: URL? = nil) {
    self.title = title
    self.description = description
    self.extract = extract
    self.url = url
  }
}

/// Finds the Wikipedia article about a city: the right one or none.
///
/// Asks for one possible title after another and takes the first article about something within 25
/// km of the city.
package struct WikipediaSummaries: CitySummarizing {
  /// The greatest distance in meters between the positions of the article and of the city.
  package static let maximumDistance: Double = 25_000

  private let client: DocumentClient
  private let endpoint: URL

  /// - Parameters:
  ///   - endpoint: the base address of a proxy or a test server; `nil` is Wikipedia.
  ///   - cache: the cache of answers. A stale one is used when Wikipedia cannot be reached.
  package init(
    endpoint: URL? = nil, in environment: ServiceEnvironment, cache: (any DocumentCaching)? = nil
  ) {
    self.endpoint = endpoint ?? URL(literal: "https://en.wikipedia.org")
    client = DocumentClient(
      ServiceProfile(
        name: "Wikipedia", concurrency: 3, userAgent: Product.userAgent(library: "Cities")),
      in: environment, cache: cache, usesStale: true)
  }

  /// - Throws: `ServiceError`, or `CancellationError`.
  package func summary(of city: City) async throws -> CitySummary? {
    for title in ArticleTitles(of: city).titles {
      let page = try await page(titled: title)
      if let summary = page?.summary(within: Self.maximumDistance, of: city.coordinate) {
        return summary
      }
    }
    return nil
  }

  private func page(titled title: String) async throws -> WikipediaPage? {
    guard let url = address(of: title) else {
      throw ServiceError(
        service: "Wikipedia", reason: .unusableAddress, message: "the address is not usable",
        attempts: 0)
    }
    let request = HTTPRequest(
      url, headers: ["Accept": "application/json"], maximumBodySize: 1 << 20)
    return try await client.send(request, accepting: [404]) { response in
      response.status == 404
        ? nil : try JSONDecoder().decode(WikipediaPage.self, from: response.body)
    }
  }

  private func address(of title: String) -> URL? {
    guard var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else {
      return nil
    }
    var path = parts.percentEncodedPath
    while path.last == "/" { path.removeLast() }
    let name = title.replacing(" ", with: "_").percentEncoded
    parts.percentEncodedPath = path + "/api/rest_v1/page/summary/" + name
    return parts.url
  }
}

/// The summary of a page as Wikipedia sends it; only type and title are always present.
///
/// Source: https://www.mediawiki.org/wiki/Specs/Summary/1.3.0
struct WikipediaPage: Decodable, Sendable {
  private let type: String
  private let title: String
  private let description: String?
  private let extract: String?
  private let coordinates: Position?
  private let contentURLs: Links?

  private struct Position: Decodable {
    let lat: Double
    let lon: Double
  }

  private struct Links: Decodable {
    struct Desktop: Decodable {
      let page: String?
    }
    let desktop: Desktop?
  }

  private enum CodingKeys: String, CodingKey {
    case type, title, description, extract, coordinates
    case contentURLs = "content_urls"
  }

  /// The summary if this is an article about something within `distance` meters of a position.
  ///
  /// `nil` for a page that lists the meanings of a name, for one without text, for an article about
  /// something elsewhere or without a position, and for the error that there is no such page, which
  /// also has a type and a title.
  func summary(within distance: Double, of center: Coordinate) -> CitySummary? {
    guard type == "standard", let extract, !extract.isEmpty, let coordinates,
      let position = try? Coordinate(latitude: coordinates.lat, longitude: coordinates.lon),
      position.distance(to: center) <= distance
    else { return nil }
    return CitySummary(
      title: title, description: description, extract: extract,
      url: contentURLs?.desktop?.page.flatMap(URL.init(webAddress:)))
  }
}
