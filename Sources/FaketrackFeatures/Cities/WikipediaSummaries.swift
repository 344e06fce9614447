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
  package var title: String
  /// The subject in a few words.
  package var description: String?
  /// The first paragraph.
  package var extract: String
  /// The address of the article.
  package var url: URL?
}

/// Finds the Wikipedia article about a city: the right one or none.
///
/// Asks for one possible title after another and takes the first article about something within 25
/// km of the city.
package struct WikipediaSummaries: CitySummarizing {
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
    for title in Self.titles(of: city) {
      if let summary = try await page(titled: title)?.summary(near: city.coordinate) {
        return summary
      }
    }
    return nil
  }

  /// The titles that the article may have, the most likely first.
  ///
  /// The article about Paris has its name alone; that about Potsdam in the state of New York adds the
  /// region, and others add the country. A city that shares its name with the country or state around
  /// it, such as New York or Luxembourg, may be followed by "City".
  static func titles(of city: City) -> [String] {
    let country = city.country.flatMap(CountryNames.name)
    let suffixes = ["", city.region.map { ", \($0)" }, country.map { ", \($0)" }, " City"]
    return suffixes.compactMap { $0.map { city.name + $0 } }.reduce(into: []) { titles, title in
      if isPossible(title), !titles.contains(title) { titles.append(title) }
    }
  }

  /// Source: https://www.mediawiki.org/wiki/Manual:Page_title
  private static func isPossible(_ title: String) -> Bool {
    title.utf8.count <= 255
      && !title.unicodeScalars.contains {
        "#<>[]|{}".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
      }
  }

  private func page(titled title: String) async throws -> WikipediaPage? {
    var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) ?? URLComponents()
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    let name = title.replacing(" ", with: "_").percentEncoded
    parts.percentEncodedPath += "/api/rest_v1/page/summary/" + name
    guard let url = parts.url else {
      throw ServiceError(
        service: "Wikipedia", reason: .unusableAddress, message: "the address is not usable",
        attempts: 0)
    }
    let request = ServiceRequest(
      url, headers: ["Accept": "application/json"], maximumBodySize: 1 << 20)
    return try await client.send(request, accepting: [404]) { response in
      response.status == 404
        ? nil : try JSONDecoder().decode(WikipediaPage.self, from: response.body)
    }
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

  /// The summary if this is an article about something within 25 km of a position.
  ///
  /// `nil` for a page that lists the meanings of a name, for one without text, for an article about
  /// something elsewhere or without a position, and for the error that there is no such page, which
  /// also has a type and a title.
  func summary(near center: Coordinate) -> CitySummary? {
    guard type == "standard", let extract, !extract.isEmpty, let coordinates,
      let position = try? Coordinate(latitude: coordinates.lat, longitude: coordinates.lon),
      position.distance(to: center) <= 25_000
    else { return nil }
    return CitySummary(
      title: title, description: description, extract: extract,
      url: contentURLs?.desktop?.page.flatMap(URL.init(webAddress:)))
  }
}
