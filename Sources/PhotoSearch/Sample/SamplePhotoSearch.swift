#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// Makes up photos from the place alone, without any network; their titles say so.
///
/// There are always several within 100 m of anywhere on earth, and they are always the same.
/// They come in Flickr's format through the Flickr client, so that whatever uses them is used
/// as with the real thing.
public struct SamplePhotoSearch: PhotoSearching {
  public let identity: String
  public let maximumRadius: Double
  private let search: FlickrPhotoSearch

  /// Creates a search.
  ///
  /// - Parameter base: What the addresses of the images start with; without it a domain that is
  ///   reserved and never exists.
  public init(base: URL? = nil) {
    let base = base ?? Self.reservedBase
    search = FlickrPhotoSearch(
      apiKey: Secret("sample"), endpoint: Self.reservedBase,
      identity: "sample+\(base.absoluteString)",
      profile: ServiceProfile(name: "Sample", concurrency: .max, userAgent: Product.name),
      pageSize: SampleService.pageSize, links: FlickrLinks(pages: base),
      environment: ServiceEnvironment(fetcher: SampleService(base: base)))
    identity = search.identity
    maximumRadius = search.maximumRadius
  }

  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    try await search.photos(for: query)
  }

  private static let reservedBase = URL(literal: "https://photos.faketrack.example")
}
