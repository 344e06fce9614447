/// The rectangle of latitudes and longitudes around a set of positions.
///
/// In a box that crosses the date line, `minLongitude` is greater than `maxLongitude`.
public struct BoundingBox: Hashable, Sendable, Codable {
  /// The southern edge in degrees.
  public var minLatitude: Double
  /// The western edge in degrees.
  public var minLongitude: Double
  /// The northern edge in degrees.
  public var maxLatitude: Double
  /// The eastern edge in degrees.
  public var maxLongitude: Double

  /// Creates a box from its edges in degrees.
  public init(
    minLatitude: Double, minLongitude: Double, maxLatitude: Double, maxLongitude: Double
  ) {
    self.minLatitude = minLatitude
    self.minLongitude = minLongitude
    self.maxLatitude = maxLatitude
    self.maxLongitude = maxLongitude
  }

  /// The box of a single position.
  public init(_ coordinate: Coordinate) {
    self.init(
      minLatitude: coordinate.latitude, minLongitude: coordinate.longitude,
      maxLatitude: coordinate.latitude, maxLongitude: coordinate.longitude)
  }

  /// The box around positions, extended to each of them in turn; `nil` if there are none. O(n).
  public init?(_ coordinates: some Sequence<Coordinate>) {
    var rest = coordinates.makeIterator()
    guard let first = rest.next() else { return nil }
    self.init(first)
    while let next = rest.next() { extend(to: next) }
  }

  /// Whether the box crosses the date line: its western edge then has the greater longitude.
  public var crossesDateLine: Bool { minLongitude > maxLongitude }

  /// Whether a position is in the box or on its edge. O(1).
  ///
  /// The longitudes −180 and 180 are the same meridian, and a pole is on every meridian.
  @inlinable
  public func contains(_ coordinate: Coordinate) -> Bool {
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    guard minLatitude <= latitude, latitude <= maxLatitude else { return false }
    return holds(longitude) || abs(latitude) == 90 || (abs(longitude) == 180 && holds(-longitude))
  }

  /// Extends the box to a position, across the date line if that is the shorter way. O(1).
  ///
  /// For a track, which moves in small steps, this gives the smallest box.
  @inlinable
  public mutating func extend(to coordinate: Coordinate) {
    if !contains(coordinate) { grow(to: coordinate) }
  }

  @usableFromInline
  mutating func grow(to coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    // A box that is only a pole has no meaningful longitude: the next position sets the edges.
    let isPole = minLatitude == 90 || maxLatitude == -90
    minLatitude = min(minLatitude, latitude)
    maxLatitude = max(maxLatitude, latitude)
    if isPole { (minLongitude, maxLongitude) = (longitude, longitude) }
    guard !contains(coordinate) else { return }

    let east = Self.turn(from: maxLongitude, to: longitude)
    let west = Self.turn(from: longitude, to: minLongitude)
    let staysEast = maxLongitude <= longitude
    if east < west || (east == west && staysEast) {
      maxLongitude = longitude
    } else {
      minLongitude = longitude
    }
  }

  @inlinable
  func holds(_ longitude: Double) -> Bool {
    if minLongitude <= maxLongitude {
      return minLongitude <= longitude && longitude <= maxLongitude
    }
    return minLongitude <= longitude || longitude <= maxLongitude
  }

  /// The degrees to go east from one longitude to another, 0 ... 360.
  private static func turn(from start: Double, to end: Double) -> Double {
    end >= start ? end - start : end - start + 360
  }
}
