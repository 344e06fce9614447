/// The WGS-84 ellipsoid: its two defining constants and what follows from them.
///
/// Source: NGA.STND.0036, "Department of Defense World Geodetic System 1984". The properties are
/// computed because inlined code can fold a computed constant but would have to load a stored one.
@usableFromInline
package enum WGS84 {
  /// The equatorial radius a in meters.
  @inlinable package static var equatorialRadius: Double { 6_378_137 }
  /// The flattening f = (a − b) / a.
  @inlinable package static var flattening: Double { 1 / 298.257_223_563 }
  /// The square of the first eccentricity, e² = (a² − b²) / a².
  @inlinable package static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// The length in meters of a meridian from pole to pole, half the circumference of its ellipse.
  ///
  /// Source: Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), equation 17, where ε
  /// is n on a meridian; the terms left out are far below a nanometer.
  @inlinable package static var meridianLength: Double {
    let n2 = thirdFlattening * thirdFlattening
    return .pi * (equatorialRadius + polarRadius) / 2 * (1 + n2 / 4 + n2 * n2 / 64)
  }

  /// The ratio b / a of the polar to the equatorial radius.
  @inlinable package static var axisRatio: Double { 1 - flattening }
  /// The polar radius b in meters.
  @inlinable package static var polarRadius: Double { equatorialRadius * axisRatio }
  /// The third flattening n = (a − b) / (a + b).
  @inlinable package static var thirdFlattening: Double { flattening / (2 - flattening) }
  /// The square of the second eccentricity, e′² = (a² − b²) / b².
  @inlinable package static var secondEccentricitySquared: Double {
    eccentricitySquared / (axisRatio * axisRatio)
  }
}
