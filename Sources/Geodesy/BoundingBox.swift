/// A rectangle of latitudes and longitudes that holds a set of positions.
///
/// A box that crosses the date line has a `minLongitude` greater than its `maxLongitude`.
public struct BoundingBox: Hashable, Sendable, Codable {
  /// The southern edge in degrees.
  public var minLatitude: Double
  /// The western edge in degrees.
  public var minLongitude: Double
  /// The northern edge in degrees.
  public var maxLatitude: Double
  /// The eastern edge in degrees.
  public var maxLongitude: Double

  public init(
    minLatitude: Double, minLongitude: Double, maxLatitude: Double, maxLongitude: Double
  ) {
    self.minLatitude = minLatitude
    self.minLongitude = minLongitude
    self.maxLatitude = maxLatitude
    self.maxLongitude = maxLongitude
  }
}
