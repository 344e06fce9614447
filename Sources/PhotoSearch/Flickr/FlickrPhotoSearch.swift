#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Logging

/// Searches Flickr's geotagged public photos. Needs a key.
///
/// Terms of the service: whoever shows a photo links back to its page, shows at most 30 at once,
/// and says that the product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.
public struct FlickrPhotoSearch: PhotoSearching {
  public let identity: String
  /// Flickr wants less than 32 km.
  public let maximumRadius: Double = 31_900

  private let client: ServiceClient
  private let key: Secret
  private let endpoint: URL
  private let pageSize: Int
  private let links: FlickrLinks

  /// Creates a search over the network.
  ///
  /// - Parameters:
  ///   - apiKey: The key; shown nowhere, neither in errors nor in logs.
  ///   - endpoint: Another address than Flickr's own: a proxy, a cache, a test server.
  ///   - concurrency: How many requests may be under way at once.
  ///   - logger: Gets every call at debug level.
  public init(
    apiKey: String, endpoint: URL? = nil, concurrency: Int = 4, logger: Logger? = nil
  ) {
    self.init(
      apiKey: Secret(apiKey), endpoint: endpoint, concurrency: concurrency,
      in: ServiceEnvironment(logger: logger))
  }

  package init(
    apiKey: Secret, endpoint: URL? = nil, concurrency: Int = 4, in environment: ServiceEnvironment
  ) {
    self.init(
      apiKey: apiKey, endpoint: endpoint ?? Self.address,
      identity: endpoint.map { "flickr+\($0.withoutUser.absoluteString)" } ?? "flickr",
      profile: ServiceProfile(
        name: "Flickr", concurrency: concurrency, limit: Self.limit,
        userAgent: Product.userAgent(library: "PhotoSearch")),
      environment: environment)
  }

  /// Creates a search of a service that answers as Flickr does.
  init(
    apiKey: Secret, endpoint: URL, identity: String, profile: ServiceProfile, pageSize: Int = 250,
    links: FlickrLinks = .flickr, environment: ServiceEnvironment
  ) {
    self.identity = identity
    self.key = apiKey
    self.endpoint = endpoint
    self.pageSize = pageSize
    self.links = links
    client = ServiceClient(profile, in: environment)
  }

  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    do {
      return try await client.send(request(for: query)) { response in
        let answer = try FlickrAnswer(json: response.body)
        return answer.page(for: query, pageSize: pageSize, links: links)
      }
    } catch let error as ServiceError {
      throw PhotoSearchError(error)
    }
  }

  private func request(for query: PhotoQuery) -> HTTPRequest {
    let radius = min(max(query.radius, 1), maximumRadius)
    var items = [
      QueryItem("method", "flickr.photos.search"),
      QueryItem("api_key", key),
      QueryItem("format", "json"),
      QueryItem("nojsoncallback", "1"),
      QueryItem("lat", query.center.latitude.decimal(places: 6)),
      QueryItem("lon", query.center.longitude.decimal(places: 6)),
      QueryItem("radius", (radius / 1000).decimal(places: 3)),
      QueryItem("radius_units", "km"),
      QueryItem("accuracy", "16"),
      QueryItem("has_geo", "1"),
      QueryItem("media", "photos"),
      QueryItem("safe_search", "1"),
      QueryItem("content_types", "0"),
      QueryItem("min_upload_date", Self.minimumUploadDate),
      QueryItem("extras", FlickrLinks.extras(for: query.size)),
      QueryItem("per_page", "\(pageSize)"),
      QueryItem("page", "\(query.page)"),
    ]
    if let licenses = FlickrLicense.ids(for: query.license) {
      items.append(QueryItem("license", licenses))
    }
    return HTTPRequest(endpoint, query: items)
  }

  static let address = URL(literal: "https://api.flickr.com/services/rest/")

  /// Flickr's limit for a whole key.
  private static let limit = CallLimit(calls: 3600, per: .seconds(3600))

  /// 2004-01-01, before Flickr: without a date a geo query finds the last twelve hours only.
  private static let minimumUploadDate = "1072915200"
}
