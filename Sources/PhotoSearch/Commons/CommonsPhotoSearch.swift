#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Logging

/// Searches the geotagged photos of Wikimedia Commons. Needs no key.
public struct CommonsPhotoSearch: PhotoSearching {
  public let identity: String
  /// Commons searches up to 10 km.
  public let maximumRadius: Double = 10_000

  private let client: ServiceClient
  private let endpoint: URL
  private let progress = CommonsProgress()

  /// Creates a search over the network.
  ///
  /// - Parameters:
  ///   - application: Your program as Wikimedia's policy asks for it: `name/version (contact)`.
  ///     Without it this package is named.
  ///   - endpoint: Another address than Commons' own: a proxy, a cache, a test server.
  ///   - concurrency: How many requests may be under way at once; no more than 3 will be.
  ///   - logger: Gets every call at debug level.
  public init(
    application: String? = nil, endpoint: URL? = nil, concurrency: Int = 3, logger: Logger? = nil
  ) {
    self.init(
      application: application, endpoint: endpoint, concurrency: concurrency,
      in: ServiceEnvironment(logger: logger))
  }

  package init(
    application: String? = nil, endpoint: URL? = nil, concurrency: Int = 3,
    in environment: ServiceEnvironment
  ) {
    self.endpoint = endpoint ?? Self.address
    identity = endpoint.map { "commons+\($0.withoutUser.absoluteString)" } ?? "commons"
    client = ServiceClient(
      ServiceProfile(
        name: "Wikimedia Commons", concurrency: min(concurrency, 3),
        userAgent: Product.userAgent(for: application, library: "PhotoSearch")),
      in: environment)
  }

  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    do {
      return try await page(for: query)
    } catch let error as ServiceError {
      throw PhotoSearchError(error)
    }
  }

  /// Fetches a page in as many parts as it takes.
  ///
  /// A further page starts where the one before it ended; if that is not known any more, the
  /// one before is fetched again.
  private func page(for query: PhotoQuery) async throws -> PhotoPage {
    var position: [String: String] = [:]
    if query.page > 1 {
      var previous = query
      previous.page -= 1
      if await progress.end(of: previous) == nil { _ = try await page(for: previous) }
      guard let end = await progress.end(of: previous) else {
        return PhotoPage(photos: [], isLast: true)
      }
      position = end
    }
    var pages = CommonsPages()
    // Each part has at least one new property of one file, so this only ends a service's loop.
    for _ in 0..<Self.maximumParts {
      let answer = try await client.send(request(for: query, at: position)) { response in
        try CommonsAnswer(json: response.body)
      }
      pages.merge(answer)
      guard let next = answer.next, next != position else {
        await progress.set(nil, for: query)
        return pages.page(for: query, isLast: true)
      }
      if answer.isBatchComplete {
        await progress.set(next, for: query)
        return pages.page(for: query, isLast: false)
      }
      position = next
    }
    return pages.page(for: query, isLast: true)
  }

  private func request(for query: PhotoQuery, at position: [String: String]) -> HTTPRequest {
    let radius = min(max(query.radius, 10), maximumRadius)
    let (latitude, longitude) = (query.center.latitude, query.center.longitude)
    var items = [
      QueryItem("action", "query"),
      QueryItem("format", "json"),
      QueryItem("formatversion", "2"),
      QueryItem("generator", "geosearch"),
      QueryItem("ggsnamespace", "6"),
      QueryItem("ggscoord", "\(latitude.decimal(places: 6))|\(longitude.decimal(places: 6))"),
      QueryItem("ggsradius", radius.decimal(places: 0)),
      QueryItem("ggslimit", "\(Self.pageSize)"),
      QueryItem("prop", "coordinates|imageinfo"),
      QueryItem("colimit", "\(Self.pageSize)"),
      QueryItem("iiprop", "url|user|size|mime|extmetadata"),
      QueryItem("iiextmetadatafilter", CommonsFile.metadataFields.joined(separator: "|")),
      QueryItem("iiurlwidth", "\(Self.width(for: query.size))"),
    ]
    items += position.sorted { $0.key < $1.key }.map { QueryItem($0.key, $0.value) }
    return HTTPRequest(endpoint, query: items)
  }

  /// Wikimedia serves thumbnails of these widths only; a smaller wish gets the next larger one.
  ///
  /// Source: https://www.mediawiki.org/wiki/Common_thumbnail_sizes
  private static func width(for size: PhotoSize) -> Int {
    [120, 250, 330, 500, 960, 1280].first { $0 >= size.pixels } ?? 1280
  }

  static let address = URL(literal: "https://commons.wikimedia.org/w/api.php")
  private static let pageSize = 500
  private static let maximumParts = 64
}

/// Remembers where the pages of recent searches ended.
private actor CommonsProgress {
  private var ends = BoundedCache<PhotoQuery, [String: String]>(capacity: 256)

  func end(of query: PhotoQuery) -> [String: String]? {
    ends.value(for: query)
  }

  func set(_ end: [String: String]?, for query: PhotoQuery) {
    if let end { ends.insert(end, for: query) } else { ends.remove(query) }
  }
}
