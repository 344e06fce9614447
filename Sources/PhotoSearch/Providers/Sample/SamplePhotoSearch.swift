#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import FaketrackSupport
import Geodesy

/// Makes up photos from the place alone, without a network; their titles say so.
///
/// There are several within 100 m of any place on earth, and they are always the same. They come in
/// Flickr's format through the Flickr client, so that they exercise the code for real photos.
public struct SamplePhotoSearch: PhotoSearching {
  public let identity: String
  public let maximumRadius: Double
  private let search: FlickrPhotoSearch

  /// Creates a search.
  ///
  /// - Parameter base: what the addresses of the images start with; by default a reserved domain,
  ///   which never exists.
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

extension PhotoProvider {
  /// The built-in sample.
  package static let sample = PhotoProvider(
    name: "sample", title: "the built-in sample",
    notice: "photos: the built-in sample, made up; --photos commons for real ones, "
      + "FLICKR_API_KEY for Flickr",
    hasRealPhotos: false, isFallback: true, storesSearches: false,
    makeSearch: { SamplePhotoSearch(base: $0.imageBase) })
}

/// Answers searches in Flickr's format, with photos that do not exist.
struct SampleService: HTTPFetching {
  /// Larger than Flickr's 250, so that one page covers the place of a search.
  static let pageSize = 500
  let base: URL
  private let scatter = SampleScatter()

  init(base: URL) {
    self.base = base
  }

  func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    func number(_ name: String) -> Double? { request.value(for: name).flatMap { Double($0) } }
    guard let latitude = number("lat"), let longitude = number("lon"),
      let center = try? Coordinate(latitude: latitude, longitude: longitude),
      let kilometers = number("radius"), kilometers > 0,
      let page = request.value(for: "page").flatMap({ Int($0) }),
      (1...FlickrAnswer.maximumResults).contains(page)
    else { return HTTPResponse(status: 400) }
    let last = min(page * Self.pageSize, FlickrAnswer.maximumResults)
    let found = scatter.nearest(last, to: center, within: kilometers * 1000)
    let links = (request.value(for: "extras")?.split(separator: ",") ?? [])
      .filter { $0.hasPrefix("url_") }
      .map { (field: $0, suffix: Self.suffix(of: $0)) }
    let address = base.absoluteString
    let hits = found.photos.dropFirst((page - 1) * Self.pageSize)
      .map { Self.hit(of: $0, links: links, base: address) }
    let total = min(found.total, FlickrAnswer.maximumResults)
    let pages = (total + Self.pageSize - 1) / Self.pageSize
    let answer = #"""
      {"photos":{"page":\#(page),"pages":\#(pages),"perpage":\#(Self.pageSize),"total":"\#(total)",\#
      "photo":[\#(hits.joined(separator: ","))]},"stat":"ok"}
      """#
    return HTTPResponse(body: Data(answer.utf8))
  }

  /// A hit with the fields and types that Flickr uses; none of its texts needs an escape, as an
  /// address has neither quotation marks nor backslashes.
  private static func hit(
    of photo: SampleScatter.Photo, links: [(field: Substring, suffix: String)], base: String
  ) -> String {
    let latitude = DecimalText.fixed(photo.coordinate.latitude, places: 6)
    let longitude = DecimalText.fixed(photo.coordinate.longitude, places: 6)
    var hit = #"""
      {"id":"\#(photo.id)","owner":"sample","ownername":"faketrack sample","secret":"sample",\#
      "server":"0","title":"Sample photo at \#(latitude), \#(longitude)","license":"9",\#
      "latitude":"\#(latitude)","longitude":"\#(longitude)","accuracy":"16"
      """#
    for link in links {
      hit += #","\#(link.field)":"\#(base)/\#(photo.id)_\#(link.suffix).jpg""#
    }
    return hit + "}"
  }

  /// The letter of the size that a link field stands for.
  private static func suffix(of field: Substring) -> String {
    let size = PhotoSize.allCases.first { FlickrLinks.extra(for: $0) == field }
    return size?.rawValue ?? "n"
  }
}
