import Cities
import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// The recorded fixes of a track, to find where it was at a time and where it passed a position.
struct TrackTimeline {
  struct Place {
    var coordinate: Coordinate
    /// Meters along the track.
    var distance: Double
    /// The zone of the nearest city: an index in ``zones``; `nil` before the first city.
    var zone: Int16?
    /// Whether that city is within ``nearCity``.
    var isNearCity: Bool

    func interpolated(to other: Place, fraction: Double) -> Place {
      var place = self
      place.coordinate = coordinate.interpolated(to: other.coordinate, fraction: fraction)
      place.distance += fraction * (other.distance - distance)
      return place
    }
  }

  /// The result of a search by time.
  enum Match {
    case found(Place)
    /// Seconds before the first fix.
    case before(Double)
    /// Seconds after the last fix.
    case after(Double)
    /// Seconds to the next fix within the track.
    case gap(Double)
    case untimed

    var place: Place? {
      if case .found(let place) = self { place } else { nil }
    }
  }

  private struct Point {
    var place: Place
    /// Seconds since the beginning of 2001; NaN if unknown.
    var time: Double
    /// Whether no line leads to it.
    var isBreak: Bool
  }

  /// The maximum time to a fix that gives a picture its place, in seconds, as in exiftool.
  static let longestGap = 1_800.0
  /// Meters up to which people take the time of a city, rather than over the sea.
  private static let nearCity = 100_000.0
  private static let blockSize = 256

  private(set) var zones: [TimeZone] = []
  private(set) var length = 0.0
  private var points: [Point] = []
  /// The points with a time, by time.
  private var order: [Int32] = []
  /// The maximum distance of the points of each block from its first point, in meters.
  private var reaches: [Double] = []

  /// Reads a track, up to where it breaks off.
  ///
  /// - Parameter cities: finds the cities whose time zones apply.
  init(_ fixes: GPXFixes, cities: NearestCityCursor) {
    var cities = cities
    var last: Fix?
    var identifiers: [String: Int16] = [:]
    var (zone, identifier): (Int16?, String?) = (nil, nil)
    // The walk itself reports why its track breaks off.
    _ = try? fixes.read { event in
      guard case .fixes(let fixes, _) = event else { return }
      for fix in fixes {
        let isBreak = last?.segment != fix.segment
        if let last, !isBreak { length += last.coordinate.distance(to: fix.coordinate) }
        last = fix
        // Where no city is near, as at sea, the clocks stay as they were.
        let nearest = cities.nearest(to: fix.coordinate)
        if let name = nearest?.city.timezone, name != identifier {
          identifier = name
          zone = identifiers[name]
          if zone == nil, let new = TimeZone(identifier: name) {
            zone = Int16(clamping: zones.count)
            zones.append(new)
            identifiers[name] = zone
          }
        }
        points.append(
          Point(
            place: Place(
              coordinate: fix.coordinate, distance: length, zone: zone,
              isNearCity: (nearest?.distance ?? .infinity) <= Self.nearCity),
            time: fix.time?.timeIntervalSinceReferenceDate ?? .nan,
            isBreak: isBreak))
      }
    }
    let timed = points.indices.filter { points[$0].time.isFinite }.map { Int32($0) }
    let isSorted = zip(timed, timed.dropFirst()).allSatisfy { time($0) <= time($1) }
    order = isSorted ? timed : timed.sorted { (time($0), $0) < (time($1), $1) }
    reaches = stride(from: 0, to: points.count, by: Self.blockSize).map { start in
      points[start..<min(points.count, start + Self.blockSize)].reduce(0) {
        max($0, $1.place.coordinate.distance(to: points[start].place.coordinate))
      }
    }
  }

  private func time(_ index: Int32) -> Double { points[Int(index)].time }

  /// Whether a time is between the first fix and the last.
  func covers(_ time: Double) -> Bool {
    guard let first = order.first, let last = order.last else { return false }
    return (self.time(first)...self.time(last)).contains(time)
  }

