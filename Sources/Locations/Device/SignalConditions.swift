import FaketrackSupport
import Foundation
import Geodesy

/// The noise and the outages of a simulated receiver.
public struct SignalConditions: Hashable, Sendable {
  /// A part of the track without a signal, both ends included.
  public struct Outage: Hashable, Sendable {
    /// The position at which the signal is lost.
    public var start: ReplayPosition
    /// The position at which the signal returns.
    public var end: ReplayPosition

    /// Creates an outage between two positions; it has no effect if the end is before the start.
    public init(from start: ReplayPosition, to end: ReplayPosition) {
      self.start = start
      self.end = end
    }
  }

  /// The radius in meters that holds about 68 % of the position errors, reported as the horizontal
  /// accuracy of the fixes; 0 leaves them as recorded. The error is correlated over about half a
  /// minute. A value that is negative or not finite counts as 0.
  public var noise: Double {
    didSet { noise = Self.valid(noise: noise) }
  }
  /// The parts of the track without a signal.
  public var outages: [Outage]
  /// The seed of the noise, which is reproducible.
  public var seed: UInt64
  /// Whether each fix that is not received reports the loss, rather than the start of the outage.
  package var repeatsLoss = false

  /// Creates signal conditions; the signal is perfect by default.
  public init(noise: Double = 0, outages: [Outage] = [], seed: UInt64 = 0) {
    self.noise = Self.valid(noise: noise)
    self.outages = outages
    self.seed = seed
  }

  /// The radius that holds 68 % of a two-dimensional normal distribution, in standard deviations.
  package static let radiusOf68Percent = 1.5096

  private static func valid(noise: Double) -> Double {
    noise > 0 && noise.isFinite ? noise : 0
  }
}

extension [SignalConditions.Outage] {
  func contain(_ place: TrackProgress) -> Bool {
    contains { $0.start.isReached(at: place) && $0.end.includes(place) }
  }

  func beginnings(from place: TrackProgress, to next: TrackProgress) -> [TrackProgress] {
    compactMap { outage -> (fraction: Double, place: TrackProgress)? in
      guard !outage.start.isReached(at: place),
        let fraction = outage.start.fraction(from: place, to: next)
      else { return nil }
      let beginning = place.interpolated(to: next, fraction: fraction)
      return outage.end.includes(beginning) ? (fraction, beginning) : nil
    }
    .sorted { $0.fraction < $1.fraction }.map(\.place)
  }
}

/// The position error of a receiver, which drifts: a first-order Gauss–Markov process in each axis.
struct SensorNoise {
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
    let sigma = accuracy / SignalConditions.radiusOf68Percent
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
