/// The WGS-84 ellipsoid of revolution and the figures that follow from its two defining ones.
///
/// Source: NGA.STND.0036, "Department of Defense World Geodetic System 1984". Computed properties,
/// because inlined code can fold them where it could only load a stored one.
@usableFromInline
enum WGS84 {
  /// The equatorial radius a in metres.
  @inlinable static var equatorialRadius: Double { 6_378_137 }
  /// The flattening f = (a − b) / a.
  @inlinable static var flattening: Double { 1 / 298.257_223_563 }
  /// The ratio b / a of the polar to the equatorial radius.
  @inlinable static var axisRatio: Double { 1 - flattening }
  /// The polar radius b in metres.
  @inlinable static var polarRadius: Double { equatorialRadius * axisRatio }
  /// The third flattening n = (a − b) / (a + b).
  @inlinable static var thirdFlattening: Double { flattening / (2 - flattening) }
  /// The square of the first eccentricity, e² = (a² − b²) / a².
  @inlinable static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// The square of the second eccentricity, e′² = (a² − b²) / b².
  @inlinable static var secondEccentricitySquared: Double {
    eccentricitySquared / (axisRatio * axisRatio)
  }
}
