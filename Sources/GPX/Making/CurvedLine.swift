import FaketrackSupport
import Foundation
import Geodesy

/// A line through places: the geodesics between them, each with curves to both sides that end at the places.
///
/// The line is divided into steps of about the same length; a number of a step and a fraction is a place on it.
struct CurvedLine {
  /// A curve to both sides of a leg: a sine wave, whose amplitude grows from 0 along its first length.
  private struct Wave {
    var length: Double
    var amplitude: Double
    var phase: Double

    func offset(at x: Double, of total: Double) -> Double {
      let edge = min(1, min(x, total - x) / length)
      let window = edge * edge * (3 - 2 * edge)
      return window * amplitude * sin(2 * .pi * x / length + phase)
    }
  }

  /// The way from one place to the next.
  private struct Leg {
    var start: Coordinate
    var end: Coordinate
    /// Meters along the geodesic.
    var length: Double
    /// Degrees at the start and at the end.
    var bearings: (start: Double, end: Double)
    /// The slopes to the right at the start and at the end, which round the corners.
    var slopes = (start: 0.0, end: 0.0)
    /// The meters from a place over which a corner is rounded.
    var bend = 0.0
    var waves: [Wave] = []
    var firstStep = 0
    var steps = 0

    init(from start: Coordinate, to end: Coordinate) {
      (self.start, self.end) = (start, end)
      length = start.distance(to: end)
      bearings = (start.bearing(to: end), end.bearing(to: start) + 180)
    }

    /// The position at a distance along the geodesic.
    func coordinate(at x: Double) -> Coordinate {
      if x <= 0 { return start }
      if x >= length { return end }
      let y = offset(at: x)
      let point = start.destination(distance: x, bearing: bearings.start)
      let ahead = x < length / 2 ? point.bearing(to: end) : point.bearing(to: start) + 180
      return point.destination(distance: y, bearing: ahead + 90)
    }

    private func offset(at x: Double) -> Double {
      let rest = length - x
      var y = waves.reduce(0) { $0 + $1.offset(at: x, of: length) }
      if x < bend { y += slopes.start * x * (1 - x / bend) * (1 - x / bend) }
      if rest < bend { y -= slopes.end * rest * (1 - rest / bend) * (1 - rest / bend) }
      return y
    }
  }

  /// The maximum number of steps, of which a longer line has longer ones and no short curves.
  private static let maximumSteps = 400_000.0
  /// The steps of the shortest curve.
  private static let resolution = 32.0
  /// The length of the longest curves in meters.
  private static let longestCurve = 100_000.0
  /// The maximum turn in degrees that is rounded on each side of a place.
  private static let maximumTurn = 50.0
  /// The number of places of a way around, and its accuracy.
  private static let corners = 6
  private static let tolerance = 0.003

  private var legs: [Leg]
  /// Whether the corners between are no places.
  private let isAround: Bool
  /// The number of steps.
  private(set) var steps = 0

  /// - Throws: ``TrackMakerError`` for a route without a length, or with an unusable one.
  init(
    _ route: TrackMaker.Route, by means: TrackMaker.Means, stops: Int, _ random: inout SplitMix64
  ) throws(TrackMakerError) {
    switch route {
    case .through(let places):
      guard places.count > 1 else { throw .tooFewPlaces }
      let same = places.indices.dropLast().first { places[$0].distance(to: places[$0 + 1]) < 0.1 }
      if let same { throw .samePlaces(index: same) }
      self.init(
        places, bend: 8 * means.pace.curve, by: means, stops: stops, planned: nil, &random)
    case .around(let home, let distance):
      guard TrackMaker.distances.contains(distance) else { throw .unusableDistance(distance) }
      let corners = Self.randomCorners(&random)
      var radius = distance / 6.5
      let unused = random
      self = Self(
        corners(home, radius), bend: .infinity, by: means, stops: stops,
        planned: distance / Double(Self.corners), &random)
      for _ in 0..<6 {
        let ratio = distance / length
        if abs(ratio - 1) < Self.tolerance { break }
        radius *= ratio
        random = unused
        self = Self(
          corners(home, radius), bend: .infinity, by: means, stops: stops,
          planned: distance / Double(Self.corners), &random)
      }
    }
  }

