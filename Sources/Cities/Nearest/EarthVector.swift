import Geodesy

/// Positions as points in space, in meters from the center of the Earth.
///
/// Straight lines between points of the ellipsoid (chords) sort them nearly as geodesics do. They
/// know neither poles nor a date line, and cost three subtractions.
enum EarthVector {
  /// The point of the WGS-84 ellipsoid at a position, in single precision: within 0.5 m.
  static func at(_ coordinate: Coordinate) -> SIMD3<Float> {
    let e2 = WGS84.eccentricitySquared
    let latitude = sineAndCosine(coordinate.latitude)
    let longitude = sineAndCosine(coordinate.longitude)
    let radius = WGS84.equatorialRadius / (1 - e2 * latitude.sine * latitude.sine).squareRoot()
    return SIMD3(
      Float(radius * latitude.cosine * longitude.cosine),
      Float(radius * latitude.cosine * longitude.sine), Float(radius * (1 - e2) * latitude.sine))
  }

  /// The sine and cosine of −180 ... 180 degrees, within 2 · 10⁻⁹.
  ///
  /// Taylor series within 45 degrees of a multiple of 90. Faster than the mathematics library, and
  /// the same on every machine, as the bytes of an index have to be.
  private static func sineAndCosine(_ degrees: Double) -> (sine: Double, cosine: Double) {
    let quarters = Int(degrees * (1.0 / 90) + 4.5)
    let x = (degrees - Double(quarters - 4) * 90) * (.pi / 180)
    let y = x * x
    let sine =
      x * (1 - y * (1.0 / 6 - y * (1.0 / 120 - y * (1.0 / 5_040 - y * (1.0 / 362_880)))))
    let cosine =
      1 - y * (0.5 - y * (1.0 / 24 - y * (1.0 / 720 - y * (1.0 / 40_320 - y * (1.0 / 3_628_800)))))
    return switch quarters & 3 {
    case 0: (sine, cosine)
    case 1: (cosine, -sine)
    case 2: (-sine, -cosine)
    default: (-cosine, sine)
    }
  }

  /// The length in meters that a chord can have while its geodesic is no longer than that of another
  /// chord of `chord` meters from the same point.
  ///
  /// Chords of equally long arcs differ because curvature varies by 1 % over the ellipsoid: by
  /// x² / 4.5 of that, relatively, where x is the chord divided by the diameter. This allows twice as
  /// much, and 1.2 % where the series no longer holds (geodesics and great circles differ by at most
  /// 0.6 %). The remaining terms cover the rounding of ``at(_:)``.
  static func reach(_ chord: Double) -> Double {
    let x = chord / 12_713_000
    let bend = x < 0.35 ? 0.005 * x * x : 0.012
    return chord * (1 + bend + 2e-6) + 2
  }
}
