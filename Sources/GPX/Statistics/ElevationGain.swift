/// Adds up climbs and descents without the noise of the sensor.
struct ElevationGain {
  /// The distance in meters to both sides over which elevations are averaged.
  static let radius = 25.0
  /// The least height in meters of a climb or descent.
  static let threshold = 5.0

  /// Meters climbed and, not negative, descended in finished climbs and descents.
  private(set) var ascent = 0.0
  private(set) var descent = 0.0

  /// The elevations along the way that are still needed for averages.
  private var samples: [Sample] = []
  /// The index of the first sample that has not been averaged.
  private var next = 0
  private var distance = 0.0
  private var firstDistance: Double?

  private var turn = Turn.none

  private struct Sample {
    var distance: Double
    var elevation: Double
  }

  /// Where the way last turned between up and down, and how far it has come since.
  private enum Turn {
    case none
    /// Less than the threshold between the lowest and the highest elevation so far.
    case level(low: Double, high: Double)
    case rising(from: Double, to: Double)
    case falling(from: Double, to: Double)
  }

  /// Adds the next leg of a segment.
  mutating func add(_ leg: TrackLegs.Leg) {
    distance += leg.length
    guard let elevation = leg.elevation else { return }
    if firstDistance == nil { firstDistance = distance }
    samples.append(Sample(distance: distance, elevation: elevation))
    while next < samples.count, samples[next].distance + Self.radius < distance {
      average(upTo: Self.radius)
    }
  }

  /// Ends the segment, which is not connected with the next one.
  mutating func finish() {
    let end = samples.last?.distance ?? 0
    while next < samples.count { average(upTo: end - samples[next].distance) }
    switch turn {
    case .rising(let from, let to): ascent += to - from
    case .falling(let from, let to): descent += from - to
    case .none, .level: break
    }
    let sums = (ascent, descent)
    self = ElevationGain()
    (ascent, descent) = sums
  }

  /// Averages around the next sample, over the same distance to both sides, so that a slope keeps
  /// its shape up to its ends.
  private mutating func average(upTo radius: Double) {
    let center = samples[next].distance
    let radius = min(radius, Self.radius, center - (firstDistance ?? center))
    var sum = 0.0
    var count = 0.0
    for sample in samples where abs(sample.distance - center) <= radius {
      sum += sample.elevation
      count += 1
    }
    follow(sum / count)
    next += 1
    let first = samples.firstIndex { $0.distance >= center - Self.radius } ?? next
    samples.removeFirst(first)
    next -= first
  }

  private mutating func follow(_ elevation: Double) {
    switch turn {
    case .none:
      turn = .level(low: elevation, high: elevation)
    case .level(let low, let high):
      if elevation - low >= Self.threshold {
        turn = .rising(from: low, to: elevation)
      } else if high - elevation >= Self.threshold {
        turn = .falling(from: high, to: elevation)
      } else {
        turn = .level(low: min(low, elevation), high: max(high, elevation))
      }
    case .rising(let from, let to):
      if elevation > to {
        turn = .rising(from: from, to: elevation)
      } else if to - elevation >= Self.threshold {
        ascent += to - from
        turn = .falling(from: to, to: elevation)
      }
    case .falling(let from, let to):
      if elevation < to {
        turn = .falling(from: from, to: elevation)
      } else if elevation - to >= Self.threshold {
        descent += from - to
        turn = .rising(from: to, to: elevation)
      }
    }
  }
}
