import FaketrackServices
import FaketrackSupport
import Foundation
import Logging

/// Searches the geotagged public photos on Flickr; needs a key.
///
/// Flickr's terms ask an app to link each photo to its page, to show at most 30 photos at a time,
/// and to say: "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."
public struct FlickrPhotoSearch: PhotoSearching {
  /// The prefix of the keys under which answers are kept; another endpoint has another one.
  public let identity: String
  /// 31.9 km; Flickr accepts radii below 32 km.
  public let maximumRadius = 31_900.0
  /// The number of requests so far, retries included.
  public var requests: Int? { client.requests }

  private let client: ServiceClient
  private let key: Secret
  private let endpoint: URL

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - apiKey: the key; it appears neither in errors nor in logs.
  ///   - userAgent: your app, as `name/version (contact)`.
  ///   - endpoint: another address than Flickr's own: a proxy, a cache, a test server.
  ///   - concurrency: the number of requests under way at once.
  ///   - fetcher: sends the requests.
  ///   - clock: the clock to wait on before a retry; a retry on a virtual clock takes no real time.
  ///   - logger: receives every call at debug level.
  public init(
    apiKey: String, userAgent: String, endpoint: URL? = nil, concurrency: Int = 4,
    fetcher: any HTTPFetching = NetworkFetcher(), clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger? = nil
  ) {
    self.init(
      PhotoProvider.Configuration(
        key: Secret(apiKey), endpoint: endpoint, concurrency: concurrency, userAgent: userAgent,
        environment: ServiceEnvironment(fetcher: fetcher, clock: clock, logger: logger)))
  }

  init(_ configuration: PhotoProvider.Configuration) {
    identity = configuration.identity(of: "flickr")
    key = configuration.key
    endpoint = configuration.endpoint ?? URL(literal: "https://api.flickr.com/services/rest/")
    client = configuration.client("Flickr", limit: Self.limit)
  }

  /// Searches Flickr, with retries.
  ///
  /// - Throws: ``PhotoSearchError``; `CancellationError` in a canceled task.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    try await client.answer(to: request(for: query)) { response in
      try FlickrAnswer(json: response.body).page(for: query, size: Self.pageSize)
    }
  }

  private func request(for query: PhotoQuery) -> ServiceRequest {
    let radius = min(max(query.radius, 1), maximumRadius)
    var items = [
      QueryItem("method", "flickr.photos.search"),
      QueryItem("api_key", key),
      QueryItem("format", "json"),
      QueryItem("nojsoncallback", "1"),
      QueryItem("lat", DecimalText.fixed(query.center.latitude, places: 6)),
      QueryItem("lon", DecimalText.fixed(query.center.longitude, places: 6)),
      QueryItem("radius", DecimalText.fixed(radius / 1000, places: 3)),
      QueryItem("radius_units", "km"),
      QueryItem("accuracy", "16"),
      QueryItem("has_geo", "1"),
      QueryItem("media", "photos"),
      QueryItem("safe_search", "1"),
      QueryItem("content_types", "0"),
      QueryItem("min_upload_date", Self.minimumUploadDate),
      QueryItem("extras", FlickrLinks.extras(for: query.size)),
      QueryItem("per_page", "\(Self.pageSize)"),
      QueryItem("page", "\(query.page)"),
    ]
    if let licenses = FlickrLicense.ids(for: query.license) {
      items.append(QueryItem("license", licenses))
    }
    return ServiceRequest(endpoint, query: items)
  }

  /// The largest page that Flickr sends.
  private static let pageSize = 250

  /// Flickr's limit for all users of a key together.
  private static let limit = CallLimit(calls: 3600, per: .seconds(3600))

  /// 2004-01-01, before Flickr existed. Without a minimum date a search by place only finds photos
  /// of the last twelve hours.
  private static let minimumUploadDate = "1072915200"
}

extension PhotoProvider {
  package static let flickr = PhotoProvider(
    name: "flickr", title: "Flickr",
    notice: """
      photos: Flickr; --photos commons or sample for another source. This product uses the Flickr \
      API but is not endorsed or certified by SmugMug, Inc.
      """,
    keyVariable: "FLICKR_API_KEY", endpointVariable: "FAKETRACK_FLICKR_URL",
    imageHosts: ["https://live.staticflickr.com"],
    makeSearch: { FlickrPhotoSearch($0) })
}
