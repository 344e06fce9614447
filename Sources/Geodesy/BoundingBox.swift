/// The rectangle of latitudes and longitudes around a set of positions.
///
/// In a box that crosses the date line, `minimumLongitude` is greater than `maximumLongitude`.
public struct BoundingBox: Hashable, Sendable, Codable {
  /// The southern edge in degrees.
  public var minimumLatitude: Double
  /// The western edge in degrees.
  public var minimumLongitude: Double
  /// The northern edge in degrees.
  public var maximumLatitude: Double
  /// The eastern edge in degrees.
  public var maximumLongitude: Double

  private enum CodingKeys: String, CodingKey {
    case minimumLatitude = "minLatitude"
    case minimumLongitude = "minLongitude"
    case maximumLatitude = "maxLatitude"
    case maximumLongitude = "maxLongitude"
  }

  /// Creates a box from its edges in degrees.
  public init(
    minimumLatitude: Double, minimumLongitude: Double, maximumLatitude: Double,
    maximumLongitude: Double
  ) {
    self.minimumLatitude = minimumLatitude
    self.minimumLongitude = minimumLongitude
    self.maximumLatitude = maximumLatitude
    self.maximumLongitude = maximumLongitude
  }

  /// The box of a single position.
  public init(_ coordinate: Coordinate) {
    self.init(
      minimumLatitude: coordinate.latitude, minimumLongitude: coordinate.longitude,
      maximumLatitude: coordinate.latitude, maximumLongitude: coordinate.longitude)
  }

  /// The box around positions, extended to each of them in turn; `nil` if there are none. O(n).
  public init?(_ coordinates: some Sequence<Coordinate>) {
    var rest = coordinates.makeIterator()
    guard let first = rest.next() else { return nil }
    self.init(first)
    while let next = rest.next() { extend(to: next) }
  }

  /// Whether the box crosses the date line: its western edge then has the greater longitude.
  public var crossesDateLine: Bool { minimumLongitude > maximumLongitude }

  /// Whether a position is in the box or on its edge. O(1).
  ///
  /// The longitudes −180 and 180 are the same meridian, and a pole is on every meridian.
  @inlinable
  public func contains(_ coordinate: Coordinate) -> Bool {
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    guard minimumLatitude <= latitude, latitude <= maximumLatitude else { return false }
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
    let isPole = minimumLatitude == 90 || maximumLatitude == -90
    minimumLatitude = min(minimumLatitude, latitude)
    maximumLatitude = max(maximumLatitude, latitude)
    if isPole { (minimumLongitude, maximumLongitude) = (longitude, longitude) }
    guard !contains(coordinate) else { return }

    let east = Self.turn(from: maximumLongitude, to: longitude)
    let west = Self.turn(from: longitude, to: minimumLongitude)
    let staysEast = maximumLongitude <= longitude
    if east < west || (east == west && staysEast) {
      maximumLongitude = longitude
    } else {
      minimumLongitude = longitude
    }
  }

  @inlinable
  func holds(_ longitude: Double) -> Bool {
    if minimumLongitude <= maximumLongitude {
      return minimumLongitude <= longitude && longitude <= maximumLongitude
    }
    return minimumLongitude <= longitude || longitude <= maximumLongitude
  }

  /// The degrees to go east from one longitude to another, 0 ... 360.
  private static func turn(from start: Double, to end: Double) -> Double {
    end >= start ? end - start : end - start + 360
  }
}
