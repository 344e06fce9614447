import Foundation
import PhotoSearch

/// Addresses on a page: of its server, or in a keepsake, which has none.
struct PageLinks: Sendable {
  let hasServer: Bool
  /// The address of a photo's image.
  let image: @Sendable (Photo) -> Attribute
  /// The page of a photo, or the photo itself; `nil` without either.
  let page: @Sendable (Photo) -> URL?

  /// The user's own photos are small on the page.
  static let server = PageLinks(
    hasServer: true,
    image: { .src(OwnPhotoFiles.smallPath(of: $0.url) ?? SamplePhotos.shown($0.url)) },
    page: { $0.page ?? OwnPhotoFiles.path(of: $0.url) })
}
