import Foundation

/// A position on the WGS-84 ellipsoid.
///
/// A `Coordinate` cannot hold an invalid position: the latitude is a number from −90 to 90 degrees
/// and the longitude one from −180 to 180 degrees.
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

extension Coordinate: Codable {
  /// Decodes the keys `latitude` and `longitude`.
  ///
  /// - Throws: `DecodingError`, with an ``InvalidCoordinate`` as the underlying error of values that
  ///   are not a position.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    do {
      try self.init(latitude: latitude, longitude: longitude)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }
}

/// Two numbers that are not a position: one of them is out of range or not a number.
public struct InvalidCoordinate: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The latitude in degrees, as given.
  public let latitude: Double
  /// The longitude in degrees, as given.
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

  /// The ``description``, for alerts.
  public var errorDescription: String? { description }

  /// The valid ranges.
  public var recoverySuggestion: String? {
    "Latitudes are −90 to 90 degrees, longitudes −180 to 180."
  }
}
