import Testing

@testable import Geodesy

/// The series against the integrals they stand for, summed up by Simpson's rule.
@Suite struct SineSeriesTests {
  /// All of k² that WGS-84 has: from along the equator to along a meridian.
  static let k2s = [0, 1e-6, 0.001, 0.004, WGS84.secondEccentricitySquared]

  static func epsilon(_ k2: Double) -> Double {
    k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
  }

  static func simpson(from start: Double, to end: Double, _ f: (Double) -> Double) -> Double {
    let count = 2_000
    let step = (end - start) / Double(count)
    let sum = (1..<count).reduce(f(start) + f(end)) { sum, index in
      sum + f(start + step * Double(index)) * (index.isMultiple(of: 2) ? 2 : 4)
    }
    return sum * step / 3
  }

  static func stretch(_ k2: Double, _ arc: Double) -> Double {
    let sine = Angle(radians: arc).sine
    return (1 + k2 * sine * sine).squareRoot()
  }

  @Test(arguments: k2s, [(0.0, 3.1), (-1.5, 1.4), (0.3, 0.31), (1, 4)])
  func sumsTheDistance(k2: Double, arcs: (Double, Double)) {
    let (start, end) = arcs
    let expected = Self.simpson(from: start, to: end) { Self.stretch(k2, $0) }
    let sum = SineSeries.distance(Self.epsilon(k2))
      .integral(from: Angle(radians: start), to: Angle(radians: end), arc: end - start)
    // The rounding of the two thousand terms; a missing term of the fourth order is eight times it.
    #expect(abs(sum - expected) < 1e-14)
  }

  @Test(arguments: k2s, [(0.0, 3.1), (-1.5, 1.4), (0.3, 0.31), (1, 4)])
  func sumsTheLagOfTheLongitude(k2: Double, arcs: (Double, Double)) {
    let (start, end) = arcs
    let expected = Self.simpson(from: start, to: end) {
      (1 + WGS84.axisRatio) / (1 + WGS84.axisRatio * Self.stretch(k2, $0))
    }
    let sum = SineSeries.longitudeLag(Self.epsilon(k2))
      .integral(from: Angle(radians: start), to: Angle(radians: end), arc: end - start)
    // The flattening takes this to a third of a nanometer in the longitude.
    #expect(abs(sum - expected) < 2e-14)
  }
}
