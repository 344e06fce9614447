import Geodesy

/// Positions as points in space, in metres from the centre of the Earth.
///
/// The straight line between two points of the ellipsoid orders them nearly as the geodesic does, has
/// no poles and no date line, and costs three subtractions.
enum EarthVector {
  /// The point of the WGS-84 ellipsoid at a position, rounded to single precision: within 0.5 m.
  static func at(_ coordinate: Coordinate) -> SIMD3<Float> {
    let e2 = 0.006_694_379_990_141_317
    let latitude = sineAndCosine(coordinate.latitude)
    let longitude = sineAndCosine(coordinate.longitude)
    let radius = 6_378_137 / (1 - e2 * latitude.sine * latitude.sine).squareRoot()
    return SIMD3(
      Float(radius * latitude.cosine * longitude.cosine),
      Float(radius * latitude.cosine * longitude.sine), Float(radius * (1 - e2) * latitude.sine))
  }

  /// The sine and cosine of −180 ... 180 degrees, within 2 · 10⁻⁹.
  ///
  /// Taylor series within 45 degrees of a multiple of 90. Faster than the mathematics library, and the
  /// same on every machine, as the bytes of an index have to be.
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

  /// How long a chord may be, in metres, for its geodesic not to be longer than that of a chord of
  /// `chord` metres from the same point.
  ///
  /// Two arcs of equal length have chords that differ by their curvatures, which vary by 1 % over the
  /// ellipsoid: relatively, by x² / 4.5 of that where x is the chord over the diameter. Twice as much
  /// is allowed for here, and 1.2 % where the series no longer holds (geodesics and great circles
  /// differ by at most 0.6 %). The rest is for the rounding of ``at(_:)``.
  static func reach(_ chord: Double) -> Double {
    let x = chord / 12_713_000
    let bend = x < 0.35 ? 0.005 * x * x : 0.012
    return chord * (1 + bend + 2e-6) + 2
  }
}
