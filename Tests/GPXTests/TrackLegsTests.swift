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
    var fixes = times.enumerated().map { index, time in
      Fix(
        origin.destination(distance: Double(index) * 20, bearing: 90),
        time: time.map { Date(timeIntervalSinceReferenceDate: $0) })
    }
    if times == [5, 0] { fixes[1].origin.verdict = .stepBack }
    let found = legs(fixes)
    #expect(found.count == 2)
    #expect(found[1].duration == duration)
  }

  @Test func doesNotKnowTheDurationAcrossATimeThatGoesBack() throws {
    // Legs of four fixes, 4 m apart; the times go back within the second one, and a day passes in the third.
    let origin = try Coordinate(latitude: 89, longitude: 11)
    let times = [0, 1, 2, 3, 4, 2, 6, 7, 100_000, 100_001, 100_002, 100_003, 100_004]
    var fixes = times.enumerated().map { index, time in
      Fix(
        origin.destination(distance: Double(index) * 4, bearing: 90),
        time: Date(timeIntervalSinceReferenceDate: Double(time)))
    }
    fixes[5].origin.verdict = .stepBack
    #expect(legs(fixes).map(\.duration) == [0, 3, nil, 99_995, 3])
  }

  @Test func endsALegAfterAMinuteOfWalkingInACircle() throws {
    // A round of 9 m in 28 s, five minutes long.
    let fixes = try SimulatedRecorder().record(301) { time in
      (east: 4.5 * cos(time / 4.5), north: 4.5 * sin(time / 4.5))
    }
    let found = legs(fixes)
    // The first two minutes are one leg.
    #expect(found.map(\.duration) == [0, 120, 60, 60, 60])
    for leg in found.dropFirst(2) { #expect((32...38).contains(leg.length), "\(leg.length)") }
    // With a fix every three seconds there is no telling.
    #expect(legs(fixes.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)).count == 2)
  }

  @Test(arguments: [(9.0, 0.0), (10, 10), (25, 25)])
  func knowsHowLongItStoodStillBetweenTwoFixes(gap: Double, standstill: Double) throws {
    let times = [0, 1, 2, 3, 3 + gap, 4 + gap, 5 + gap, 6 + gap, 7 + gap]
    let fixes = try SimulatedRecorder().record(at: times) { time in
      (east: 2 * min(time, max(3, time - gap)), north: 0)
    }
    let found = legs(fixes)
    #expect(found.map(\.standstill).reduce(0, +) == standstill)
  }

  @Test func takesFixesWithoutATimeForNoStandstill() throws {
    // A fix a second, every twelfth with its time.
    let fixes = try SimulatedRecorder().record(120) { (east: 1.3 * $0, north: 0) }
    let found = legs(
      fixes.enumerated().map { index, fix in
        var fix = fix
        fix.time = index % 12 == 0 ? fix.time : nil
        return fix
      })
    #expect(found.allSatisfy { $0.standstill == 0 })
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
