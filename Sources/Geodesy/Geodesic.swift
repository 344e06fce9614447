/// The shortest path between two positions on the WGS-84 ellipsoid: the inverse problem.
///
/// Source: Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), section 4. From the
/// solution on a sphere, Newton's method finds the azimuth at which the geodesic meets the end.
@usableFromInline
struct Geodesic {
  /// Meters.
  @usableFromInline let length: Double
  let azimuth: Angle

  @usableFromInline
  init(from start: Coordinate, to end: Coordinate) {
    var east = end.longitude - start.longitude
    if abs(east) > 180 { east -= east < 0 ? -360 : 360 }
    let isSamePole = start.latitude == end.latitude && abs(start.latitude) == 90
    if isSamePole || abs(east) < GeodesicLine.leastDegrees { east = 0 }

    // By symmetry it is enough to go east, from the south, and to start at the latitude that is
    // farther from the equator.
    let swapped = abs(start.latitude) < abs(end.latitude)
    let (from, to) = swapped ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
    if abs(from) < GeodesicLine.leastDegrees, east != 0, abs(east) <= 180 * WGS84.axisRatio {
      // Farther apart, the shortest path leaves the equator.
      length = WGS84.equatorialRadius * abs(east) * (.pi / 180)
      azimuth = Angle(sine: east < 0 ? -1 : 1, cosine: 0)
      return
    }
    let flipped = from >= 0
    let path = GeodesicProblem(
      start: GeodesicLine.reducedLatitude(flipped ? -from : from),
      end: GeodesicLine.reducedLatitude(flipped ? -to : to),
      longitude: abs(east)
    ).solution()
    let azimuth = swapped ? path.endAzimuth : path.startAzimuth
    length = path.meters
    self.azimuth = Angle(
      sine: east < 0 ? -azimuth.sine : azimuth.sine,
      cosine: swapped == flipped ? azimuth.cosine : -azimuth.cosine)
  }
}

/// The inverse problem in canonical form: from a latitude of −90 ... 0 degrees, east by 0 ... 180
/// degrees, to a latitude that is no farther from the equator.
struct GeodesicProblem {
  /// The reduced latitudes.
  let start: Angle
  let end: Angle
  /// Degrees to go east.
  let longitude: Double

  func solution() -> Trial {
    let east = Angle(degrees: longitude)
    if east.sine == 0 || start.cosine <= GeodesicLine.tiny {
      // Along a meridian no other path is shorter, because the Earth is flattened at the poles.
      return Trial(self, azimuth: east, longitude: east)
    }
    var low = Angle(sine: GeodesicLine.tiny, cosine: 1)
    var high = Angle(sine: GeodesicLine.tiny, cosine: -1)
    var azimuth = sphericalAzimuth()
    var trial = Trial(self, azimuth: azimuth, longitude: east)
    // Most pairs take two or three rounds, antipodes about ten. Halving alone would take the limit.
    var rounds = 0
    while abs(trial.miss) > 1e-15, rounds < 100 {
      rounds += 1
      if trial.miss > 0 { high = azimuth } else { low = azimuth }
      let next = azimuth + Angle(radians: -trial.miss / trial.slope)
      let isBracketed = (next - low).sine > 0 && (high - next).sine > 0
      if trial.slope > 0, isBracketed {
        azimuth = Angle(y: next.sine, x: next.cosine)
      } else {
        azimuth = Angle(y: low.sine + high.sine, x: low.cosine + high.cosine)
      }
      trial = Trial(self, azimuth: azimuth, longitude: east)
    }
    return trial
  }

  /// The azimuth on a sphere, for a longitude that is stretched like the parallels in between.
  private func sphericalAzimuth() -> Angle {
    let cosine = (start.cosine + end.cosine) / 2
    let stretch = (1 - WGS84.eccentricitySquared * cosine * cosine).squareRoot()
    let east = Angle(radians: min(longitude * (.pi / 180) / stretch, .pi))
    let sine = end.cosine * east.sine
    let half = end.cosine * start.sine * east.sine * east.sine
    let northwards =
      east.cosine >= 0
      ? end.sine * start.cosine - end.cosine * start.sine + half / (1 + east.cosine)
      : end.sine * start.cosine + end.cosine * start.sine - half / (1 - east.cosine)
    return Angle(y: sine, x: northwards)
  }
}

extension GeodesicProblem {
  /// The geodesic from a trial azimuth to where it meets the end's parallel going north.
  struct Trial {
    private let line: GeodesicLine
    let startAzimuth: Angle
    let endAzimuth: Angle
    private let endArc: Angle
    /// The arc between the two on the auxiliary sphere, in radians.
    private let arc: Double
    /// The longitude reached minus the longitude wanted, in radians.
    let miss: Double
    /// The derivative of the longitude reached by the azimuth.
    let slope: Double

    init(_ problem: GeodesicProblem, azimuth: Angle, longitude: Angle) {
      let (start, end) = (problem.start, problem.end)
      let isEquatorial = start.sine == 0 && azimuth.cosine == 0
      startAzimuth =
        isEquatorial ? Angle(sine: azimuth.sine, cosine: -GeodesicLine.tiny) : azimuth
      line = GeodesicLine(latitude: start, azimuth: startAzimuth)

      // cos² β₂ − cos² β₁, written as a product of the smaller functions to avoid cancellation.
      let gain =
        start.cosine < -start.sine
        ? (end.cosine - start.cosine) * (end.cosine + start.cosine)
        : (start.sine - end.sine) * (start.sine + end.sine)
      let along = startAzimuth.cosine * start.cosine
      let endAlong = (along * along + gain).squareRoot()
      endAzimuth = Angle(y: line.node.sine, x: endAlong)
      endArc = Angle(y: end.sine, x: endAlong)

      let turn = endArc - line.startArc
      arc = Angle(sine: turn.sine > 0 ? turn.sine : 0, cosine: turn.cosine).radians
      let sphere = Angle(y: line.node.sine * end.sine, x: endAlong) - line.startLongitude
      miss = (sphere - longitude).radians - line.longitudeLag(to: endArc, arc: arc)
      slope =
        endAlong == 0
        ? -2 * WGS84.axisRatio * Self.stretch(start) / start.sine
        : WGS84.axisRatio / endAlong
          * Self.reducedLength(line, from: start, to: end, endArc: endArc, arc: arc)
    }

    /// The sideways movement of the end as the azimuth changes, in units of the polar radius.
    ///
    /// Source: Karney 2013, equations 38 and 40, with the integral expanded up to k⁴.
    private static func reducedLength(
      _ line: GeodesicLine, from start: Angle, to end: Angle, endArc: Angle, arc: Double
    ) -> Double {
      let (a, b) = (line.startArc, endArc)
      let (a2, b2) = (a.sine * a.sine, b.sine * b.sine)
      let (a1, b1) = (a.sine * a.cosine, b.sine * b.cosine)
      let power2 = (arc - (b1 - a1)) / 2
      let power4 = (3 * power2 - (b1 * b2 - a1 * a2)) / 4
      let integral = line.k2 * (power2 - line.k2 * power4 / 2)
      return stretch(end) * a.cosine * b.sine - stretch(start) * a.sine * b.cosine
        - a.cosine * b.cosine * integral
    }

    /// The ratio of the distance to the arc at a reduced latitude, √(1 + k² sin² σ).
    private static func stretch(_ latitude: Angle) -> Double {
      (1 + WGS84.secondEccentricitySquared * latitude.sine * latitude.sine).squareRoot()
    }

    var meters: Double { line.meters(to: endArc, arc: arc) }
  }
}
