/// A position on the WGS-84 ellipsoid.
///
/// A `Coordinate` cannot hold an invalid position.
@frozen
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90 ... 90.
  public let latitude: Double
  /// Degrees east of Greenwich, −180 ... 180.
  public let longitude: Double

  /// Creates a position from degrees.
  ///
  /// - Throws: ``InvalidCoordinate`` when either is out of range or not a number.
  @inlinable
  public init(latitude: Double, longitude: Double) throws(InvalidCoordinate) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      throw InvalidCoordinate(latitude: latitude, longitude: longitude)
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a position from degrees that are known to be in range; only debug builds check them.
  @inlinable
  package init(validLatitude latitude: Double, longitude: Double) {
    assert(abs(latitude) <= 90 && abs(longitude) <= 180)
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The nearest position to degrees that rounding may have taken just out of range.
  package static func clamped(latitude: Double, longitude: Double) -> Coordinate {
    Coordinate(
      validLatitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180))
  }
}

/// Two numbers that are not a position: one of them is out of range or not a number.
public struct InvalidCoordinate: Error, Hashable, Sendable, CustomStringConvertible {
  /// The latitude in degrees, as it was given.
  public let latitude: Double
  /// The longitude in degrees, as it was given.
  public let longitude: Double

  /// Creates the error for these values.
  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A sentence with both values.
  public var description: String {
    "latitude \(latitude), longitude \(longitude) is not a position on Earth"
  }

  /// The valid ranges.
  public var recoverySuggestion: String? {
    "Latitudes are −90 to 90 degrees, longitudes −180 to 180."
  }
}
