/// A geodesic of the WGS-84 ellipsoid, given by a position and the direction there.
///
/// Bessel's auxiliary sphere carries it over to a great circle: latitudes become reduced latitudes,
/// azimuths stay, and the distance and the longitude are integrals along the circle
/// (``SineSeries``).
struct GeodesicLine {
  /// Stands for a cosine of zero where the direction still counts: at a pole, on the equator.
  static let tiny = 1e-150
  /// Degrees below this, less than a nanometre, are none: their squares may underflow.
  static let leastDegrees = 1e-15

  /// The azimuth where the line crosses the equator northwards.
  let node: Angle
  /// The arc from the node to the start.
  let startArc: Angle
  /// The longitude on the auxiliary sphere from the node to the start.
  let startLongitude: Angle
  /// Karney's k² = e′² cos² α₀: the distance grows by √(1 + k² sin² σ) with the arc σ.
  let k2: Double
  /// Karney's expansion parameter ε, a function of k².
  private let epsilon: Double

  /// The line through a reduced latitude in the direction of an azimuth.
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

  /// How far the longitude on the ellipsoid lags behind the one on the sphere between the start
  /// and an arc, in radians.
  func longitudeLag(to end: Angle, arc: Double) -> Double {
    WGS84.flattening * node.sine
      * SineSeries.longitudeLag(epsilon).integral(from: startArc, to: end, arc: arc)
  }

  /// The length in metres between the start and an arc.
  func metres(to end: Angle, arc: Double) -> Double {
    WGS84.polarRadius * SineSeries.distance(epsilon).integral(from: startArc, to: end, arc: arc)
  }

  /// The latitude, and the longitude east of the start, in degrees, `metres` along the line.
  func position(at metres: Double) -> (latitude: Double, longitude: Double) {
    // Newton's method: the integral is all but linear, so the error is squared and shrinks by
    // k² more with every step, from 10⁻³ to nothing in three.
    let series = SineSeries.distance(epsilon)
    let target = metres / WGS84.polarRadius
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
