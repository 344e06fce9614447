/// Sums of climbs and descents that leave sensor noise out.
struct ElevationGain {
  /// Metres on both sides over which elevations are averaged.
  static let radius = 25.0
  /// Metres that a climb or descent has at least.
  static let threshold = 5.0

  private var climbed = 0.0
  private var fallen = 0.0

  /// Elevations along the way, as far as they are needed for averages.
  private var samples: [Sample] = []
  /// The first sample of which there is no average yet.
  private var next = 0
  private var distance = 0.0
  private var firstDistance: Double?

  private var turn = Turn.none

  private struct Sample {
    var distance: Double
    var elevation: Double
  }

  /// Where the way last turned from up to down or back, and how far it has come since.
  private enum Turn {
    case none
    /// The lowest and the highest so far, less than the threshold apart.
    case level(low: Double, high: Double)
    case rising(from: Double, to: Double)
    case falling(from: Double, to: Double)
  }

  var ascent: Double { climbed }
  var descent: Double { fallen }

  /// Takes in the next leg of a segment.
  mutating func add(_ leg: TrackLegs.Leg) {
    distance += leg.length
    guard let elevation = leg.elevation else { return }
    if firstDistance == nil { firstDistance = distance }
    samples.append(Sample(distance: distance, elevation: elevation))
    while next < samples.count, samples[next].distance + Self.radius < distance {
      average(upTo: Self.radius)
    }
  }

  /// Ends the segment: what comes next does not hang together with it.
  mutating func finish() {
    let end = samples.last?.distance ?? 0
    while next < samples.count { average(upTo: end - samples[next].distance) }
    switch turn {
    case .rising(let from, let to): climbed += to - from
    case .falling(let from, let to): fallen += from - to
    case .none, .level: break
    }
    let sums = (climbed, fallen)
    self = ElevationGain()
    (climbed, fallen) = sums
  }

  /// Averages around the next sample, over as much on one side as on the other, so that a slope
  /// stays what it is up to its ends.
  private mutating func average(upTo radius: Double) {
    let centre = samples[next].distance
    let radius = min(radius, Self.radius, centre - (firstDistance ?? centre))
    var sum = 0.0
    var count = 0.0
    for sample in samples where abs(sample.distance - centre) <= radius {
      sum += sample.elevation
      count += 1
    }
    follow(sum / count)
    next += 1
    let first = samples.firstIndex { $0.distance >= centre - Self.radius } ?? next
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
        climbed += to - from
        turn = .falling(from: to, to: elevation)
      }
    case .falling(let from, let to):
      if elevation < to {
        turn = .falling(from: from, to: elevation)
      } else if elevation - to >= Self.threshold {
        fallen += from - to
        turn = .rising(from: to, to: elevation)
      }
    }
  }
}
