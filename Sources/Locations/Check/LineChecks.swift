import FaketrackSupport
import Foundation
import Geodesy

/// Whether a walk is a recording of expected locations.
///
/// The walk passes the expected locations in their order, each at its time, or as early as it can where times are
/// not compared. Between two of them it is near them; so a part, another direction, another number of laps and a
/// detour are differences, and noise, other moments of recording and a late start are none, up to the tolerance.
struct MatchCheck: WalkCheck {
  private let expected: [Fix]
  private let tolerance: Double
  /// Meters along the expected locations.
  private let places: [Double]
  /// The farthest meters of the walk from each expected location: the tolerance, and half the way to the next.
  private let reaches: [Double]
  private let times: WalkExpectation.TimeTolerance
  /// The mean speed, in meters per second.
  private let speed: Double
  /// The number of locations that were passed.
  private var count = 0
  private var last: Fix?
  /// The location at which the first one was passed.
  private var start: Fix?
  /// The seconds at which the walk was at the next location, before its time.
  private var early: Double?
  /// The least meters between the next location and the walk.
  private var nearest = Double.infinity
  /// The meters to the last location of the walk from the one before.
  private var lastLeg = 0.0
  private(set) var location: Fix?
  private(set) var difference: WalkOutcome.Difference?

  /// Meters per second; a slower walk, or a pause, takes no longer over the tolerance.
  private static let slowest = 0.5
  /// Files round positions.
  private static let rounding = 0.02

  init(_ expected: [Fix], tolerance: Double, times: WalkExpectation.TimeTolerance) {
    let tolerance = tolerance + Self.rounding
    self.expected = expected
    self.tolerance = tolerance
    self.times = times
    let legs = zip(expected, expected.dropFirst()).map { $0.way(to: $1) }
    places = legs.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
    var reaches = expected.indices.map { index in
      let before = index > 0 ? legs[index - 1] : 0
      let after = index < legs.count ? legs[index] : 0
      return tolerance + max(before, after) / 2
    }
    // A distance filter leaves out the end of the way.
    let usual = legs.sorted().dropFirst(legs.count / 2).first ?? 0
    if let end = reaches.indices.last { reaches[end] = tolerance + max(usual, legs.last ?? 0) }
    self.reaches = reaches
    let seconds = expected.last?.seconds(since: expected.first) ?? 0
    speed = seconds > 0 ? max(0.1, (places.last ?? 0) / seconds) : 1
  }

  var isDecided: Bool { difference != nil }

  var missing: WalkOutcome.Difference? {
    if last == nil { return .noLocation }
    guard count > 0, count < expected.count else { return count == 0 ? .tooFew(0) : nil }
    // The walk may end before the moment at which its next location would be beyond the end.
    let rest = (places.last ?? 0) - places[count - 1]
    let leg = (places.last ?? 0) - places[expected.count - 2]
    return rest <= tolerance + max(lastLeg, leg) ? nil : .tooFew(count)
  }

  mutating func receive(_ update: LocationUpdate, since _: Fix?, isNext: Bool) {
    guard let fix = update.location else { return }
    location = fix
    let before = last ?? fix
    lastLeg = before.coordinate.distance(to: fix.coordinate)
    let isLine = before.isConnected(to: fix, length: lastLeg)
    passLocations(on: Leg(from: isLine ? before : fix, to: fix))
    if !isDecided { checkPlace(of: fix) }
    last = fix
  }

  private mutating func passLocations(on leg: Leg) {
    var share = 0.0
    while count < expected.count {
      nearest = min(nearest, leg.distance(to: expected[count]))
      guard let next = leg.share(within: tolerance, of: expected[count], from: share) else {
        return
      }
      // The walk may have paused anywhere on the way, so that it passes at any time of the leg.
      if let window = window(of: count), let first = leg.start.seconds(since: start),
        let last = leg.end.seconds(since: start)
      {
        guard last >= window.lowerBound else {
          early = early ?? last
          return
        }
        if first > window.upperBound { return differ(after: early ?? first) }
      }
      start = start ?? leg.fix(at: next)
      (share, early, nearest) = (next, nil, .infinity)
      count += 1
    }
  }