  /// The place at a time: between two fixes up to 30 minutes apart, or at a fix up to 30 minutes
  /// away.
  func match(at time: Double) -> Match {
    let next = order.indices.partitionPoint { self.time(order[$0]) <= time }
    let before = next > 0 ? points[Int(order[next - 1])] : nil
    let after = next < order.count ? points[Int(order[next])] : nil
    if let before, let after, after.time - before.time <= Self.longestGap {
      let fraction = (time - before.time) / (after.time - before.time)
      return .found(before.place.interpolated(to: after.place, fraction: fraction))
    }
    let (sinceBefore, untilAfter) = (
      before.map { time - $0.time } ?? .infinity, after.map { $0.time - time } ?? .infinity
    )
    guard let nearest = sinceBefore < untilAfter ? before : after else { return .untimed }
    let gap = min(sinceBefore, untilAfter)
    if gap <= Self.longestGap { return .found(nearest.place) }
    return before == nil ? .before(gap) : after == nil ? .after(gap) : .gap(gap)
  }

  /// The time of a local clock at its place: the first one near a city with this local time, or else
  /// farther from it, as at sea. `nil` without a city.
  func time(ofLocal local: Double) -> (time: Double, match: Match)? {
    var times: [(time: Double, match: Match, rank: Int)] = []
    for (number, zone) in zones.enumerated() {
      func offset(at time: Double) -> Double {
        Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: time)))
      }
      // Around a change of the clocks, a local time may exist twice, or not at all.
      var possible = [local - offset(at: local - 86_400), local - offset(at: local + 86_400)]
      if possible[0] == possible[1] { possible.removeLast() }
      let real = possible.filter { local - offset(at: $0) == $0 }
      for time in real.isEmpty ? [possible[0]] : real {
        let match = match(at: time)
        // The third is a clock that has not been set to the zone yet.
        let rank =
          switch match.place {
          case let place? where place.zone.map(Int.init) == number: place.isNearCity ? 0 : 1
          case .some: 2
          case nil: 3
          }
        times.append((time, match, rank))
      }
    }
    return times.min { $0.rank < $1.rank }.map { ($0.time, $0.match) }
  }

  /// The place on the track that is nearest to a position, and its distance in meters; `nil` if no
  /// place is within the limit.
  func nearest(to position: Coordinate, within limit: Double) -> (place: Place, meters: Double)? {
    let metersPerDegree = 111_320.0
    let width = cos(position.latitude * .pi / 180) * metersPerDegree
    func coordinate(_ index: Int) -> Coordinate { points[index].place.coordinate }
    func offset(_ index: Int) -> SIMD2<Double> {
      let point = coordinate(index)
      let turn = (point.longitude - position.longitude).remainder(dividingBy: 360)
      return SIMD2(turn * width, (point.latitude - position.latitude) * metersPerDegree)
    }
    var best: (index: Int, fraction: Double)?
    // A little more, since the plane is not exact.
    var least = limit * 1.02
    for (block, reach) in reaches.enumerated() {
      let start = block * Self.blockSize
      let end = min(points.count, start + Self.blockSize)
      // The line to the next block belongs to both.
      let link =
        end < points.count ? coordinate(end - 1).distance(to: coordinate(end)) : 0
      guard position.distance(to: coordinate(start)) - reach - link <= least else {
        continue
      }
      for index in start..<min(points.count, end + 1) {
        let to = offset(index)
        var (meters, fraction) = ((to * to).sum().squareRoot(), 0.0)
        if !points[index].isBreak, index > 0 {
          let from = offset(index - 1)
          let leg = to - from
          let length = (leg * leg).sum()
          let share = length > 0 ? min(max(-(from * leg).sum() / length, 0), 1) : 1
          let foot = from + share * leg
          (meters, fraction) = ((foot * foot).sum().squareRoot(), 1 - share)
        }
        if meters < least { (least, best) = (meters, (index, fraction)) }
      }
    }
    guard let best else { return nil }
    var place = points[best.index].place
    if best.fraction > 0 {
      place = place.interpolated(to: points[best.index - 1].place, fraction: best.fraction)
    }
    let meters = place.coordinate.distance(to: position)
    return meters <= limit ? (place, meters) : nil
  }
}
