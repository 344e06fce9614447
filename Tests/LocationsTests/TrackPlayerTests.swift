import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct TrackPlayerTests {
  /// Everything that a player makes of a track, step by step.
  private func steps(_ track: [Fix], _ options: ReplayOptions) -> [TrackPlayer.Step] {
    var player = TrackPlayer(options)
    var steps: [TrackPlayer.Step] = []
    for fix in track {
      player.advance(to: fix)
      while true {
        let step = player.next()
        if case .needsFix = step { break }
        steps.append(step)
      }
    }
    return steps
  }

  private func fixes(_ track: [Fix], _ options: ReplayOptions) -> [TrackFix] {
    steps(track, options).compactMap { step in
      if case .fix(let fix) = step { fix } else { nil }
    }
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
    guard case .needsFix = player.next() else {
      Issue.record("played a fix of an empty track")
      return
    }
    #expect(player.current == nil && player.played == nil)
  }

  @Test func onlyOneFixIsInterpolatedAtATime() throws {
    // Without times, the way takes 42 days and has 3.6 million interpolated fixes.
    let start = try Coordinate(latitude: 0, longitude: 0)
    let end = try Coordinate(latitude: 0, longitude: 49)
    var player = TrackPlayer(ReplayOptions(walkingSpeed: 1.5, interval: .seconds(1)))
    player.advance(to: Fix(start))
    while case .fix = player.next() {}
    player.advance(to: Fix(end))
    for second in 1...1_000 {
      guard case .fix(let fix) = player.next() else {
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
    let played = fixes(track, ReplayOptions(interval: .seconds(interval)))
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
    let steps = steps(
      track, ReplayOptions(interval: .milliseconds(500), start: .elapsed(.seconds(4))))
    let skipped = steps.prefix { step in
      if case .skipped = step { true } else { false }
    }
    #expect(skipped.count == 8)
    #expect(steps.count == 21)
  }

  @Test func nothingIsPlayedPastTheEnd() throws {
    var player = TrackPlayer(ReplayOptions(end: .elapsed(.seconds(2))))
    for fix in try SampleTracks.north(seconds: 5) {
      player.advance(to: fix)
      _ = player.next()
    }
    #expect(player.isPastEnd)
    #expect(player.played?.elapsed == 2)
    guard case .needsFix = player.next() else {
      Issue.record("played on after the end")
      return
    }
  }

  @Test func multiplesThatCannotBeCountedEndTheInterpolation() throws {
    // A thousand steps around the Earth at a millimeter a second: more than 2^53 milliseconds.
    let here = try Coordinate(latitude: 0, longitude: 0)
    let there = try Coordinate(latitude: 0, longitude: 179)
    var player = TrackPlayer(ReplayOptions(walkingSpeed: 0.001, interval: .milliseconds(1)))
    for number in 0..<1_000 {
      // Each step is a separate segment, so nothing is interpolated on the way.
      player.advance(to: Fix(number.isMultiple(of: 2) ? here : there, segment: number))
    }
    #expect(player.odometer.progress.elapsed > 0x1p53 / 1_000)
    guard case .needsFix = player.next() else {
      Issue.record("interpolated without an end")
      return
    }
  }

  @Test func aLapStartsAgainAndGoesOnCounting() throws {
    let track = try SampleTracks.north(seconds: 3)
    var player = TrackPlayer(ReplayOptions(laps: 2))
    var played: [TrackFix] = []
    for _ in 0..<2 {
      for fix in track {
        player.advance(to: fix)
        if case .fix(let fix) = player.next() { played.append(fix) }
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
      (0.0, 10.0, 5.0), (10, 0, nil), (0, 30_000, nil), (0, 21_600, 10_800), (nil, 5, nil),
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
    #expect(quarter.segment == 2)
    let unknown = start.interpolated(to: Fix(there), fraction: 0.25)
    #expect(unknown.elevation == nil && unknown.horizontalAccuracy == nil)
  }
}
