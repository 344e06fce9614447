/// The inverse problem in its canonical form: from a latitude −90 ... 0, going east by 0 ... 180
/// degrees, to a latitude no farther from the equator.
struct GeodesicProblem {
  /// The reduced latitude of the start.
  let start: Angle
  /// The reduced latitude of the end.
  let end: Angle
  /// Degrees to go east.
  let longitude: Double

  /// A path that solves the problem.
  struct Path {
    let metres: Double
    let startAzimuth: Angle
    let endAzimuth: Angle
  }

  func solution() -> Path {
    let east = Angle(degrees: longitude)
    if east.sine == 0 || start.cosine <= GeodesicLine.tiny {
      // A meridian is the shortest path wherever it leads, for the Earth is flattened at the poles.
      return Trial(self, azimuth: east, longitude: east).path
    }
    if start.sine == 0, longitude <= 180 * WGS84.axisRatio {
      let eastwards = Angle(sine: 1, cosine: 0)
      return Path(
        metres: WGS84.equatorialRadius * longitude * (.pi / 180),
        startAzimuth: eastwards, endAzimuth: eastwards)
    }
    return searched(longitude: east).path
  }

  /// The trial whose azimuth leads to the longitude.
  private func searched(longitude east: Angle) -> Trial {
    var low = Angle(sine: GeodesicLine.tiny, cosine: 1)
    var high = Angle(sine: GeodesicLine.tiny, cosine: -1)
    var azimuth = sphericalAzimuth()
    var trial = Trial(self, azimuth: azimuth, longitude: east)
    // Two or three rounds of Newton's method do for most pairs, and ten for antipodal ones. The limit
    // is what halving alone would take.
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

  /// The azimuth on a sphere, for a longitude stretched as the parallels between the two are.
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
