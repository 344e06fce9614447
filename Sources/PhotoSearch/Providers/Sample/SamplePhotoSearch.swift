#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import FaketrackSupport
import Geodesy

/// Makes up photos from the position alone, without a network; their titles say so.
///
/// There are several within 100 m of any position on Earth, and they are always the same.
public struct SamplePhotoSearch: PhotoSearching {
  /// The prefix of the keys under which answers are kept.
  public let identity: String
  /// 31.9 km.
  public let maximumRadius = 31_900.0

  private let base: String
  private let scatter = SampleScatter()

  /// Large enough for one page to cover the cell of a search.
  private static let pageSize = 500
  /// The largest number of photos for a search.
  private static let maximumResults = 4_000

  /// Creates a search.
  ///
  /// - Parameter base: the start of the addresses of the images; by default a reserved domain,
  ///   which never exists.
  public init(base: URL? = nil) {
    self.base = base?.absoluteString ?? "https://photos.faketrack.example"
    identity = "sample+\(self.base)"
  }

  /// Returns a page of photos, the nearest first.
  ///
  /// - Throws: ``PhotoSearchError`` for a page that is not 1 ... 4,000, `CancellationError`.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    try Task.checkCancellation()
    guard (1...Self.maximumResults).contains(query.page) else {
      throw PhotoSearchError(
        service: "Sample", reason: .status(400), message: "there is no page \(query.page)")
    }
    let center = Coordinate.clamped(
      latitude: query.center.latitude.rounded(places: 6),
      longitude: query.center.longitude.rounded(places: 6))
    let last = min(query.page * Self.pageSize, Self.maximumResults)
    let found = scatter.nearest(
      last, to: center, within: min(query.radius, maximumRadius).rounded())
    let photos = found.photos.dropFirst((query.page - 1) * Self.pageSize)
      .compactMap { photo(of: $0, size: query.size) }
    let total = min(found.total, Self.maximumResults)
    return PhotoPage(
      photos: photos, isLast: photos.isEmpty || query.page * Self.pageSize >= total)
  }

  private func photo(of sample: SampleScatter.Photo, size: PhotoSize) -> Photo? {
    let latitude = DecimalText.fixed(sample.coordinate.latitude, places: 6)
    let longitude = DecimalText.fixed(sample.coordinate.longitude, places: 6)
    return URL(string: "\(base)/\(sample.id)_\(size.rawValue).jpg").map { url in
      Photo(
        id: sample.id, title: "Sample photo at \(latitude), \(longitude)",
        owner: "faketrack sample", license: FlickrLicense.creativeCommonsZero, url: url,
        page: URL(string: "\(base)/sample/\(sample.id)"),
        coordinate: .clamped(
          latitude: sample.coordinate.latitude.rounded(places: 6),
          longitude: sample.coordinate.longitude.rounded(places: 6)))
    }
  }
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
