import FaketrackSupport
import Foundation
import Geodesy

/// The position error of a receiver, which drifts: a first-order Gauss–Markov process in each axis.
package struct SensorNoise {
  /// The radius that holds 68 % of a two-dimensional normal distribution, in standard deviations.
  package static let radiusOf68Percent = 1.5096
  /// Seconds after which 1/e of an error is left.
  static let correlationTime = 30.0

  /// Meters, above 0.
  let accuracy: Double
  private var generator: SplitMix64
  private var error = (north: 0.0, east: 0.0)
  private var previousElapsed = -Double.infinity

  init(accuracy: Double, seed: UInt64) {
    self.accuracy = accuracy
    generator = SplitMix64(seed: seed)
  }

  /// Moves a fix by the current error and sets its horizontal accuracy.
  mutating func disturb(_ placed: inout TrackFix) {
    let sigma = accuracy / Self.radiusOf68Percent
    let age = max(0, placed.progress.elapsed - previousElapsed)
    let remaining = exp(-age / Self.correlationTime)
    previousElapsed = placed.progress.elapsed
    let fresh = sigma * (1 - remaining * remaining).squareRoot()
    let (first, second) = normalPair()
    error = (remaining * error.north + fresh * first, remaining * error.east + fresh * second)
    let distance = hypot(error.north, error.east)
    let bearing = atan2(error.east, error.north) * 180 / .pi
    placed.fix.coordinate = placed.fix.coordinate.destination(distance: distance, bearing: bearing)
    placed.fix.horizontalAccuracy = accuracy
  }

  /// Source: G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
  private mutating func normalPair() -> (Double, Double) {
    let radius = (-2 * log(1 - generator.unit())).squareRoot()
    let angle = 2 * .pi * generator.unit()
    return (radius * cos(angle), radius * sin(angle))
  }
}
