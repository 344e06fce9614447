#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Geodesy

/// The summary of a page as Wikipedia sends it.
///
/// Only type and title are always there. Source:
/// https://www.mediawiki.org/wiki/Specs/Summary/1.3.0
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

  /// The summary if this is an article about something within `distance` metres of a place.
  ///
  /// `nil` for a page that lists meanings of a name, for one without a text, for the error that
  /// says that there is no page, which has a type and a title of its own, and for an article
  /// about something elsewhere or nowhere.
  func summary(within distance: Double, of place: Coordinate) -> CitySummary? {
    guard type == "standard", let extract, !extract.isEmpty, let coordinates,
      let position = try? Coordinate(latitude: coordinates.lat, longitude: coordinates.lon),
      position.distance(to: place) <= distance
    else { return nil }
    return CitySummary(
      title: title, description: description, extract: extract,
      url: contentURLs?.desktop?.page.flatMap(Self.webAddress))
  }

  private static func webAddress(_ text: String) -> URL? {
    URL(string: text).flatMap { ["http", "https"].contains($0.scheme?.lowercased()) ? $0 : nil }
  }
}
