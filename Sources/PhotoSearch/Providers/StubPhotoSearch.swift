import Geodesy

/// A source of photos that a function makes up, for tests.
///
/// ```swift
/// let picker = PhotoPicker(StubPhotoSearch { query in [bridge] })
/// ```
public struct StubPhotoSearch: PhotoSearching {
  /// `stub`.
  public var identity: String { "stub" }
  /// Unlimited.
  public var maximumRadius: Double { .infinity }
  private let photos: @Sendable (PhotoQuery) async throws -> [Photo]

  /// Creates a source whose answer to a query is what a function returns or throws.
  public init(_ photos: @escaping @Sendable (PhotoQuery) async throws -> [Photo]) {
    self.photos = photos
  }

  /// The photos of the function, on one page; a further page has none.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    PhotoPage(photos: query.page == 1 ? try await photos(query) : [], isLast: true)
  }
}
