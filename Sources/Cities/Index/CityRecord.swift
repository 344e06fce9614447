import Geodesy

/// One city as the index holds it: 28 bytes, little-endian.
struct CityRecord {
  var id: UInt32
  /// Degrees times ``coordinateScale``.
  var latitude: Int32
  var longitude: Int32
  /// ``unknownPopulation`` if the source does not say.
  var population: UInt32
  var nameOffset: UInt32
  var nameCount: UInt16
  /// Position in the list of regions, or ``noEntry``.
  var region: UInt16
  /// Position in the list of time zones, or ``noEntry``.
  var zone: UInt16
  /// ``CountryCode``, or 0 for none.
  var country: UInt16

  static let coordinateScale = 1e7
  static let unknownPopulation = UInt32.max
  static let noEntry = UInt16.max

  /// Whether the position is one, which every record of an index is checked for.
  var isOnTheGlobe: Bool {
    abs(Int(latitude)) <= 900_000_000 && abs(Int(longitude)) <= 1_800_000_000
  }

  /// The position; its decimals come back as they were written.
  var coordinate: Coordinate {
    do {
      return try Coordinate(
        latitude: Double(latitude) / Self.coordinateScale,
        longitude: Double(longitude) / Self.coordinateScale)
    } catch {
      preconditionFailure("records are checked before they are read: \(error)")
    }
  }

  /// The nearest number that a record holds for an angle in degrees.
  static func fixed(_ degrees: Double) -> Int32 {
    Int32((degrees * coordinateScale).rounded())
  }
}
