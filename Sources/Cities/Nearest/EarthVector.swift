import Geodesy

/// Positions as points in space, in meters from the center of the Earth.
///
/// Straight lines between points of the ellipsoid (chords) sort them nearly as geodesics do. Poles and
/// the date line are no special cases.
enum EarthVector {
  /// The point of the WGS-84 ellipsoid at a position, within 2 cm.
  @inline(__always)
  static func at(_ coordinate: Coordinate) -> SIMD3<Double> {
    let e2 = WGS84.eccentricitySquared
    let latitude = sineAndCosine(coordinate.latitude)
    let longitude = sineAndCosine(coordinate.longitude)
    // The series of (1 − u)⁻¹ᐟ², within 10⁻¹¹.
    let u = e2 * latitude.sine * latitude.sine
    let radius =
      WGS84.equatorialRadius * (1 + u * (0.5 + u * (0.375 + u * (0.3125 + u * 0.273_437_5))))
    return SIMD3(
      radius * latitude.cosine * longitude.cosine, radius * latitude.cosine * longitude.sine,
      radius * (1 - e2) * latitude.sine)
  }

  /// The sine and cosine of −180 ... 180 degrees, within 2 · 10⁻⁹.
  ///
  /// Taylor series within 45 degrees of a multiple of 90. Faster than the mathematics library, and
  /// the same on every machine, which the bytes of an index depend on.
  @inline(__always)
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
}
