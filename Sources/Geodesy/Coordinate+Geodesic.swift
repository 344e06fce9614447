extension Coordinate {
  /// The length in metres of the shortest path on the WGS-84 ellipsoid.
  ///
  /// Right for every pair: at the poles, across the date line, between antipodes; 0 between two
  /// names of one place. Up to a quarter of a degree apart, some 28 km from south to north, it is a
  /// closed formula of a few nanoseconds (Gauss's mid-latitude method), within 50 nm of
  /// GeographicLib; beyond, the geodesic is searched for in under a microsecond (Karney 2013),
  /// within 20 nm.
  @inlinable
  public func distance(to other: Coordinate) -> Double {
    let north = other.latitude - latitude
    var east = abs(other.longitude - longitude)
    if east > 180 { east = 360 - east }
    guard abs(north) <= ShortDistance.reach, east <= ShortDistance.reach else {
      return Geodesic(from: self, to: other).length
    }
    return ShortDistance.metres(
      middleLatitude: (latitude + other.latitude) * 0.5, latitudes: north, longitudes: east)
  }

  /// The direction in degrees, 0 ..< 360 clockwise from true north, in which the shortest path to
  /// `other` starts.
  ///
  /// At a pole it counts from the meridian of this position's longitude. To the same place it is
  /// 0; where several paths are shortest, it is that of one of them, from the equator to the
  /// equator of a northern one. The error is that of moving a position by some nanometres.
  public func bearing(to other: Coordinate) -> Double {
    let path = Geodesic(from: self, to: other)
    guard path.length > 0 else { return 0 }
    let degrees = path.azimuth.degrees
    // A tiny negative angle rounds to a full turn.
    return degrees >= 0 ? degrees : (degrees + 360 < 360 ? degrees + 360 : 0)
  }

  /// The position reached by going `distance` metres along a geodesic that starts at `bearing`
  /// degrees.
  ///
  /// A negative distance goes backwards. The result is within 20 nm of GeographicLib's up to half
  /// round the Earth, and its longitude lies in −180 ... 180. A distance or bearing that is not
  /// finite leads nowhere: the result is the start.
  public func destination(distance: Double, bearing: Double) -> Coordinate {
    guard distance.isFinite, bearing.isFinite else { return self }
    let azimuth = Angle(degrees: bearing.remainder(dividingBy: 360))
    return destination(distance: distance, azimuth: azimuth)
  }

  /// The position at `fraction` (0 is here, 1 is `other`) of the geodesic to `other`.
  ///
  /// A fraction outside 0 ... 1 is taken as the nearer end, so that the result never lies beyond the
  /// two positions; one that is not a number is taken as 0.
  public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
    guard fraction > 0 else { return self }
    guard fraction < 1 else { return other }
    let path = Geodesic(from: self, to: other)
    return destination(distance: path.length * fraction, azimuth: path.azimuth)
  }

  private func destination(distance: Double, azimuth: Angle) -> Coordinate {
    guard distance != 0 else { return self }
    let line = GeodesicLine(
      latitude: GeodesicLine.reducedLatitude(latitude), azimuth: azimuth)
    let reached = line.position(at: distance)
    return Coordinate(
      validLatitude: reached.latitude,
      longitude: (longitude + reached.longitude).remainder(dividingBy: 360))
  }
}
