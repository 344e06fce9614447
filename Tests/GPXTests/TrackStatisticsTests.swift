import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

@Suite struct TrackStatisticsTests {
  private static let start = Date(timeIntervalSince1970: 1_777_622_400)

  /// A walk eastwards, one fix a second: seconds and meters a second of each piece.
  private static func walk(
    _ pieces: [(seconds: Int, speed: Double)], noise: Double = 0, correlation: Double = 0,
    seed: UInt64 = 1, elevation: (Double) -> Double? = { _ in nil }
  ) throws -> [Fix] {
    var generator = SplitMix64(seed: seed)
    var (distance, time) = (0.0, 0)
    var (north, east) = (0.0, 0.0)
    var fixes: [Fix] = []
    let origin = try Coordinate(latitude: 52.4, longitude: 13)
    for piece in pieces {
      for _ in 0..<piece.seconds {
        // An error that drifts: a part of the last one, and new noise.
        let fresh = noise * (1 - correlation * correlation).squareRoot()
        north = correlation * north + fresh * generator.normal()
        east = correlation * east + fresh * generator.normal()
        let place = origin.destination(distance: distance + east, bearing: 90)
          .destination(distance: north, bearing: 0)
        fixes.append(
          Fix(
            place, time: start.addingTimeInterval(Double(time)), elevation: elevation(distance)))
        time += 1
        distance += piece.speed
      }
    }
    return fixes
  }

  @Test func isZeroAndNilWithoutFixes() {
    let statistics = TrackStatistics()
    #expect(statistics.points == 0 && statistics.segments == 0 && statistics.length == 0)
    #expect(statistics.ascent == 0 && statistics.descent == 0)
    #expect(statistics.bounds == nil && statistics.start == nil && statistics.end == nil)
    #expect(statistics.durationSeconds == nil && statistics.movingSeconds == nil)
  }

