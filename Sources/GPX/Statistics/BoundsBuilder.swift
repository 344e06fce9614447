import Geodesy

/// Finds the box around positions, across the date line too.
///
/// Longitudes are counted on from one position to the next, the shorter way round.
struct BoundsBuilder {
  private var latitudes: ClosedRange<Double>?
  private var longitudes = 0.0...0.0
  /// The longitude of the last position, counted on past ±180.
  private var longitude = 0.0

  init() {}

  mutating func add(_ coordinate: Coordinate) {
    guard let range = latitudes else {
      latitudes = coordinate.latitude...coordinate.latitude
      longitude = coordinate.longitude
      longitudes = longitude...longitude
      return
    }
    let latitude = coordinate.latitude
    latitudes = min(range.lowerBound, latitude)...max(range.upperBound, latitude)
    let turns = ((longitude - coordinate.longitude) / 360).rounded()
    longitude = coordinate.longitude + turns * 360
    longitudes = min(longitudes.lowerBound, longitude)...max(longitudes.upperBound, longitude)
  }

  /// The box, whose `minLongitude` is above its `maxLongitude` when it crosses the date line.
  var box: BoundingBox? {
    guard let latitudes else { return nil }
    let isWhole = longitudes.upperBound - longitudes.lowerBound >= 360
    return BoundingBox(
      minLatitude: latitudes.lowerBound,
      minLongitude: isWhole ? -180 : Self.normalized(longitudes.lowerBound),
      maxLatitude: latitudes.upperBound,
      maxLongitude: isWhole ? 180 : Self.normalized(longitudes.upperBound))
  }

  private static func normalized(_ longitude: Double) -> Double {
    abs(longitude) <= 180 ? longitude : longitude - 360 * (longitude / 360).rounded()
  }
}
