import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct TrackPlayerTests {
  /// Everything that a player makes of a track.
  private func fixes(_ track: [Fix], _ options: ReplayOptions) -> [TrackFix] {
    var player = TrackPlayer(options)
    var fixes: [TrackFix] = []
    for fix in track where !player.isPastEnd {
      player.advance(to: fix)
      while !player.needsFix { if let fix = player.next() { fixes.append(fix) } }
    }
    return fixes
  }

  @Test func aTrackAsRecordedIsPlayedFixByFix() throws {
    let track = try SampleTracks.north(seconds: 20)
    let played = fixes(track, ReplayOptions())
    #expect(played.map(\.fix.coordinate) == track.map(\.coordinate))
    #expect(played.map(\.progress.elapsed) == (0...20).map(Double.init))
    #expect(played.map(\.fix.distance) == played.map(\.progress.walked))
  }

  @Test func nothingIsPlayedBeforeTheFirstFix() {
    var player = TrackPlayer(ReplayOptions())
    #expect(player.needsFix && player.next() == nil)
    #expect(player.current == nil && player.played == nil)
  }

  @Test func onlyOneFixIsInterpolatedAtATime() throws {
    // Without times, the way takes 42 days and has 3.6 million interpolated fixes.
    let start = try Coordinate(latitude: 0, longitude: 0)
    let end = try Coordinate(latitude: 0, longitude: 49)
    var player = TrackPlayer(
      ReplayOptions(walkingSpeed: 1.5, interpolation: .interval(.seconds(1))))
    player.advance(to: Fix(start))
    while player.next() != nil {}
    player.advance(to: Fix(end))
    for second in 1...1_000 {
      guard let fix = player.next() else {
        Issue.record("no fix at \(second) s")
        return
      }
      #expect(fix.progress.elapsed == Double(second))
      #expect(abs(start.distance(to: fix.fix.coordinate) - 1.5 * Double(second)) < 1e-6)
    }
    #expect(player.odometer.progress.walked > 5_400_000)
  }

  @Test(arguments: [1.0, 0.25, 0.001, 3, 7.7])
  func intervalsComeAtTheirMultiples(interval: Double) throws {
    let track = try SampleTracks.north(seconds: 8)
    let played = fixes(track, ReplayOptions(interpolation: .interval(.seconds(interval))))
    let expected = sequence(first: 0.0) { $0 + 1 }.lazy.map { $0 * interval }
      .prefix { $0 <= 8 }
    #expect(played.map(\.progress.elapsed) == Array(expected))
    for fix in played {
      let time = try #require(fix.fix.time).timeIntervalSince(SampleTracks.start)
      #expect(abs(time - fix.progress.elapsed) < 1e-6)
      #expect(abs(fix.progress.walked - 1.3 * fix.progress.elapsed) < 1e-4)
    }
  }

  @Test func whatComesBeforeTheStartIsSkippedOneByOne() throws {
    let track = try SampleTracks.north(seconds: 10)
    var player = TrackPlayer(
      ReplayOptions(interpolation: .interval(.milliseconds(500)), start: .elapsed(.seconds(4))))
    var played: [Bool] = []
    for fix in track {
      player.advance(to: fix)
      while !player.needsFix { played.append(player.next() != nil) }
    }
    // One more at the end of each leg.
    #expect(played.filter(\.self).count == 13)
    #expect(played.prefix { !$0 }.count > 8)
  }

  @Test func nothingIsPlayedPastTheEnd() throws {
    var player = TrackPlayer(ReplayOptions(end: .elapsed(.seconds(2))))
    for fix in try SampleTracks.north(seconds: 5) {
      player.advance(to: fix)
      _ = player.next()
    }
    #expect(player.isPastEnd)
    #expect(player.played?.elapsed == 2)
    #expect(player.next() == nil && player.needsFix)
  }

  @Test func multiplesThatCannotBeCountedEndTheInterpolation() throws {
    // A gap of more than 2^53 milliseconds, after which nothing is interpolated.
    let here = try Coordinate(latitude: 0, longitude: 0)
    var player = TrackPlayer(ReplayOptions(interpolation: .interval(.milliseconds(1))))
    for (segment, seconds) in [0, 1e13].enumerated() {
      player.advance(
        to: Fix(here, time: SampleTracks.start.addingTimeInterval(seconds), segment: segment))
    }
    #expect(player.odometer.progress.elapsed > 0x1p53 / 1_000)
    #expect(player.next() == nil && player.needsFix)
  }

  @Test func aLapStartsAgainAndGoesOnCounting() throws {
    let track = try SampleTracks.north(seconds: 3)
    var player = TrackPlayer(ReplayOptions(laps: 2))
    var played: [TrackFix] = []
    for _ in 0..<2 {
      for fix in track {
        player.advance(to: fix)
        if let fix = player.next() { played.append(fix) }
      }
      player.beginLap()
    }
    #expect(played.map(\.progress.elapsed) == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(played.map(\.lap) == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(played[4].progress.walked == played[3].progress.walked)
    #expect(
      played.map { $0.fix.time?.timeIntervalSince(SampleTracks.start) } == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func unusableTimesAreThoseOfTheLap() throws {
    var track = try SampleTracks.north(seconds: 3)
    track[2].time = nil
    var player = TrackPlayer(ReplayOptions())
    for fix in track { player.advance(to: fix) }
    #expect(player.odometer.unusableTimes == UnusableTimes(missing: 1))
    player.beginLap()
    #expect(player.odometer.unusableTimes == UnusableTimes())
  }

  @Test(
    arguments: [
      (0.0, 10.0, 5.0), (10, 0, nil), (0, 90_000, 45_000), (nil, 5, nil),
      (5, nil, nil),
    ] as [(Double?, Double?, Double?)])
  func anInterpolatedTimeLiesBetweenTimesThatAdvance(
    start: Double?, end: Double?, expected: Double?
  ) throws {
    let here = try Coordinate(latitude: 10, longitude: 20)
    let there = try Coordinate(latitude: 10, longitude: 20.1)
    func fix(_ coordinate: Coordinate, _ seconds: Double?) -> Fix {
      Fix(coordinate, time: seconds.map { SampleTracks.start.addingTimeInterval($0) })
    }
    let middle = fix(here, start).interpolated(to: fix(there, end), fraction: 0.5)
    #expect(middle.time?.timeIntervalSince(SampleTracks.start) == expected)
  }

  @Test func whatIsNotKnownAtBothEndsIsNotKnownBetween() throws {
    let here = try Coordinate(latitude: 10, longitude: 20)
    let there = try Coordinate(latitude: 10, longitude: 20.1)
    let start = Fix(here, elevation: 10, speed: 1, course: 90, horizontalAccuracy: 4, segment: 2)
    let end = Fix(there, elevation: 20, speed: 3, course: 90, horizontalAccuracy: 8, segment: 2)
    let quarter = start.interpolated(to: end, fraction: 0.25)
    #expect(quarter.elevation == 12.5)
    #expect(quarter.horizontalAccuracy == 5)
    #expect(quarter.speed == nil && quarter.course == nil)
    #expect(quarter.segment == 2 && quarter.isInterpolated)
    let unknown = start.interpolated(to: Fix(there), fraction: 0.25)
    #expect(unknown.elevation == nil && unknown.horizontalAccuracy == nil)
  }

  /// Locations of a track under a filter, in whole meters along it.
  private func meters(
    _ legs: [Double], filter: Double = 100, isTimed: Bool = true, segment: Int = 0,
    _ options: ReplayOptions = ReplayOptions()
  ) throws -> [Int] {
    let start = try Coordinate(latitude: 0, longitude: 0)
    var (way, fixes) = (0.0, [Fix]())
    for leg in [0] + legs {
      way += leg
      fixes.append(
        Fix(
          start.destination(distance: way * (1 + 1e-6), bearing: 90),
          time: isTimed ? SampleTracks.start.addingTimeInterval(way) : nil, segment: segment))
    }
    var (player, passed) = (TrackPlayer(options, distanceFilter: filter), [Int]())
    var locations = DistanceFilter(minimumDistance: filter)
    for fix in fixes {
      player.advance(to: fix)
      while !player.needsFix {
        guard let played = player.next(after: locations.last),
          locations.admit(played.fix.coordinate)
        else { continue }
        let meters = played.progress.walked.rounded()
        #expect(
          played.fix.isInterpolated != fixes.contains { $0.coordinate == played.fix.coordinate })
        if isTimed {
          let time = try #require(played.fix.time).timeIntervalSince(SampleTracks.start)
          #expect(abs(time - meters) < 0.1)
        }
        passed.append(Int(meters))
      }
    }
    return passed
  }

  @Test func aLocationComesAtEveryFilterDistanceWherePointsAreFartherApart() throws {
    #expect(
      try meters(Array(repeating: 1_000, count: 10))
        == Array(stride(from: 0, through: 10_000, by: 100)))
    #expect(try meters([250, 250]) == [0, 100, 200, 300, 400, 500])
    // Where points are close enough, only they count.
    #expect(try meters([70, 70, 300]) == [0, 140, 240, 340, 440])
    #expect(try meters([99, 99, 99]) == [0, 198])
    #expect(try meters([250, 250], filter: 0) == [0, 250, 500])
    #expect(try meters([250, 250], ReplayOptions(interpolation: .off)) == [0, 250, 500])
  }

  @Test func onlyPlannedRoutesAreInterpolatedOverLongLegs() throws {
    #expect(try meters([6_000, 100], filter: 1_000) == [0, 6_000])
    #expect(
      try meters([6_000], filter: 1_000, isTimed: false)
        == Array(stride(from: 0, through: 6_000, by: 1_000)))
    #expect(try meters([6_000], filter: 1_000, isTimed: false, segment: -1) == [0, 6_000])
    var player = TrackPlayer(ReplayOptions(), distanceFilter: 1_000)
    for longitude in [0, 0.1, 0.2] {
      player.advance(
        to: Fix(try Coordinate(latitude: 0, longitude: longitude), time: SampleTracks.start))
    }
    #expect(player.odometer.unusableTimes.jumps == 2)
  }

  @Test func anIntervalHasNoFixesInAJump() throws {
    let start = try Coordinate(latitude: 0, longitude: 0)
    let track = [(0, 0), (10, 10), (6_010, 40), (6_030, 60), (16_030, 90.5)].map {
      meters, seconds in
      Fix(
        start.destination(distance: meters, bearing: 90),
        time: SampleTracks.start.addingTimeInterval(seconds))
    }
    let options = ReplayOptions(interpolation: .interval(.seconds(5)))
    let played = fixes(track, options)
    #expect(played.map(\.progress.elapsed) == [0, 5, 10, 40, 45, 50, 55, 60])
    #expect(
      played.map { $0.progress.walked.rounded() } == [0, 5, 10, 6_010, 6_015, 6_020, 6_025, 6_030])
    var player = TrackPlayer(options)
    for fix in track { player.advance(to: fix) }
    #expect(player.odometer.unusableTimes.jumps == 2)
    let route = track.map { Fix($0.coordinate) }
    #expect(fixes(route, options).count == 16_030 * 10 / 13 / 5 + 1)
  }

  @Test func aPartBeginsAndEndsBetweenDistantPoints() throws {
    let part = ReplayOptions(start: .meters(1_050), end: .meters(1_350))
    #expect(try meters([1_000, 1_000], part) == [1_050, 1_150, 1_250, 1_350])
    let minutes = ReplayOptions(start: .elapsed(.seconds(60)), end: .elapsed(.seconds(160)))
    #expect(try meters([1_000], minutes) == [60, 160])
  }

  @Test func behindABendTheDistanceCountsInAStraightLine() throws {
    let corner = try Coordinate(latitude: 0, longitude: 0)
    let track = [
      Fix(corner.destination(distance: 80, bearing: 180)), Fix(corner),
      Fix(corner.destination(distance: 400, bearing: 90)),
    ]
    var player = TrackPlayer(ReplayOptions(), distanceFilter: 100)
    for fix in track.prefix(2) {
      player.advance(to: fix)
      _ = player.next()
    }
    player.advance(to: track[2])
    guard let fix = player.next(after: track[0].coordinate) else {
      Issue.record("no location behind the bend")
      return
    }
    #expect(abs(fix.progress.walked - 140) < 0.01)
  }

  @Test(arguments: [true, false])
  func aStartTimeMovesAllTimes(isTimed: Bool) throws {
    let start = Date(timeIntervalSince1970: 0)
    let track = try SampleTracks.north(seconds: 3, isTimed: isTimed)
    let played = fixes(track, ReplayOptions(startTime: start, start: .elapsed(.seconds(1))))
    #expect(played.map { $0.fix.time?.timeIntervalSince1970.rounded() } == [0, 1, 2])
  }

  @Test(arguments: [true, false])
  func aTimeForUntimedTracksLeavesOthersAlone(isTimed: Bool) throws {
    var options = ReplayOptions()
    options.untimedStart = Date(timeIntervalSince1970: 0)
    let track = try SampleTracks.north(seconds: 3, isTimed: isTimed)
    let times = fixes(track, options).map { $0.fix.time?.timeIntervalSince1970.rounded() }
    #expect(times == (isTimed ? track.map { $0.time?.timeIntervalSince1970 } : [0, 1, 2, 3]))
  }

  @Test func segmentsOfALapFollowThoseOfTheLapBefore() throws {
    var player = TrackPlayer(ReplayOptions(laps: 2))
    var segments: [Int] = []
    for _ in 0..<2 {
      for fix in try SampleTracks.north(seconds: 1) + SampleTracks.north(seconds: 1, segment: 1) {
        player.advance(to: fix)
        if let played = player.next() { segments.append(played.fix.segment) }
      }
      player.beginLap()
    }
    #expect(segments == [0, 0, 1, 1, 2, 2, 3, 3])
  }
}
