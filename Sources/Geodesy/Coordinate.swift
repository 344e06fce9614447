/// A position on the WGS-84 ellipsoid.
///
/// A `Coordinate` cannot hold an invalid position: both parts are finite, the latitude lies in
/// −90 ... 90 degrees and the longitude in −180 ... 180 degrees.
@frozen
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90 ... 90.
  public let latitude: Double
  /// Degrees east of Greenwich, −180 ... 180.
  public let longitude: Double

  /// Creates a position from degrees.
  ///
  /// - Throws: ``InvalidCoordinate`` with the offending values when either is not finite or out
  ///   of range.
  @inlinable
  public init(latitude: Double, longitude: Double) throws(InvalidCoordinate) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      throw InvalidCoordinate(latitude: latitude, longitude: longitude)
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a position from degrees that are in range by construction, such as the result of a
  /// computation on valid positions; checked in debug builds only.
  @inlinable
  package init(validLatitude latitude: Double, longitude: Double) {
    assert(abs(latitude) <= 90 && abs(longitude) <= 180)
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// The values that are not a position: not finite, or out of range.
public struct InvalidCoordinate: Error, Hashable, Sendable {
  /// The latitude as it was given, in degrees.
  public let latitude: Double
  /// The longitude as it was given, in degrees.
  public let longitude: Double

  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension InvalidCoordinate: CustomStringConvertible {
  public var description: String {
    "latitude \(latitude), longitude \(longitude) is not a position on Earth"
  }
}
