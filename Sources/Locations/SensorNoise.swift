import Geodesy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The position error of a receiver: a first-order Gauss–Markov process in each axis, so that
/// errors drift instead of jumping.
struct SensorNoise {
  /// Seconds after which an error has mostly been forgotten.
  static let correlationTime = 30.0
  /// The radius that holds 68 % of a two-dimensional normal distribution, in standard deviations.
  static let radiusOf68Percent = 1.5096

  let accuracy: Double
  private var generator: SplitMix64
  private var error = (north: 0.0, east: 0.0)
  private var previousElapsed: Double?

  /// - Parameter accuracy: metres within which 68 % of the errors lie, above zero.
  init(accuracy: Double, seed: UInt64) {
    self.accuracy = accuracy
    generator = SplitMix64(seed: seed)
  }

  /// Moves the fix by the error of its moment and sets its horizontal accuracy.
  mutating func disturb(_ placed: inout PlacedFix) {
    let sigma = accuracy / Self.radiusOf68Percent
    let memory = previousElapsed.map {
      exp(-max(0, placed.place.elapsed - $0) / Self.correlationTime)
    }
    previousElapsed = placed.place.elapsed
    let kept = memory ?? 0
    let fresh = sigma * (1 - kept * kept).squareRoot()
    let (first, second) = normalPair()
    error = (kept * error.north + fresh * first, kept * error.east + fresh * second)
    let distance = hypot(error.north, error.east)
    let bearing = atan2(error.east, error.north) * 180 / .pi
    placed.fix.coordinate = placed.fix.coordinate.destination(distance: distance, bearing: bearing)
    placed.fix.horizontalAccuracy = accuracy
  }

  /// Two independent draws from the standard normal distribution (Box and Muller, 1958).
  private mutating func normalPair() -> (Double, Double) {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    return (radius * cos(angle), radius * sin(angle))
  }
}

/// A small seeded generator (Steele, Lea and Flood, 2014), the same on every platform.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
