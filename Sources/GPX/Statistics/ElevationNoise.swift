/// An elevation at a distance along the way, both in meters.
struct ElevationSample {
  var distance: Double
  var elevation: Double
}

/// Measures how noisy elevations are, by the bumps that only a single one of them has.
///
/// A bump is an elevation above both of its neighbors, or below both, by as much as it differs from
/// the nearer one. The ground has hardly any within some 20 m, nor do elevations that a barometer or
/// a map gives, even if they are rounded to meters: their mean is mostly below 0.03 m. Noise turns at
/// every second elevation, whatever the slope: receivers without a barometer give 0.1 ... 1 m.
struct ElevationNoise {
  /// The mean bump in meters up to which elevations are calm, and from which they are noisy.
  static let calm = 0.04
  static let noisy = 0.08

  /// The most meters between neighbors: farther apart, a bump may be a hill.
  private static let reach = 30.0
  /// The greatest bump in meters, so that a single outlier says little.
  private static let highest = 5.0
  /// The number of elevations without a bump that are assumed beforehand, so that a short track has
  /// little weight.
  private static let prior = 50.0

  private var sum = 0.0
  private var count = 0.0
  private var center: ElevationSample?
  /// The difference between the center and the elevation before it; nil if there is none near it.
  private var rise: Double?

  /// Adds the next elevation, at a distance along the way.
  mutating func add(_ elevation: Double, at distance: Double) {
    defer { center = ElevationSample(distance: distance, elevation: elevation) }
    guard let center, distance - center.distance <= Self.reach else {
      rise = nil
      return
    }
    let next = elevation - center.elevation
    if let rise {
      count += 1
      if rise * next < 0 { sum += min(abs(rise), abs(next), Self.highest) }
    }
    rise = next
  }

  /// Ends the segment: its last elevation and the next one are not neighbors.
  mutating func finish() {
    center = nil
    rise = nil
  }

  /// The noise of the elevations, from 0, calm, to 1.
  var share: Double {
    let bump = sum / (count + Self.prior)
    return max(0, min(1, (bump - Self.calm) / (Self.noisy - Self.calm)))
  }
}