  /// - Parameters:
  ///   - bend: the meters from a place over which a corner is rounded.
  ///   - planned: the length of a leg of a way around, which decides on its curves; `nil` for a way through
  ///     places, whose legs have curves by their own lengths.
  private init(
    _ places: [Coordinate], bend: Double, by means: TrackMaker.Means, stops: Int,
    planned: Double?, _ random: inout SplitMix64
  ) {
    legs = zip(places, places.dropFirst()).map { Leg(from: $0, to: $1) }
    isAround = planned != nil
    let total = legs.reduce(0) { $0 + $1.length }
    let typical = means.pace
    let step = max(typical.curve / Self.resolution, total / Self.maximumSteps)
    for index in legs.indices {
      legs[index].bend = min(bend, legs[index].length)
      let length = planned ?? legs[index].length
      var curve = typical.curve
      while curve <= min(length / 2, Self.longestCurve) {
        let wave = Wave(
          length: curve * (0.8 + 0.4 * random.unit()),
          amplitude: typical.slope * curve / (2 * .pi) * (0.6 + 0.8 * random.unit()),
          phase: 2 * .pi * random.unit())
        if wave.length >= Self.resolution / 4 * step { legs[index].waves.append(wave) }
        curve *= 2
      }
      legs[index].firstStep = steps
      // At least two steps on each side of a pause have a speed.
      let least = Double(8 * (stops + 2))
      legs[index].steps = Int(max(legs[index].length / step, least).rounded(.up))
      steps += legs[index].steps
    }
    for index in legs.indices.dropLast() {
      let turn = remainder(legs[index + 1].bearings.start - legs[index].bearings.end, 360) / 2
      let slope = tan(min(max(turn, -Self.maximumTurn), Self.maximumTurn) * .pi / 180)
      legs[index].slopes.end = slope
      legs[index + 1].slopes.start = -slope
    }
  }

  /// Returns the places of a way around, for a radius: the home, corners around a center, the home.
  private static func randomCorners(
    _ random: inout SplitMix64
  ) -> (_ home: Coordinate, _ radius: Double) -> [Coordinate] {
    let bearing = 360 * random.unit()
    let side = random.unit() < 0.5 ? -360.0 : 360
    let others = (1..<corners).map { number in
      let turn = (Double(number) + 0.4 * (random.unit() - 0.5)) / Double(corners)
      return (bearing: bearing + 180 + side * turn, radius: 0.6 + 0.8 * random.unit())
    }
    return { home, radius in
      let center = home.destination(distance: radius, bearing: bearing)
      return [home]
        + others.map { center.destination(distance: radius * $0.radius, bearing: $0.bearing) }
        + [home]
    }
  }

  /// Meters.
  private var length: Double {
    var last = coordinate(at: 0)
    return (1...steps).reduce(0) { sum, step in
      let next = coordinate(at: Double(step))
      defer { last = next }
      return sum + last.distance(to: next)
    }
  }

  /// The position at a place.
  func coordinate(at place: Double) -> Coordinate {
    let leg = leg(of: Int(place))
    let fraction = (place - Double(leg.firstStep)) / Double(leg.steps)
    return leg.coordinate(at: fraction * leg.length)
  }

  /// The meters along the geodesic from a step to the nearer place of its leg.
  func distanceToPlace(from step: Int) -> Double {
    let leg = leg(of: step)
    let x = Double(step - leg.firstStep) / Double(leg.steps) * leg.length
    let isFirst = !isAround || leg.firstStep == 0
    let isLast = !isAround || leg.firstStep + leg.steps == steps
    return min(isFirst ? x : .infinity, isLast ? leg.length - x : .infinity)
  }

  /// The steps that begin at the places between; a way around has none.
  var placesBetween: [Int] { isAround ? [] : legs.dropFirst().map(\.firstStep) }

  private func leg(of step: Int) -> Leg {
    legs[legs.indices.partitionPoint { legs[$0].firstStep <= step } - 1]
  }
}
