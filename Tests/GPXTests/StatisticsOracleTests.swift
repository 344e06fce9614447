import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

/// Statistics of random tracks against plain loops over all of their fixes.
@Suite struct StatisticsOracleTests {
  /// A random track with gaps, missing times and elevations, some of it across the antimeridian.
  /// Neighbors are at least 50 m apart.
  private static func track(_ seed: UInt64) throws -> [Fix] {
    var generator = SplitMix64(seed: seed)
    var (latitude, longitude) = (generator.unit() * 160 - 80, generator.unit() * 360 - 180)
    var (segment, time) = (0, 1e8)
    return try (0..<1 + generator.index(below: 400)).map { _ in
      let step = 0.0005 + generator.unit() * 0.005
      latitude = max(-85, min(85, latitude + (generator.index(below: 2) == 0 ? step : -step)))
      longitude += (generator.unit() - 0.5) * 0.01
      if longitude > 180 { longitude -= 360 }
      if longitude < -180 { longitude += 360 }
      if generator.index(below: 50) == 0 { segment += 1 + generator.index(below: 3) }
      time += generator.unit() * 20
      return Fix(
        try Coordinate(latitude: latitude, longitude: longitude),
        time: generator.index(below: 5) == 0 ? nil : Date(timeIntervalSinceReferenceDate: time),
        elevation: generator.index(below: 7) == 0 ? nil : generator.unit() * 100,
        segment: segment)
    }
  }

  @Test(arguments: 0..<40)
  func countsAndMeasuresAsALoopDoes(seed: UInt64) throws {
    let fixes = try Self.track(seed)
    let statistics = TrackStatistics(fixes)
    var length = 0.0
    for index in fixes.indices.dropFirst() where fixes[index].segment == fixes[index - 1].segment {
      length += fixes[index - 1].coordinate.distance(to: fixes[index].coordinate)
    }
    #expect(statistics.points == fixes.count)
    #expect(statistics.segments == Set(fixes.map(\.segment)).count)
    #expect(abs(statistics.length - length) <= 1e-9 * max(1, length))
    let times = fixes.compactMap(\.time)
    #expect(statistics.start == times.min())
    #expect(statistics.end == times.max())
    let bounds = try #require(statistics.bounds)
    #expect(bounds.minimumLatitude == fixes.map(\.coordinate.latitude).min())
    #expect(bounds.maximumLatitude == fixes.map(\.coordinate.latitude).max())
    for fix in fixes {
      let longitude = fix.coordinate.longitude
      let isInside =
        bounds.minimumLongitude <= bounds.maximumLongitude
        ? (bounds.minimumLongitude...bounds.maximumLongitude).contains(longitude)
        : longitude >= bounds.minimumLongitude || longitude <= bounds.maximumLongitude
      #expect(isInside)
    }
  }

  @Test(arguments: 0..<40)
  func addsUpSegmentBySegment(seed: UInt64) throws {
    // Fixes without times are not smoothed, and so far apart they say nothing of the noise of their
    // elevations, which is a matter of the whole track.
    let fixes = try Self.track(seed).map {
      Fix($0.coordinate, elevation: $0.elevation, segment: $0.segment)
    }
    let whole = TrackStatistics(fixes)
    let parts = Dictionary(grouping: fixes, by: \.segment).values.map { TrackStatistics($0) }
    func isEqual(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-6 * max(1, abs(a)) }
    #expect(isEqual(whole.length, parts.map(\.length).reduce(0, +)))
    #expect(isEqual(whole.ascent, parts.map(\.ascent).reduce(0, +)))
    #expect(isEqual(whole.descent, parts.map(\.descent).reduce(0, +)))
  }

  @Test(arguments: 0..<40)
  func neitherClimbsMoreThanThereIsNorMovesLongerThanItTakes(seed: UInt64) throws {
    let fixes = try Self.track(seed)
    let statistics = TrackStatistics(fixes)
    var (up, down) = (0.0, 0.0)
    for part in Dictionary(grouping: fixes, by: \.segment).values {
      let elevations = part.compactMap(\.elevation)
      for (a, b) in zip(elevations, elevations.dropFirst()) {
        up += max(0, b - a)
        down += max(0, a - b)
      }
    }
    #expect(statistics.ascent >= 0 && statistics.ascent <= up + 1e-9)
    #expect(statistics.descent >= 0 && statistics.descent <= down + 1e-9)
    if let moving = statistics.movingSeconds, let duration = statistics.durationSeconds {
      #expect(moving >= 0 && moving <= duration + 1e-6)
    }
  }

  @Test(arguments: 0..<20)
  func descendsBackwardsWhatItClimbs(seed: UInt64) throws {
    // Far apart, so that every fix makes a separate leg in both directions.
    var generator = SplitMix64(seed: seed)
    let origin = try Coordinate(latitude: 47, longitude: 11)
    let fixes = (0..<100).map {
      Fix(
        origin.destination(distance: Double($0) * 200, bearing: 45),
        elevation: (1 + generator.unit() * 300).rounded())
    }
    let forwards = TrackStatistics(fixes)
    let backwards = TrackStatistics(fixes.reversed())
    #expect(abs(forwards.ascent - backwards.descent) < 1e-9)
    #expect(abs(forwards.descent - backwards.ascent) < 1e-9)
    #expect(forwards.ascent == climb(fixes.compactMap(\.elevation), ofAtLeast: 1.5))
  }
}

/// Climbs of at least some meters, found by looking at all extremes again and again.
func climb(_ elevations: [Double], ofAtLeast threshold: Double) -> Double {
  var turns: [Double] = []
  for elevation in elevations where elevation != turns.last { turns.append(elevation) }
  while true {
    turns = turns.enumerated().filter { index, value in
      index == 0 || index == turns.count - 1
        || (turns[index - 1] < value) != (value < turns[index + 1])
    }.map(\.element)
    // The smallest wave below the threshold is no climb: both of its ends go.
    let waves = zip(turns, turns.dropFirst()).map { abs($0 - $1) }
    guard let smallest = waves.min(), smallest < threshold,
      let index = waves.firstIndex(of: smallest)
    else { break }
    if waves.count == 1 { return 0 }
    if index == 0 {
      turns.remove(at: 0)
    } else if index == waves.count - 1 {
      turns.removeLast()
    } else {
      turns.removeSubrange(index...index + 1)
    }
  }
  return zip(turns, turns.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
}
