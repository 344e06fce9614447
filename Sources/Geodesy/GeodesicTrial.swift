extension GeodesicProblem {
  /// The geodesic that starts at a trial azimuth, up to where it meets the end's parallel going
  /// north.
  struct Trial {
    private let line: GeodesicLine
    private let startAzimuth: Angle
    private let endAzimuth: Angle
    private let endArc: Angle
    /// The arc of the auxiliary sphere in radians.
    private let arc: Double
    /// By how many radians the longitude reached lies beyond the one wanted.
    let miss: Double
    /// The change of the longitude reached with the azimuth.
    let slope: Double

    init(_ problem: GeodesicProblem, azimuth: Angle, longitude: Angle) {
      let (start, end) = (problem.start, problem.end)
      let isEquatorial = start.sine == 0 && azimuth.cosine == 0
      startAzimuth =
        isEquatorial ? Angle(sine: azimuth.sine, cosine: -GeodesicLine.tiny) : azimuth
      line = GeodesicLine(latitude: start, azimuth: startAzimuth)

      // cos² β₂ − cos² β₁ as a product, from the smaller of the functions, against cancellation.
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

    /// How far the end moves sideways with the azimuth, in units of the polar radius.
    ///
    /// Karney 2013, equations 38 and 40. The integral of k² sin² σ / √(1 + k² sin² σ) is expanded
    /// up to k⁴: it only steers the search.
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

    var path: Path {
      Path(
        metres: line.metres(to: endArc, arc: arc),
        startAzimuth: startAzimuth, endAzimuth: endAzimuth)
    }
  }
}
