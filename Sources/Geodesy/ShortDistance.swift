/// The length and direction of short geodesics in closed form.
///
/// The ends are half a latitude difference Δφ north and south of a middle latitude φ, and half a
/// longitude difference Δλ east and west. The square of their chord, expanded in Δφ and Δλ at φ,
/// plus κ²/12 times its own square, where κ is the curvature of the ellipsoid along it, is the
/// square of the arc except for terms of the sixth order. With the radius of curvature M of the
/// meridian, its derivatives M′ and M″ by latitude, and the radius ρ of the parallel, all at φ:
///
///     s² = M²Δφ² + ρ²Δλ² + MM″/12 Δφ⁴ − ((ρM′ sin φ + M² sin² φ)/4 + ρM cos φ/12) Δφ²Δλ²
///          − ρ² sin² φ/12 Δλ⁴
///
/// This is Gauss's mid-latitude method (see Rapp, "Geometric Geodesy", part I) solved for the
/// square of the length. No term has a tangent of the latitude, so it holds up to the poles.
/// Everything depends on sin² φ, which a short polynomial gives without the mathematics library.
@usableFromInline
enum ShortDistance {
  /// The largest difference in latitude or longitude, in degrees; the error is at most 50 nm up to
  /// there, and so is the step to the full solution.
  @inlinable static var reach: Double { 0.25 }

  /// The sum of the squared differences in degrees, about 220 m, below which the terms of the
  /// fourth order are left out: they amount to less than 50 nm.
  @inlinable static var quadraticReach: Double { 4e-6 }

  /// The length in meters of the geodesic across differences of up to ``reach`` degrees, of either
  /// sign, around a middle latitude in degrees.
  @inlinable
  static func meters(middleLatitude: Double, latitudes: Double, longitudes: Double) -> Double {
    // Lengths are in units of the equatorial radius times w⁻³ᐟ², where w = 1 − e² sin² φ:
    // M² = (1 − e²)², ρ² = cos² φ w², ρM cos φ = (1 − e²) cos² φ w, M′/M = 3e² sin φ cos φ / w,
    // M″/M = 3e² (cos² φ − sin² φ + 5e² sin² φ cos² φ / w) / w, and 1 / w is nearly 1 + e² sin² φ.
    let (sin2, cos2) = squares(ofLatitude: middleLatitude)
    let (x, y) = (latitudes * latitudes, longitudes * longitudes)
    let e2 = WGS84.eccentricitySquared
    let f2 = 1 - e2
    let bulge = e2 * sin2
    let w = 1 - bulge
    let w2 = w * w
    var square = x * (f2 * f2) + y * (cos2 * w2)
    if x + y > quadraticReach {
      let degree = Double.pi / 180
      let bend = e2 * f2 * f2 * ((cos2 - sin2) * (1 + bulge) + 5 * e2 * (sin2 * cos2))
      let cross = f2 * (f2 * sin2 + cos2 * (w * (1.0 / 3) + 3 * bulge))
      square +=
        degree * degree / 4 * (x * (x * bend - y * cross) - y * y * (cos2 * w2 * sin2 * (1.0 / 3)))
    }
    return WGS84.equatorialRadius * (.pi / 180) * (square * w).squareRoot() / w2
  }

  /// The direction in degrees, −180 ... 180 or a little beyond, in which the geodesic starts, for
  /// signed differences within ``quadraticReach``.
  ///
  /// At the start it differs from that at the middle by half the convergence of the meridians,
  /// Δλ sin φ. The terms left out move the end by less than 10 nm.
  static func azimuth(
    middleLatitude: Double, latitudes: Double, longitudes: Double
  ) -> Double {
    let (sin2, cos2) = squares(ofLatitude: middleLatitude)
    let e2 = WGS84.eccentricitySquared
    let north = latitudes * (1 - e2)
    let east = longitudes * (cos2.squareRoot() * (1 - e2 * sin2))
    let sine = middleLatitude < 0 ? -sin2.squareRoot() : sin2.squareRoot()
    return Angle(sine: east, cosine: north).degrees - longitudes * sine / 2
  }

  /// The squares of the sine and cosine of a latitude in degrees.
  ///
  /// The smaller of the two comes from the Taylor series of the squared sine up to the 16th power,
  /// with a relative error of 6 · 10⁻¹³ at 45 degrees, so the cosine stays exact near the poles.
  @inlinable
  static func squares(ofLatitude latitude: Double) -> (sine: Double, cosine: Double) {
    let angle = abs(latitude)
    let isPolar = angle > 45
    let small = isPolar ? 90 - angle : angle
    let v = small * small * (.pi / 180 * .pi / 180)
    let v2 = v * v
    let low = 1 - v * (1.0 / 3) + v2 * (2.0 / 45 - v * (1.0 / 315))
    let high =
      2.0 / 14_175 - v * (2.0 / 467_775) + v2 * (4.0 / 42_567_525 - v * (1.0 / 638_512_875))
    let square = v * (low + v2 * v2 * high)
    return isPolar ? (1 - square, square) : (square, 1 - square)
  }
}
