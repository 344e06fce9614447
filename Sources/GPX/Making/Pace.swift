import FaketrackSupport
import Foundation
import Geodesy

/// The times at which the steps of a line are traveled: from rest to rest, with pauses, slower in bends.
struct Pace {
  /// The share by which the speed varies to both sides. The share of the line's steps is a little lower, because a
  /// step in a bend is longer than its chord.
  static let variation = 0.1
  private static let variationOfSteps = 0.09
  /// The meters from a place within which the speed is lower.
  private static let town = 3_000.0
  /// The lowest speed between stops, in meters per second.
  private static let slowest = 0.2

  /// Meters.
  private var lengths: [Double] = []
  /// Meters per second at the beginnings of the steps and at the end.
  private var speeds: [Double] = []
  /// The seconds of a pause by the step before which it is.
  private var pauses: [Int: Double] = [:]
  /// Seconds from the start to the end.
  private(set) var duration = 0.0

  init(
    along line: CurvedLine, by means: TrackMaker.Means, stops: Int, _ random: inout SplitMix64
  ) {
    let typical = means.pace
    pauses = Self.pauses(along: line, typical, stops: stops, &random)
    let points = (0...line.steps).map { line.coordinate(at: Double($0)) }
    lengths = zip(points, points.dropFirst()).map { max($0.distance(to: $1), 1e-3) }
    let phases = (random.unit() * 2 * .pi, random.unit() * 2 * .pi)
    var meters = 0.0
    speeds = points.indices.map { step in
      if step == 0 || step == line.steps || pauses[step] != nil { return 0 }
      meters += lengths[step - 1]
      let usual =
        line.distanceToPlace(from: step) < Self.town ? typical.town : typical.open
      let wave =
        sin(meters / (7 * usual) + phases.0) + sin(meters / (60 * usual) + phases.1)
      let turn = remainder(
        points[step].bearing(to: points[step + 1])
          - points[step - 1].bearing(to: points[step]), 360)
      let curvature =
        abs(turn) * .pi / 180 * 2 / (lengths[step - 1] + lengths[step])
      let bend = curvature > 0 ? (typical.lateral / curvature).squareRoot() : .infinity
      return max(Self.slowest, min(usual * (1 + Self.variationOfSteps / 2 * wave), bend))
    }
    for step in lengths.indices {
      limit(step + 1, after: step, length: lengths[step], typical.acceleration)
    }
    for step in lengths.indices.reversed() {
      limit(step, after: step + 1, length: lengths[step], typical.braking)
    }
    duration = lengths.indices.reduce(pauses.values.sorted().reduce(0, +)) { $0 + seconds(of: $1) }
  }

  /// Limits a speed to what can be reached from a neighbor.
  private mutating func limit(
    _ step: Int, after other: Int, length: Double, _ acceleration: Double
  ) {
    speeds[step] = min(
      speeds[step], (speeds[other] * speeds[other] + 2 * acceleration * length).squareRoot())
  }

  private static func pauses(
    along line: CurvedLine, _ typical: TrackMaker.Means.Typical, stops: Int,
    _ random: inout SplitMix64
  ) -> [Int: Double] {
    func pause() -> Double {
      let (least, most) = (typical.pause.lowerBound, typical.pause.upperBound)
      return (least + (most - least) * random.unit()).rounded()
    }
    var pauses: [Int: Double] = [:]
    for stop in 0..<stops {
      let fraction = (Double(stop) + 0.3 + 0.4 * random.unit()) / Double(stops)
      // Two steps between pauses leave room to go on.
      pauses[Int(fraction * Double(line.steps)) | 1] = pause()
    }
    guard typical.halts else { return pauses }
    for step in line.placesBetween {
      for near in (step - 1)...(step + 1) { pauses[near] = nil }
      pauses[step] = pause()
    }
    return pauses
  }

  private func seconds(of step: Int) -> Double {
    2 * lengths[step] / (speeds[step] + speeds[step + 1])
  }

  /// Calls a function with the place at each multiple of an interval, and at last with the end.
  ///
  /// - Parameter interval: seconds.
  func forEachPlace(
    every interval: Double, _ body: (_ place: Double, _ seconds: Double) -> Void
  ) {
    var (count, clock) = (0.0, 0.0)
    func advance(to end: Double, _ place: (_ seconds: Double) -> Double) {
      while count * interval < end {
        body(place(count * interval - clock), count * interval)
        count += 1
      }
      clock = end
    }
    for step in lengths.indices {
      if let pause = pauses[step] { advance(to: clock + pause) { _ in Double(step) } }
      let (first, last, length) = (speeds[step], speeds[step + 1], lengths[step])
      let acceleration = (last * last - first * first) / (2 * length)
      advance(to: clock + seconds(of: step)) { seconds in
        let meters = first * seconds + acceleration * seconds * seconds / 2
        return Double(step) + min(max(meters / length, 0), 1).nextDown
      }
    }
    body(Double(lengths.count), count * interval)
  }
}
