import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import GPX

/// A random walk of fixes about 3 m apart, with or without times and elevations.
private func randomWalk(
  _ seed: UInt64, count: Int = 400, latitude: Double = 47, longitude: Double = 11,
  hasTimes: Bool, step: Double = 6
) throws -> [Fix] {
  var generator = SplitMix64(seed: seed)
  var place = try Coordinate(latitude: latitude, longitude: longitude)
  var (bearing, seconds) = (90.0, 0.0)
  return (0..<count).map { _ in
    bearing += (generator.unit() - 0.5) * 90
    place = place.destination(distance: generator.unit() * step, bearing: bearing)
    seconds += 1 + Double(generator.index(below: 4))
    return Fix(
      place, time: hasTimes ? Date(timeIntervalSinceReferenceDate: seconds) : nil,
      elevation: generator.index(below: 5) == 0 ? nil : 500 + generator.unit() * 40)
  }
}

@Suite struct TrackLegsTests {
  private func legs(_ fixes: [Fix]) -> [TrackLegs.Leg] {
    var legs = TrackLegs()
    var all = fixes.compactMap { legs.add($0) }
    if let last = legs.finish() { all.append(last) }
    return all
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func endsALegAtTheFirstFixTenMetersFromItsStart(seed: UInt64) throws {
    let fixes = try randomWalk(seed, hasTimes: false)
    // The same with indices: where legs start and end, and which fixes lie on them.
    var ends = [0]
    for index in fixes.indices.dropFirst() {
      let start = fixes[ends[ends.count - 1]].coordinate
      if start.distance(to: fixes[index].coordinate) >= 10 { ends.append(index) }
    }
    if ends.last != fixes.count - 1 { ends.append(fixes.count - 1) }
    let found = legs(fixes)
    #expect(found.count == ends.count)
    #expect(found.first?.length == 0 && found.first?.elevation == fixes[0].elevation)
    for (leg, (start, end)) in zip(found.dropFirst(), zip(ends, ends.dropFirst())) {
      #expect(leg.length == fixes[start].coordinate.distance(to: fixes[end].coordinate))
      #expect(leg.duration == nil)
      let elevations = fixes[(start + 1)...end].compactMap(\.elevation)
      let mean = elevations.isEmpty ? nil : elevations.reduce(0, +) / Double(elevations.count)
      #expect(leg.elevation == mean)
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func addsUpTheTimesBetweenTheirEnds(seed: UInt64) throws {
    let fixes = try randomWalk(seed, hasTimes: true)
    let found = legs(fixes)
    let times = fixes.compactMap(\.time)
    let sum = found.compactMap(\.duration).reduce(0, +)
    #expect(found.allSatisfy { $0.duration != nil })
    #expect(try abs(sum - #require(times.last).timeIntervalSince(#require(times.first))) < 1e-6)
    #expect(found.dropFirst().dropLast().allSatisfy { $0.length >= TrackLegs.reach })
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func doesNotDependOnTheMeridian(seed: UInt64) throws {
    let here = legs(try randomWalk(seed, hasTimes: true))
    // About the middle of the walk is on the antimeridian.
    for longitude in [-179.995, 179.999, 180, -180, 0] {
      let there = legs(try randomWalk(seed, longitude: longitude, hasTimes: true))
      #expect(here.count == there.count)
      for (a, b) in zip(here, there) {
        #expect(abs(a.length - b.length) < 1e-5)
        #expect(a.duration == b.duration && a.elevation == b.elevation)
      }
    }
  }

  @Test func doesNotSmoothNearThePoles() throws {
    // Across the pole, the longitudes jump by 180 degrees; the meters do not.
    let pole = try Coordinate(latitude: 89.999, longitude: 20)
    let fixes = (0..<40).map {
      Fix(
        pole.destination(distance: Double($0) * 12, bearing: 0),
        time: Date(timeIntervalSinceReferenceDate: Double($0)))
    }
    let found = legs(fixes)
    #expect(found.count == 40)
    #expect(found.dropFirst().allSatisfy { abs($0.length - 12) < 1e-3 && $0.duration == 1 })
  }

  @Test func lagsBehindAJumpAndCatchesUp() throws {
    // One fix is thrown 30 m to the side: with one fix a second, it moves the way by 5 m.
    let origin = try Coordinate(latitude: 47, longitude: 11)
    var fixes = (0..<60).map {
      Fix(origin, time: Date(timeIntervalSinceReferenceDate: Double($0)))
    }
    fixes[30].coordinate = origin.destination(distance: 30, bearing: 0)
    #expect(legs(fixes).map(\.length).dropLast() == [0])
    // Without times, nothing is known about the speed, and the jump counts.
    for index in fixes.indices { fixes[index].time = nil }
    #expect(legs(fixes).map { $0.length.rounded() } == [0, 30, 30, 0])
  }

  @Test(
    arguments: [
      ([nil, nil], nil), ([0, nil], 0), ([nil, 5], nil), ([0, 5], 5), ([5, 0], nil), ([3, 3], 0),
    ] as [([Double?], Double?)])
  func knowsTheDurationFromAscendingTimes(times: [Double?], duration: Double?) throws {
    let origin = try Coordinate(latitude: 89, longitude: 11)
    let fixes = times.enumerated().map { index, time in
      Fix(
        origin.destination(distance: Double(index) * 20, bearing: 90),
        time: time.map { Date(timeIntervalSinceReferenceDate: $0) })
    }
    let found = legs(fixes)
    #expect(found.count == 2)
    #expect(found[1].duration == duration)
  }

  @Test func hasNothingToFinishWithoutFixes() throws {
    var legs = TrackLegs()
    #expect(legs.finish() == nil)
    let fix = Fix(try Coordinate(latitude: 1, longitude: 2), elevation: 3)
    #expect(legs.add(fix)?.elevation == 3)
    #expect(legs.finish() == nil)
    // After the end, a new segment begins.
    #expect(legs.add(fix)?.length == 0)
  }
}

@Suite struct MovingTimeTests {
  private func seconds(_ legs: [(length: Double, duration: Double?)]) -> Double {
    var time = MovingTime()
    for leg in legs { time.add(TrackLegs.Leg(length: leg.length, duration: leg.duration)) }
    return time.seconds
  }

  @Test(
    arguments: [
      ([], 0), ([(10, nil)], 0), ([(10, 10)], 10), ([(10, 10), (20, 30)], 40),
      // 10 m in 100 s contain a pause; at the pace of the other leg they take 10 s.
      ([(10, 10), (10, 100)], 20), ([(20, 10), (10, 100), (10, 1_000)], 20),
      // Exactly 0.3 m/s is movement.
      ([(3, 10)], 10), ([(2.99, 10)], 0), ([(10, 10), (10, nil)], 10), ([(0, 0), (10, 5)], 5),
    ] as [([(length: Double, duration: Double?)], Double)])
  func countsThePaceOfLegsWithoutAPause(
    legs: [(length: Double, duration: Double?)], expected: Double
  ) {
    #expect(abs(seconds(legs) - expected) < 1e-9)
    #expect(abs(seconds(legs.reversed()) - expected) < 1e-9)
  }
}

@Suite struct ElevationGainTests {
  private typealias Leg = (length: Double, elevation: Double?)

  private func gain(_ legs: [Leg]) -> (ascent: Double, descent: Double) {
    var gain = ElevationGain()
    for leg in legs { gain.add(TrackLegs.Leg(length: leg.length, elevation: leg.elevation)) }
    gain.finish()
    return (gain.ascent, gain.descent)
  }

  /// The averages over 25 m to both sides, or as far as the way goes on both, with all in memory.
  private func averages(_ legs: [Leg]) -> [Double] {
    var samples: [(place: Double, elevation: Double)] = []
    var place = 0.0
    for leg in legs {
      place += leg.length
      if let elevation = leg.elevation { samples.append((place, elevation)) }
    }
    guard let first = samples.first, let last = samples.last else { return [] }
    return samples.map { center in
      let radius = min(25, center.place - first.place, last.place - center.place)
      let near = samples.filter { abs($0.place - center.place) <= radius }
      return near.reduce(0) { $0 + $1.elevation } / Double(near.count)
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func climbsWhatTheAveragesClimb(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var height = 500.0
    let legs: [Leg] = (0..<300).map { index in
      height += generator.normal() * 3
      let isKnown = generator.index(below: 6) > 0
      return (index == 0 ? 0 : 10 + generator.unit() * 20, isKnown ? height : nil)
    }
    let sums = gain(legs)
    let heights = averages(legs)
    #expect(abs(sums.ascent - climb(heights)) < 1e-6)
    #expect(abs(sums.descent - climb(heights.map { -$0 })) < 1e-6)
    // Upside down, climbs are descents.
    let mirrored = gain(legs.map { ($0.length, $0.elevation.map { -$0 }) })
    #expect(abs(mirrored.ascent - sums.descent) < 1e-6)
    #expect(abs(mirrored.descent - sums.ascent) < 1e-6)
  }

  @Test(
    arguments: [
      ([], 0, 0), ([nil, nil], 0, 0), ([100], 0, 0), ([100, 104.9], 0, 0), ([100, 105], 5, 0),
      ([105, 100], 0, 5), ([100, 104, 108], 8, 0), ([100, 110, 106, 120], 20, 0),
      ([100, 110, 105, 120], 25, 5), ([100, nil, 110], 10, 0), ([nil, 100, 110, nil], 10, 0),
      ([100, 103, 97, 102, 98], 5, 6), ([100, 97, 103, 96], 6, 7), ([-3, 3, -3], 6, 6),
    ] as [([Double?], Double, Double)])
  func countsClimbsOfFiveMeters(elevations: [Double?], ascent: Double, descent: Double) {
    // 100 m apart, nothing is averaged.
    let sums = gain(elevations.map { (100, $0) })
    #expect(abs(sums.ascent - ascent) < 1e-9)
    #expect(abs(sums.descent - descent) < 1e-9)
  }

  @Test func endsEveryClimbWithItsSegment() {
    var gain = ElevationGain()
    for segment in 0..<5 {
      for elevation in [100.0, 110, 120] {
        gain.add(TrackLegs.Leg(length: 100, elevation: elevation + Double(segment) * 500))
      }
      gain.finish()
      #expect(gain.ascent == 20 * Double(segment + 1))
      #expect(gain.descent == 0)
    }
  }
}
