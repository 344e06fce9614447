import Geodesy

/// What is searched for: photos taken around a place.
public struct PhotoQuery: Hashable, Sendable {
  /// The middle of the place.
  public var center: Coordinate
  /// Metres around it, more than 0; a source takes no more than its own maximum.
  public var radius: Double
  /// The size of the images.
  public var size: PhotoSize
  /// The licences that are accepted.
  public var license: LicenseFilter
  /// The page of the answer, counted from 1.
  public var page: Int

  public init(
    center: Coordinate, radius: Double, size: PhotoSize = .z, license: LicenseFilter = .any,
    page: Int = 1
  ) {
    self.center = center
    self.radius = radius
    self.size = size
    self.license = license
    self.page = page
  }
}
