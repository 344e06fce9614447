import FaketrackFeatures
import Foundation
import PhotoSearch

/// What the browser may load for the page, and whom it may tell of it.
struct ContentPolicy: Hashable, Sendable {
  /// The `Content-Security-Policy` of the pages.
  let pages: String
  /// That of images, which load nothing at all.
  static let images = "default-src 'none'; style-src 'none'; sandbox"

  /// - Parameters:
  ///   - photos: the source of photos in use.
  ///   - tiles: the address template of map tiles, if there are any.
  init(photos: PhotoSourceChoice?, tiles: TileTemplate?) {
    var images = ["'self'"]
    images += Self.hosts(of: photos)
    if let tiles { images.append(tiles.origin) }
    pages = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src \(images.joined(separator: " "))",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }

  private static func hosts(of photos: PhotoSourceChoice?) -> [String] {
    switch photos {
    case .flickr: ["https://live.staticflickr.com"]
    case .commons: ["https://upload.wikimedia.org"]
    case .auto: ["https://live.staticflickr.com", "https://upload.wikimedia.org"]
    case .sample, .some(.none), nil: []
    }
  }
}
