import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

/// Changes of a track that must not change its statistics, or must change them in a known way.
@Suite struct StatisticsInvarianceTests {
  /// A hilly walk eastwards along a parallel, one fix every two seconds, with some pauses.
  private static func walk(
    _ seed: UInt64, count: Int = 600, latitude: Double = 47, longitude: Double = 11
  ) throws -> [Fix] {
    var generator = SplitMix64(seed: seed)
    let origin = try Coordinate(latitude: latitude, longitude: longitude)
    var (distance, height, isPaused) = (0.0, 400.0, false)
    return (0..<count).map { index in
      if generator.index(below: 60) == 0 { isPaused.toggle() }
      if !isPaused { distance += 2 + generator.unit() * 2 }
      height += isPaused ? 0 : 0.4 * (Double(index) / 40).squareRoot() * generator.normal()
      return Fix(
        origin.destination(distance: distance, bearing: 90),
        time: Date(timeIntervalSinceReferenceDate: Double(index) * 2), elevation: height)
    }
  }

  private func isClose(_ a: Double?, _ b: Double?, _ tolerance: Double = 1e-4) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return abs(a - b) <= tolerance * max(1, abs(a))
  }

  private func expectSame(_ a: TrackStatistics, _ b: TrackStatistics) {
    #expect(a.points == b.points && a.segments == b.segments)
    #expect(isClose(a.length, b.length))
    #expect(
      isClose(a.durationSeconds, b.durationSeconds) && isClose(a.movingSeconds, b.movingSeconds))
    #expect(isClose(a.ascent, b.ascent) && isClose(a.descent, b.descent))
  }

  @Test(arguments: [-180.0, -179.99, 179.995, 180, 0, -0.005])
  func areTheSameOnEveryMeridian(longitude: Double) throws {
    for seed in 0..<4 as Range<UInt64> {
      let here = TrackStatistics(try Self.walk(seed))
      let fixes = try Self.walk(seed, longitude: longitude)
      let there = TrackStatistics(fixes)
      expectSame(here, there)
      let width = try #require(there.bounds).longitudeSpan
      #expect(isClose(width, try #require(here.bounds).longitudeSpan, 1e-6))
      #expect(fixes.allSatisfy { there.bounds?.contains($0.coordinate) == true })
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func areTheSameOnBothHemispheres(seed: UInt64) throws {
    let north = try Self.walk(seed)
    let south = try north.map {
      var fix = $0
      fix.coordinate = try Coordinate(
        latitude: -$0.coordinate.latitude, longitude: $0.coordinate.longitude)
      return fix
    }
    expectSame(TrackStatistics(north), TrackStatistics(south))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func doNotDependOnTheEpochOrTheLevelOfTheSea(seed: UInt64) throws {
    let fixes = try Self.walk(seed)
    let moved = fixes.map {
      var fix = $0
      fix.time = $0.time?.addingTimeInterval(-900_000_000)
      fix.elevation = $0.elevation.map { $0 - 600 }
      return fix
    }
    expectSame(TrackStatistics(fixes), TrackStatistics(moved))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func doNotCountARepeatedFixTwice(seed: UInt64) throws {
    let fixes = try Self.walk(seed)
    let doubled = TrackStatistics(fixes.flatMap { [$0, $0] })
    let single = TrackStatistics(fixes)
    #expect(doubled.points == 2 * single.points)
    #expect(doubled.length == single.length)
    #expect(doubled.durationSeconds == single.durationSeconds && doubled.bounds == single.bounds)
    #expect(isClose(doubled.movingSeconds, single.movingSeconds, 0.06))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func measureWithoutTimesWhatTimesDoNotTell(seed: UInt64) throws {
    let fixes = try Self.walk(seed)
    let timeless = TrackStatistics(fixes.map { Fix($0.coordinate, elevation: $0.elevation) })
    let flat = TrackStatistics(fixes.map { Fix($0.coordinate, time: $0.time) })
    let whole = TrackStatistics(fixes)
    #expect(timeless.length == whole.length && flat.length == whole.length)
    #expect(timeless.durationSeconds == nil && timeless.movingSeconds == nil)
    #expect(isClose(timeless.ascent, whole.ascent, 0.1))
    #expect(flat.ascent == 0 && flat.descent == 0)
    #expect(flat.movingSeconds == whole.movingSeconds)
  }

  @Test func addNothingForGaps() throws {
    for seed in 0..<4 as Range<UInt64> {
      var fixes = try Self.walk(seed)
      var length = 0.0
      for index in fixes.indices { fixes[index].segment = index / 150 }
      for (a, b) in zip(fixes, fixes.dropFirst()) where a.segment == b.segment {
        length += a.coordinate.distance(to: b.coordinate)
      }
      let statistics = TrackStatistics(fixes)
      #expect(statistics.segments == 4)
      #expect(abs(statistics.length - length) < 1e-6)
      // The number of a segment may come again; that is another segment nevertheless.
      for index in fixes.indices { fixes[index].segment = index / 150 % 2 }
      expectSame(statistics, TrackStatistics(fixes))
    }
  }

  @Test func crossAPole() throws {
    for sign in [1.0, -1] {
      let start = try Coordinate(latitude: 89.9 * sign, longitude: 30)
      let fixes = (0...40).map {
        Fix(
          start.destination(distance: Double($0) * 600, bearing: sign > 0 ? 0 : 180),
          time: Date(timeIntervalSinceReferenceDate: Double($0) * 60))
      }
      let statistics = TrackStatistics(fixes)
      #expect(abs(statistics.length - 24_000) < 0.01)
      #expect(isClose(statistics.movingSeconds, 2_400, 1e-3))
      #expect(fixes.allSatisfy { statistics.bounds?.contains($0.coordinate) == true })
    }
  }

  @Test func circleThePoleWithinABoxOfAllLongitudes() throws {
    let fixes = try stride(from: -180.0, through: 180, by: 10).map {
      Fix(try Coordinate(latitude: 89.99, longitude: $0))
    }
    let statistics = TrackStatistics(fixes)
    // A circle with a radius of 1,117 m: 36 chords of 10 degrees.
    let chord = 2 * 1_116.9 * sin(5 * Double.pi / 180)
    #expect(abs(statistics.length - 36 * chord) < 1)
    #expect(fixes.allSatisfy { statistics.bounds?.contains($0.coordinate) == true })
  }

  @Test(
    arguments: [
      ([nil, nil, nil], nil, nil, nil), ([5, nil, nil], 5, 5, nil), ([nil, 7, 3], 3, 7, 4),
      ([9, 1, 5], 1, 9, 8), ([0, 0, 0], 0, 0, nil), ([1, 4, 9], 1, 9, 8),
    ] as [([Double?], Double?, Double?, Double?)])
  func spanTheKnownTimes(
    times: [Double?], start: Double?, end: Double?, duration: Double?
  ) throws {
    let coordinate = try Coordinate(latitude: 1, longitude: 2)
    let statistics = TrackStatistics(
      times.map { Fix(coordinate, time: $0.map { Date(timeIntervalSinceReferenceDate: $0) }) })
    #expect(statistics.start?.timeIntervalSinceReferenceDate == start)
    #expect(statistics.end?.timeIntervalSinceReferenceDate == end)
    #expect(statistics.durationSeconds == duration)
    // Only times that ascend tell whether anything moved.
    #expect(statistics.movingSeconds == (times == [1, 4, 9] ? 0 : nil))
  }
}

extension BoundingBox {
  /// Degrees from the western to the eastern edge.
  fileprivate var longitudeSpan: Double {
    let span = maximumLongitude - minimumLongitude
    return span < 0 ? span + 360 : span
  }
}