  @Test func measuresOnTheEllipsoidWithinSegments() throws {
    // The two distances published for Core Location; the way between the segments is not walked.
    let positions = [
      (51.126_994_2, 16.851_781, 0), (52.232_855, 20.921_111_4, 0), (40.733_458, -73.845_023, 1),
      (33.879_322, -118.080_59, 1),
    ]
    let fixes = try positions.map {
      Fix(try Coordinate(latitude: $0.0, longitude: $0.1), segment: $0.2)
    }
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.length - 307_123.687 - 3_951_949.797) < 0.002)
    #expect(statistics.segments == 2)
    #expect(statistics.points == 4)
    #expect(statistics.durationSeconds == nil)
    #expect(statistics.movingSeconds == nil)
  }

  @Test func spansTheTimes() throws {
    var fixes = try Self.walk([(100, 1)])
    fixes[50].time = nil
    fixes.swapAt(0, 10)
    let statistics = TrackStatistics(fixes)
    #expect(statistics.start == Self.start)
    #expect(statistics.end == Self.start.addingTimeInterval(99))
    #expect(statistics.duration == .seconds(99))
  }

  @Test func drawsTheBoxAcrossTheDateLine() throws {
    let longitudes = [179.9, -179.9, -179.8, 179.7]
    let statistics = TrackStatistics(
      try longitudes.map { Fix(try Coordinate(latitude: ($0 / 10).rounded(), longitude: $0)) })
    #expect(
      statistics.bounds
        == BoundingBox(
          minimumLatitude: -18, minimumLongitude: 179.7, maximumLatitude: 18,
          maximumLongitude: -179.8))
  }

  @Test(arguments: [0.5, 1.3, 3, 30])
  func movesAllTheTimeWithoutAPause(speed: Double) throws {
    let statistics = TrackStatistics(try Self.walk([(1_200, speed)]))
    let moving = try #require(statistics.movingSeconds)
    #expect(abs(moving - 1_199) < 1)
  }

  @Test(arguments: [0, 0.5, 1])
  func leavesPausesOut(noise: Double) throws {
    let pieces = [(600, 1.3), (60, 0), (600, 1.3), (300, 0), (900, 1.3), (120, 0)]
    let fixes = try Self.walk(pieces.map { (seconds: $0.0, speed: $0.1) }, noise: noise)
    let moving = try #require(TrackStatistics(fixes).movingSeconds)
    #expect(abs(moving - 2_100) < 0.02 * 2_100, "\(moving)")
  }

  @Test(arguments: [(3.0, 0.0), (3, 0.9), (4, 0.98)])
  func doesNotCountJitterAsMovement(noise: Double, correlation: Double) throws {
    let fixes = try Self.walk(
      [(900, 1.3), (1_800, 0), (900, 1.3)], noise: noise, correlation: correlation)
    let moving = try #require(TrackStatistics(fixes).movingSeconds)
    #expect(abs(moving - 1_800) < 0.1 * 1_800, "\(moving)")
  }

  @Test func standsWhenItNeverMoves() throws {
    let still = TrackStatistics(try Self.walk([(600, 0)]))
    #expect(still.movingTime == .zero)
    #expect(still.duration == .seconds(599))
  }

  @Test func countsNeitherGapsNorTimesThatGoBack() throws {
    var fixes = try Self.walk([(300, 1.3)])
    for index in 150..<300 {
      fixes[index].segment = 1
      fixes[index].time = fixes[index].time?.addingTimeInterval(7_200)
    }
    let gap = try #require(TrackStatistics(fixes).movingSeconds)
    #expect(abs(gap - 298) < 1)
    #expect(TrackStatistics(fixes.reversed()).movingSeconds == nil)
  }

  /// Times of 300 fixes in seconds, and what is known from them.
  private static let timeTables: [(times: [Double?], duration: Double?, movingTime: Double?)] = [
    (numbers.map { _ in 0 }, nil, nil),
    (numbers.map { _ in -1_777_622_400 }, nil, nil),
    // Hardly different.
    (numbers.map { $0 == 9 ? 0.000_34 : 0 }, nil, nil),
    (numbers.map { $0 == 7 ? 0 : nil }, nil, nil),
    (numbers.map { _ in nil }, nil, nil),
    // Backward, unsorted, days apart.
    (numbers.map { -$0 }, 299, nil),
    (numbers.map { ($0 * 7_919).truncatingRemainder(dividingBy: 300) }, 299, nil),
    (numbers.map { $0 * 86_400 }, 299 * 86_400, 0),
    // Good times, half of them, and all with one that is out of order.
    (numbers.map { $0 }, 299, 299),
    (numbers.map { $0 < 150 ? nil : $0 }, 149, 144),
    (numbers.map { $0 == 100 ? 20 : $0 }, 299, 299),
  ]
  private static let numbers = (0..<300).map { Double($0) }

  @Test(arguments: timeTables.indices)
  func saysNothingOfUnusableTimes(index: Int) throws {
    let table = Self.timeTables[index]
    var fixes = try Self.walk([(300, 1.3)])
    for (index, time) in table.times.enumerated() {
      fixes[index].time = time.map { Self.start.addingTimeInterval($0) }
    }
    let statistics = TrackStatistics(fixes)
    #expect(statistics.durationSeconds == table.duration)
    #expect((statistics.movingSeconds == nil) == (table.movingTime == nil))
    let difference = (statistics.movingSeconds ?? 0) - (table.movingTime ?? 0)
    #expect(abs(difference) < 2, "\(difference)")
  }

  @Test(
    arguments: [
      ([0, 120, 60, 180, 240], 240),
      // A clock that was set back, and passes the same hour again.
      ([3_600, 3_660, 0, 900, 1_800, 2_700, 3_630, 3_700], 3_700),
      ([0, 100, 50, 80, 20, 90, 110, 200], 200),
    ] as [([Double], Double)])
  func movesNoLongerThanItTakesAfterTimesThatGoBack(times: [Double], duration: Double) throws {
    let origin = try Coordinate(latitude: 52.4, longitude: 13)
    let statistics = TrackStatistics(
      times.enumerated().map { index, time in
        Fix(
          origin.destination(distance: Double(index) * 4_000, bearing: 90),
          time: Self.start.addingTimeInterval(time))
      })
    #expect(statistics.durationSeconds == duration)
    #expect(abs(try #require(statistics.movingSeconds) - duration) < 1e-6)
  }

  /// Thirty years between two walks, and a third one amid the first.
  @Test func yearsWithoutAFixAreNoPartOfTheDuration() throws {
    let walks = try [(0.0, 600), (1e9, 60), (200, 900)].enumerated().flatMap { segment, walk in
      try Self.walk([(walk.1, 1.3)]).map { fix in
        var fix = fix
        fix.time?.addTimeInterval(walk.0)
        fix.segment = segment
        return fix
      }
    }
    let statistics = TrackStatistics(walks)
    #expect(abs(try #require(statistics.durationSeconds) - (1_099 + 59)) < 1e-3)
    #expect(statistics.start == walks[0].time)
    #expect(statistics.end == walks[659].time)
    #expect(try #require(statistics.movingSeconds) <= 1_158)
    #expect(statistics.unusableTimes == UnusableTimes(leaps: 2))
  }

  @Test func startAndEndAreUsableTimes() throws {
    var walk = try Self.walk([(300, 1.3)])
    for index in [0, 150, 299] { walk[index].time?.addTimeInterval(1e9) }
    let statistics = TrackStatistics(walk)
    #expect(statistics.start == walk[1].time)
    #expect(statistics.end == walk[298].time)
    #expect(statistics.durationSeconds == 297)
    #expect(statistics.unusableTimes == UnusableTimes(outOfLine: 3))
  }

  @Test(arguments: [(1.0, 0.0, 0.0), (3, 0, 0), (1, 0.95, 0), (2, 0.8, 6)])
  func findsNoClimbInNoise(noise: Double, correlation: Double, limit: Double) throws {
    var generator = SplitMix64(seed: 9)
    var error = 0.0
    let fixes = try Self.walk([(3_600, 1.3)]) { _ in
      error =
        correlation * error + noise * (1 - correlation * correlation).squareRoot()
        * generator.normal()
      return 40 + error
    }
    let statistics = TrackStatistics(fixes)
    #expect(statistics.ascent <= limit)
    #expect(statistics.descent <= limit)
    // Without smoothing it would be hundreds of meters.
    let raw = zip(fixes, fixes.dropFirst()).reduce(0) { sum, pair in
      sum + max(0, (pair.1.elevation ?? 0) - (pair.0.elevation ?? 0))
    }
    #expect(raw > 300)
  }

  @Test(arguments: [0.0, 1, 3])
  func measuresAHill(noise: Double) throws {
    var generator = SplitMix64(seed: 5)
    // Up 100 m over 1 km and down 60 m over 1 km, three times.
    let fixes = try Self.walk([(2_000 * 3, 1)]) { distance in
      let lap = (distance / 2_000).rounded(.down)
      let way = distance - lap * 2_000
      let height = way < 1_000 ? way * 0.1 : 100 - (way - 1_000) * 0.06
      return 200 + lap * 40 + height + noise * generator.normal()
    }
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.ascent - 300) < 0.03 * 300, "\(statistics.ascent)")
    #expect(abs(statistics.descent - 180) < 0.04 * 180, "\(statistics.descent)")
  }

  @Test func measuresAHillOfFewPoints() throws {
    // Planned routes have a point every few hundred meters and exact elevations.
    let origin = try Coordinate(latitude: 47, longitude: 11)
    let elevations = [600.0, 650, 720, 700, 703, 699, 820, 400]
    let fixes = elevations.enumerated().map { index, elevation in
      Fix(
        origin.destination(distance: Double(index) * 300, bearing: 45), elevation: elevation)
    }
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.ascent - (120 + 3 + 121)) < 1e-9)
    #expect(abs(statistics.descent - (20 + 4 + 420)) < 1e-9)
  }

  @Test func climbsNothingBetweenSegments() throws {
    let origin = try Coordinate(latitude: 47, longitude: 11)
    let fixes = [(0, 100.0), (0, 110), (1, 500), (1, 490), (2, 800)].enumerated().map {
      Fix(
        origin.destination(distance: Double($0.offset) * 200, bearing: 45),
        elevation: $0.element.1, segment: $0.element.0)
    }
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.ascent - 10) < 1e-9)
    #expect(abs(statistics.descent - 10) < 1e-9)
  }

  @Test func givesTheSameAtAnyTimeOfAsking() throws {
    let fixes = try Self.walk([(300, 1.3), (100, 0), (300, 1.3)], noise: 1) { $0 / 20 }
    var running = TrackStatistics()
    for (index, fix) in fixes.enumerated() {
      running.add(fix)
      guard index % 97 == 0 else { continue }
      let fresh = TrackStatistics(fixes[...index])
      #expect(running.ascent == fresh.ascent)
      #expect(running.movingSeconds == fresh.movingSeconds)
      #expect(running.length == fresh.length)
    }
  }
}
