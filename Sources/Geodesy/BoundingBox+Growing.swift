extension BoundingBox {
  /// The box of a single position.
  public init(_ coordinate: Coordinate) {
    self.init(
      minLatitude: coordinate.latitude, minLongitude: coordinate.longitude,
      maxLatitude: coordinate.latitude, maxLongitude: coordinate.longitude)
  }

  /// A box of all the positions, grown in their order; `nil` if there are none.
  public init?(_ coordinates: some Sequence<Coordinate>) {
    var rest = coordinates.makeIterator()
    guard let first = rest.next() else { return nil }
    self.init(first)
    while let next = rest.next() { extend(to: next) }
  }

  /// Whether the box crosses the date line, where its western edge lies in the east.
  public var crossesDateLine: Bool { minLongitude > maxLongitude }

  /// Whether a position lies in the box or on its edge.
  ///
  /// The longitudes −180 and 180 are one, and at a pole all are.
  @inlinable
  public func contains(_ coordinate: Coordinate) -> Bool {
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    guard minLatitude <= latitude, latitude <= maxLatitude else { return false }
    return holds(longitude) || abs(latitude) == 90 || (abs(longitude) == 180 && holds(-longitude))
  }

  /// Grows the box to hold a position, over the date line if that is the shorter way.
  ///
  /// Along a walk in small steps this gives the smallest box. Positions scattered over the Earth
  /// are held too, though in another order they might make a smaller box: to find the smallest, one
  /// has to know all longitudes at once.
  @inlinable
  public mutating func extend(to coordinate: Coordinate) {
    if !contains(coordinate) { grow(to: coordinate) }
  }

  @usableFromInline
  mutating func grow(to coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    // A pole has no longitude: the first position away from it sets the edges.
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

  /// The degrees from one longitude eastwards to another, 0 ... 360.
  private static func turn(from start: Double, to end: Double) -> Double {
    end >= start ? end - start : end - start + 360
  }
}
