import Geodesy

/// A source of photos taken around a position.
public protocol PhotoSearching: Sendable {
  /// Distinguishes the answers of this source from those of any other, in memory and in a store.
  var identity: String { get }
  /// The largest radius that the source searches, in meters; larger ones are treated as this one.
  var maximumRadius: Double { get }

  /// Searches for one page of photos.
  ///
  /// - Throws: ``PhotoSearchError`` when there is no answer after all retries, `CancellationError`
  ///   when the task was canceled.
  func photos(for query: PhotoQuery) async throws -> PhotoPage
}

/// A search for photos taken around a position.
public struct PhotoQuery: Hashable, Sendable {
  /// The largest distance between two positions on Earth, in meters, rounded up.
  private static let largestRadius = 20_004_000.0

  /// The center of the search.
  public var center: Coordinate
  /// The radius in meters, 1 ... 20,004,000; other values are clamped, and NaN counts as 1. A source applies its own maximum.
  public var radius: Double {
    didSet { radius = Self.valid(radius: radius) }
  }
  /// The size of the images.
  public var size: PhotoSize
  /// The licenses to accept.
  public var license: LicenseFilter
  /// The page of the answer, counted from 1.
  public var page: Int

  /// Creates a query; by default for the first page of photos 640 pixels wide or high, with any
  /// license.
  public init(
    center: Coordinate, radius: Double, size: PhotoSize = .pixels640,
    license: LicenseFilter = .any, page: Int = 1
  ) {
    self.center = center
    self.radius = Self.valid(radius: radius)
    self.size = size
    self.license = license
    self.page = page
  }

  private static func valid(radius: Double) -> Double {
    // In this order of arguments, NaN becomes the limit.
    min(max(1, radius), largestRadius)
  }
}

/// The size of an image; the raw value is Flickr's letter for it.
public enum PhotoSize: String, Hashable, Sendable, Codable, CaseIterable {
  /// A square of 75 pixels.
  case square75 = "s"
  /// A square of 150 pixels.
  case square150 = "q"
  /// 100 pixels on the longer side.
  case pixels100 = "t"
  /// 240 pixels on the longer side.
  case pixels240 = "m"
  /// 320 pixels on the longer side.
  case pixels320 = "n"
  /// 400 pixels on the longer side.
  case pixels400 = "w"
  /// 640 pixels on the longer side.
  case pixels640 = "z"
  /// 800 pixels on the longer side.
  case pixels800 = "c"
  /// 1,024 pixels on the longer side.
  case pixels1024 = "b"

  /// Pixels on the longer side.
  public var pixels: Int {
    switch self {
    case .square75: 75
    case .square150: 150
    case .pixels100: 100
    case .pixels240: 240
    case .pixels320: 320
    case .pixels400: 400
    case .pixels640: 640
    case .pixels800: 800
    case .pixels1024: 1024
    }
  }
}
