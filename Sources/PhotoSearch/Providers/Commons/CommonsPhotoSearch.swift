import FaketrackServices
import FaketrackSupport
import Foundation
import Logging

/// Searches the geotagged photos on Wikimedia Commons; needs no key.
public struct CommonsPhotoSearch: PhotoSearching {
  /// The prefix of the keys under which answers are kept; another endpoint has another one.
  public let identity: String
  /// 10 km, Commons' own limit.
  public let maximumRadius = 10_000.0
  /// The number of requests so far, retries and parts of answers included.
  public var requests: Int? { client.requests }

  private let client: ServiceClient
  private let endpoint: URL

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - userAgent: your app, as Wikimedia's policy asks for it: `name/version (contact)`.
  ///   - endpoint: another address than Commons' own: a proxy, a cache, a test server.
  ///   - concurrency: the number of requests under way at once; never more than 3.
  ///   - fetcher: sends the requests.
  ///   - clock: the clock to wait on before a retry; a retry on a virtual clock takes no real time.
  ///   - logger: receives every call at debug level.
  public init(
    userAgent: String, endpoint: URL? = nil, concurrency: Int = 3,
    fetcher: any HTTPFetching = NetworkFetcher(), clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger? = nil
  ) {
    self.init(
      PhotoProvider.Configuration(
        endpoint: endpoint, concurrency: concurrency, userAgent: userAgent,
        environment: ServiceEnvironment(fetcher: fetcher, clock: clock, logger: logger)))
  }

  init(_ configuration: PhotoProvider.Configuration) {
    identity = configuration.identity(of: "commons")
    endpoint = configuration.endpoint ?? URL(literal: "https://commons.wikimedia.org/w/api.php")
    client = configuration.client("Wikimedia Commons", atMost: 3)
  }

  /// Searches Commons, with retries, and fetches all parts of a page.
  ///
  /// A page starts where the one before ended, so all pages before are fetched first.
  ///
  /// - Throws: ``PhotoSearchError``; `CancellationError` in a canceled task.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    try await photos(for: query) {
      var previous = query
      previous.page -= 1
      return try await photos(for: previous)
    }
  }

  /// Searches Commons where the page before ended.
  ///
  /// - Throws: ``PhotoSearchError``; `CancellationError` in a canceled task.
  public func photos(
    for query: PhotoQuery, after previous: @Sendable () async throws -> PhotoPage
  ) async throws -> PhotoPage {
    var position: [String: String] = [:]
    if query.page > 1 {
      guard query.page <= PhotoPicker.maximumPages, let end = try await previous().next else {
        return PhotoPage(photos: [], isLast: true)
      }
      position = end
    }
    var pages = CommonsPages()
    // The limit only stops an endless answer.
    for _ in 0..<Self.maximumParts {
      let answer = try await client.answer(to: request(for: query, at: position)) { response in
        try CommonsAnswer(json: response.body)
      }
      pages.merge(answer)
      guard let next = answer.next, next != position else {
        return pages.page(for: query, isLast: true)
      }
      if answer.isBatchComplete {
        var page = pages.page(for: query, isLast: false)
        page.next = next
        return page
      }
      position = next
    }
    let page = pages.page(for: query, isLast: true)
    guard page.photos.isEmpty else { return page }
    throw PhotoSearchError(
      service: "Wikimedia Commons", reason: .brokenAnswer, message: "the answer has no end",
      attempts: Self.maximumParts)
  }

  private func request(for query: PhotoQuery, at position: [String: String]) -> ServiceRequest {
    let radius = min(max(query.radius, 10), maximumRadius)
    let coordinate = [query.center.latitude, query.center.longitude]
    var items = [
      QueryItem("action", "query"),
      QueryItem("format", "json"),
      QueryItem("formatversion", "2"),
      QueryItem("generator", "geosearch"),
      QueryItem("ggsnamespace", "6"),
      QueryItem(
        "ggscoord", coordinate.map { DecimalText.fixed($0, places: 6) }.joined(separator: "|")),
      QueryItem("ggsradius", DecimalText.fixed(radius, places: 0)),
      QueryItem("ggslimit", "\(Self.pageSize)"),
      QueryItem("prop", "coordinates|imageinfo"),
      QueryItem("colimit", "\(Self.pageSize)"),
      QueryItem("iiprop", "url|user|size|mime|extmetadata"),
      QueryItem("iiextmetadatafilter", CommonsFile.metadataFields.joined(separator: "|")),
      QueryItem("iiurlwidth", "\(Self.width(for: query.size))"),
    ]
    items += position.sorted { $0.key < $1.key }.map { QueryItem($0.key, $0.value) }
    return ServiceRequest(endpoint, query: items)
  }

  /// Wikimedia only serves thumbnails of these widths; other sizes get the next larger one.
  ///
  /// Source: https://www.mediawiki.org/wiki/Common_thumbnail_sizes
  private static func width(for size: PhotoSize) -> Int {
    [120, 250, 330, 500, 960, 1280].first { $0 >= size.pixels } ?? 1280
  }

  private static let pageSize = 500
  private static let maximumParts = 32
}

extension PhotoProvider {
  package static let commons = PhotoProvider(
    name: "commons", title: "Wikimedia Commons",
    notice: "photos: Wikimedia Commons; set FLICKR_API_KEY for Flickr, "
      + "--photos none to need no network",
    endpointVariable: "FAKETRACK_COMMONS_URL", imageHosts: ["https://upload.wikimedia.org"],
    makeSearch: { CommonsPhotoSearch($0) })
}
