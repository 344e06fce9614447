#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Logging

/// Finds the Wikipedia article about a city: the right one or none.
///
/// Asks for the titles that the article may have, one after the other, and takes the first that
/// is about something within 25 km of the city. The text is CC BY-SA.
public struct WikipediaSummaries: CitySummarizing {
  /// Metres that the position of the article and that of the city may be apart.
  public static let maximumDistance: Double = 25_000

  private let client: DocumentClient
  private let endpoint: URL?

  /// Asks over the network and keeps nothing.
  ///
  /// - Parameters:
  ///   - application: Your program as Wikimedia's policy asks for it: `name/version (contact)`.
  ///     Without it this package is named.
  ///   - language: The code of the encyclopedia's language. Regions and countries are looked for
  ///     by their English names in all of them.
  ///   - endpoint: Another address than Wikipedia's own, such as a proxy's or a test server's;
  ///     paths are appended.
  ///   - logger: Gets every call at debug level.
  public init(
    application: String? = nil, language: String = "en", endpoint: URL? = nil,
    logger: Logger? = nil
  ) {
    self.init(
      application: application, language: language, endpoint: endpoint,
      in: ServiceEnvironment(logger: logger))
  }

  /// - Parameter cache: Where answers are kept; an old one is used when Wikipedia cannot be
  ///   reached, as it is better than none and hardly ever wrong.
  package init(
    application: String? = nil, language: String = "en", endpoint: URL? = nil,
    in environment: ServiceEnvironment, cache: (any DocumentCaching)? = nil
  ) {
    self.endpoint = endpoint ?? Self.address(language: language)
    client = DocumentClient(
      ServiceProfile(
        name: "Wikipedia", concurrency: 3,
        userAgent: Product.userAgent(for: application, library: "Cities")),
      in: environment, cache: cache, usesStale: true)
  }

  /// The summary of the article about a city, or `nil` when no article matches.
  ///
  /// - Throws: ``CitiesError/summaryUnavailable(reason:isUnreachable:)``, or `CancellationError`.
  public func summary(of city: City) async throws -> CitySummary? {
    do {
      for title in ArticleTitles(of: city).titles {
        let page = try await page(titled: title)
        if let summary = page?.summary(within: Self.maximumDistance, of: city.coordinate) {
          return summary
        }
      }
      return nil
    } catch let error as ServiceError {
      throw CitiesError.summaryUnavailable(
        reason: error.description, isUnreachable: error.isUnreachable)
    }
  }

  private func page(titled title: String) async throws -> WikipediaPage? {
    guard let url = Self.address(of: title, at: endpoint) else {
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

  private static func address(language: String) -> URL? {
    let isCode = language.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return isCode && !language.isEmpty ? URL(string: "https://\(language).wikipedia.org") : nil
  }

  private static func address(of title: String, at endpoint: URL?) -> URL? {
    guard let endpoint,
      var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
    else { return nil }
    var path = parts.percentEncodedPath
    while path.last == "/" { path.removeLast() }
    let name = title.replacing(" ", with: "_").percentEncoded
    parts.percentEncodedPath = path + "/api/rest_v1/page/summary/" + name
    return parts.url
  }
}