  private mutating func differ(after seconds: Double) {
    guard let due = expected[count].seconds(since: expected.first) else { return }
    difference = .atAnotherTime(
      number: count + 1, after: .seconds(clamping: seconds), expected: .seconds(clamping: due))
  }

  /// The seconds after the first location at which another one may be passed; `nil` for any.
  private func window(of index: Int) -> ClosedRange<Double>? {
    guard start?.time != nil, let due = expected[index].seconds(since: expected.first) else {
      return nil
    }
    switch times {
    case .off: return nil
    case .within(let duration): return due - duration.seconds...due + duration.seconds
    case .automatic:
      let allowed = 1 + tolerance / speed(at: index)
      return due - allowed...due + allowed
    }
  }

  /// The expected speed at a location, in meters per second.
  private func speed(at index: Int) -> Double {
    let (first, last) = (max(0, index - 1), min(expected.count - 1, index + 1))
    guard let seconds = expected[last].seconds(since: expected[first]), seconds > 0 else {
      return speed
    }
    return max((places[last] - places[first]) / seconds, min(Self.slowest, speed))
  }

  /// Checks that a location of the walk is near those that it passes there.
  private mutating func checkPlace(of fix: Fix) {
    var index = min(count, expected.count - 1)
    // Noise goes back, but not farther than the tolerance on either side.
    let back = (count > 0 ? places[count - 1] : 0) - 2 * tolerance
    while index >= 0 {
      if fix.coordinate.distance(to: expected[index].coordinate) <= reaches[index] { return }
      if index < count - 1, places[index] < back { break }
      index -= 1
    }
    if let early { return differ(after: early) }
    difference =
      count == expected.count ? .tooMany : .elsewhere(number: count + 1, meters: nearest)
  }
}

extension Fix {
  /// The meters of the way to the next location, where known along the track.
  fileprivate func way(to next: Fix) -> Double {
    let straight = coordinate.distance(to: next.coordinate)
    guard let start = distance, let end = next.distance else { return straight }
    return max(straight, end - start)
  }
}

/// The straight way from a location to the next one.
private struct Leg {
  let start: Fix
  let end: Fix

  init(from start: Fix, to end: Fix) {
    (self.start, self.end) = (start, end)
  }

  func fix(at share: Double) -> Fix {
    share >= 1 ? end : share <= 0 ? start : start.interpolated(to: end, fraction: share)
  }

  /// The meters between the way and a location.
  func distance(to fix: Fix) -> Double {
    LocalPlane(at: fix.coordinate).distance(from: start.coordinate, to: end.coordinate)
  }

  /// The first share of the way, from another one on, that is within a radius in meters of a location; `nil`
  /// for a way outside of the radius.
  func share(within radius: Double, of fix: Fix, from first: Double) -> Double? {
    let plane = LocalPlane(at: fix.coordinate)
    let (from, to) = (plane.point(start.coordinate), plane.point(end.coordinate))
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let square = dx * dx + dy * dy
    let distance = from.x * from.x + from.y * from.y - radius * radius
    guard first <= 1 else { return nil }
    guard square > 0 else { return distance <= 0 ? first : nil }
    let half = from.x * dx + from.y * dy
    let root = half * half - square * distance
    guard root >= 0 else { return nil }
    let (entry, exit) = ((-half - root.squareRoot()) / square, (-half + root.squareRoot()) / square)
    guard exit >= first, entry <= 1 else { return nil }
    return max(first, entry)
  }
}

/// A plane in meters around a position, for places within some kilometers.
private struct LocalPlane {
  private let center: Coordinate
  private let scale: (x: Double, y: Double)

  init(at center: Coordinate) {
    self.center = center
    let degree = center.latitude * .pi / 180
    // Meters per degree on WGS-84.
    scale = (
      111_412.84 * cos(degree) - 93.5 * cos(3 * degree),
      111_132.92 - 559.82 * cos(2 * degree) + 1.175 * cos(4 * degree)
    )
  }

