/// An integral along a geodesic as a multiple of the arc plus a sine series in twice the arc.
///
/// The integral from the node, where the geodesic crosses the equator northwards, to the arc σ is
/// `scale · (σ + Σ cₗ sin 2lσ)`. The coefficients are power series in ε, at most 0.0017 on WGS-84,
/// cut after ε⁴, which leaves less than 10 nm of the longest geodesic. Source: Karney, "Algorithms
/// for geodesics", Journal of Geodesy 87 (2013), equations 15–18 and 23–25.
struct SineSeries {
  private let scale: Double
  private let coefficients: (Double, Double, Double, Double)

  /// The distance, in units of the polar radius.
  static func distance(_ epsilon: Double) -> SineSeries {
    let e = epsilon
    let e2 = e * e
    return SineSeries(
      scale: (1 + e2 / 4 + e2 * e2 / 64) / (1 - e),
      coefficients: (
        e * (-1.0 / 2 + e2 * (3.0 / 16)),
        e2 * (-1.0 / 16 + e2 / 32),
        e2 * e * (-1.0 / 48),
        e2 * e2 * (-5.0 / 512)
      ))
  }

  /// What the longitude on the ellipsoid lags behind the one on the auxiliary sphere, in units of
  /// the flattening times the sine of the geodesic's azimuth at the node.
  static func longitudeLag(_ epsilon: Double) -> SineSeries {
    let e = epsilon
    let n = WGS84.thirdFlattening
    return SineSeries(
      scale: 1 - e
        * ((1 - n) / 2 + e
          * ((2 + n - 3 * n * n) / 8 + e * ((1 + 3 * n + n * n) / 16 + e * (3 + 2 * n) / 64))),
      coefficients: (
        e
          * ((1 - n) / 4 + e
            * ((1 - n * n) / 8 + e * ((3 + 3 * n - n * n) / 64 + e * (5 + 2 * n) / 128))),
        e * e * ((2 - 3 * n + n * n) / 32 + e * ((3 - 2 * n - 3 * n * n) / 64 + e * (3 + n) / 128)),
        e * e * e * ((5 - 9 * n + 5 * n * n) / 192 + e * (9 - 10 * n) / 384),
        e * e * e * e * (7 - 14 * n) / 512
      ))
  }

  /// The integral from one arc to another, with the arc between them in radians.
  func integral(from start: Angle, to end: Angle, arc: Double) -> Double {
    scale * (arc + (oscillation(at: end) - oscillation(at: start)))
  }

  private func oscillation(at angle: Angle) -> Double {
    let sine = 2 * angle.sine * angle.cosine
    let cosine = (angle.cosine - angle.sine) * (angle.cosine + angle.sine)
    let (c1, c2, c3, c4) = coefficients
    let double = 2 * cosine
    // The multiple-angle polynomials of the second kind: sin 4σ = sin 2σ · 2 cos 2σ, and so on.
    return sine * (c1 - c3 + double * (c2 - 2 * c4 + double * (c3 + double * c4)))
  }
}
