/// A geodesic of the WGS-84 ellipsoid, given by a position and a direction.
///
/// It is a great circle on Bessel's auxiliary sphere, where latitudes are reduced latitudes and
/// azimuths stay the same. Distance and longitude are integrals along the circle (``SineSeries``).
struct GeodesicLine {
  /// Replaces a cosine of zero if the direction still matters: at a pole, on the equator.
  static let tiny = 1e-150
  /// Smaller differences in degrees count as 0: their squares may underflow.
  static let leastDegrees = 1e-15

  /// The azimuth where the line crosses the equator northwards.
  let node: Angle
  /// The arc from the node to the start.
  let startArc: Angle
  /// The longitude on the auxiliary sphere from the node to the start.
  let startLongitude: Angle
  /// Karney's k² = e′² cos² α₀; the distance grows with the arc σ by √(1 + k² sin² σ).
  let k2: Double
  /// Karney's expansion parameter ε, a function of k².
  private let epsilon: Double

  /// The line through a reduced latitude in the direction of an azimuth there.
  init(latitude: Angle, azimuth: Angle) {
    let along = azimuth.cosine * latitude.cosine
    let across = azimuth.sine * latitude.sine
    node = Angle(
      sine: azimuth.sine * latitude.cosine,
      cosine: (azimuth.cosine * azimuth.cosine + across * across).squareRoot())
    if latitude.sine == 0, azimuth.cosine == 0 {
      startArc = Angle(sine: 0, cosine: 1)
      startLongitude = startArc
    } else {
      startArc = Angle(y: latitude.sine, x: along)
      startLongitude = Angle(y: node.sine * latitude.sine, x: along)
    }
    k2 = WGS84.secondEccentricitySquared * node.cosine * node.cosine
    epsilon = k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
  }

  /// The reduced latitude of a geographic one in degrees, its cosine never zero.
  static func reducedLatitude(_ degrees: Double) -> Angle {
    let latitude = Angle(degrees: abs(degrees) < leastDegrees ? 0 : degrees)
    let reduced = Angle(y: WGS84.axisRatio * latitude.sine, x: latitude.cosine)
    return Angle(sine: reduced.sine, cosine: max(reduced.cosine, tiny))
  }

  /// The radians by which the longitude on the ellipsoid lags behind the one on the sphere.
  func longitudeLag(to end: Angle, arc: Double) -> Double {
    WGS84.flattening * node.sine
      * SineSeries.longitudeLag(epsilon).integral(from: startArc, to: end, arc: arc)
  }

  /// The length in meters between the start and an arc.
  func meters(to end: Angle, arc: Double) -> Double {
    WGS84.polarRadius * SineSeries.distance(epsilon).integral(from: startArc, to: end, arc: arc)
  }

  /// The latitude, and the longitude east of the start, in degrees, `meters` along the line.
  func position(at meters: Double) -> (latitude: Double, longitude: Double) {
    // Three steps of Newton's method take the error from 10⁻³ to below the rounding.
    let series = SineSeries.distance(epsilon)
    let target = meters / WGS84.polarRadius
    var arc = target
    var end = startArc + Angle(radians: arc)
    for _ in 0..<3 {
      let miss = target - series.integral(from: startArc, to: end, arc: arc)
      arc += miss / (1 + k2 * end.sine * end.sine).squareRoot()
      end = startArc + Angle(radians: arc)
    }
    let sine = node.cosine * end.sine
    let x = node.cosine * end.cosine
    let cosine = (node.sine * node.sine + x * x).squareRoot()
    let longitude = Angle(sine: node.sine * end.sine, cosine: end.cosine) - startLongitude
    return (
      Angle(sine: sine, cosine: WGS84.axisRatio * cosine).degrees,
      longitude.degrees - longitudeLag(to: end, arc: arc) * (180 / .pi)
    )
  }
}

/// An integral along a geodesic: a multiple of the arc plus a sine series in twice the arc.
///
/// From the node to the arc σ it is `scale · (σ + Σ cₗ sin 2lσ)`. The coefficients are power series
/// in ε, at most 0.0017 on WGS-84, and cut off after ε⁴, an error below 10 nm. Source: Karney,
/// "Algorithms for geodesics", Journal of Geodesy 87 (2013), equations 15–18 and 23–25.
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

  /// The lag of the longitude, in units of the flattening times the sine of the node's azimuth.
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