  func point(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    let turn = (coordinate.longitude - center.longitude).remainder(dividingBy: 360)
    return (turn * scale.x, (coordinate.latitude - center.latitude) * scale.y)
  }

  /// The meters from the center to a straight line.
  func distance(from start: Coordinate, to end: Coordinate) -> Double {
    let (from, to) = (point(start), point(end))
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(max(-(from.x * dx + from.y * dy) / square, 0), 1) : 0
    return hypot(from.x + share * dx, from.y + share * dy)
  }
}

/// Whether a walk stays near a line.
struct CorridorCheck: WalkCheck {
  private let line: [Fix]
  private let width: Double
  /// The boxes of the legs from one multiple of this number to the next.
  private let boxes: [BoundingBox]
  private static let legsOfBox = 64
  private(set) var location: Fix?
  private(set) var difference: WalkOutcome.Difference?
  private var hasLocation = false
  /// The leg that was near the last location.
  private var near = 0

  init(along fixes: [Fix], width: Double) {
    // Some kilometers are straight in a plane.
    let line =
      zip(fixes, fixes.dropFirst()).flatMap { start, end -> [Fix] in
        let length = start.coordinate.distance(to: end.coordinate)
        guard start.segment == end.segment, length > UnusableTimes.jump else { return [start] }
        let pieces = Int((length / UnusableTimes.jump).rounded(.up))
        return (0..<pieces).map {
          start.interpolated(to: end, fraction: Double($0) / Double(pieces))
        }
      } + fixes.suffix(1)
    self.line = line
    self.width = width
    boxes = stride(from: 0, to: line.count, by: Self.legsOfBox).compactMap { first in
      BoundingBox(line[first..<min(line.count, first + Self.legsOfBox + 1)].map(\.coordinate))
    }
  }

  var isDecided: Bool { difference != nil }
  var missing: WalkOutcome.Difference? { hasLocation ? nil : .noLocation }

  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    guard let fix = update.location else { return }
    hasLocation = true
    let plane = LocalPlane(at: fix.coordinate)
    for leg in near..<min(near + 3, line.count) where distance(to: leg, in: plane) <= width {
      near = leg
      return
    }
    var least = Double.infinity
    for (number, box) in boxes.enumerated()
    where mayHold(box, fix.coordinate, within: min(least, 1e6)) {
      let first = number * Self.legsOfBox
      for leg in first..<min(line.count, first + Self.legsOfBox) {
        let meters = distance(to: leg, in: plane)
        if meters <= width {
          near = leg
          return
        }
        least = min(least, meters)
      }
    }
    location = fix
    difference = .outside(
      meters: least.isFinite
        ? least : line.map { $0.coordinate.distance(to: fix.coordinate) }.min() ?? 0)
  }

  /// The meters from the center of a plane to a leg; the last point is a leg of no length.
  private func distance(to leg: Int, in plane: LocalPlane) -> Double {
    let next = leg + 1 < line.count && line[leg + 1].segment == line[leg].segment ? leg + 1 : leg
    return plane.distance(from: line[leg].coordinate, to: line[next].coordinate)
  }

  /// Whether a place in a box may be within some meters of a position.
  private func mayHold(_ box: BoundingBox, _ coordinate: Coordinate, within meters: Double) -> Bool
  {
    let degrees = meters / 110_000
    guard box.minimumLatitude - degrees <= coordinate.latitude,
      coordinate.latitude <= box.maximumLatitude + degrees
    else { return false }
    let cosine = cos(min(89, abs(coordinate.latitude) + degrees) * .pi / 180)
    let margin = degrees / max(0.01, cosine)
    if box.crossesDateLine || margin >= 180 { return true }
    let middle = (box.minimumLongitude + box.maximumLongitude) / 2
    let away = abs((coordinate.longitude - middle).remainder(dividingBy: 360))
    return away <= (box.maximumLongitude - box.minimumLongitude) / 2 + margin
  }
}
