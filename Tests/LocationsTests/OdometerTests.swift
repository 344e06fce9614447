import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct OdometerTests {
  /// Fixes `step` meters apart on a meridian with these times.
  private func elapsed(
    times: [Double?], step: Double = 13, segments: [Int] = [], maximumPause: Duration? = nil
  ) throws -> (seconds: [Double], walked: Double, unusableTimes: UnusableTimes) {
    var odometer = Odometer(walkingSpeed: 1.3, maximumPause: maximumPause)
    var seconds: [Double] = []
    let start = try Coordinate(latitude: 10, longitude: 20)
    let fixes = times.enumerated().map { index, time in
      Fix(
        start.destination(distance: Double(index) * step, bearing: 0),
        time: time.map { SampleTracks.start.addingTimeInterval($0) },
        segment: segments.isEmpty ? 0 : segments[index])
    }
    var line = TimeLine(.file)
    var judged = line.judge(fixes)
    line.finish(&judged)
    for fix in judged {
      odometer.advance(to: fix)
      seconds.append((odometer.progress.elapsed * 1_000).rounded() / 1_000)
    }
    return (seconds, odometer.progress.walked, odometer.unusableTimes)
  }

  @Test(
    arguments: [
      ("recorded times", [0, 5, 7, 30], [0, 5, 7, 30]),
      ("no times", [nil, nil, nil], [0, 10, 20]),
      ("a time missing between two", [0, nil, 30], [0, 10, 30]),
      ("times from the second fix on", [nil, 100, 105], [0, 10, 15]),
      ("equal times", [0, 0, 0], [0, 10, 20]),
      ("a repeated time", [0, 5, 5, 30], [0, 5, 6, 30]),
      ("a long step made up for", [0, 1, nil, 3, 30], [0, 1, 11, 11, 30]),
      ("a time out of line", [0, 5, 86_405, 10, 12], [0, 5, 10, 10, 12]),
      ("a jittering time", [0, 5, 3, 8], [0, 5, 5, 8]),
      ("thirty years in one step", [0, 5, 1e9, 1e9 + 2], [0, 5, 15, 17]),
      ("a day in one step", [0, 86_400], [0, 86_400]),
      ("a time going back", [0, 20, 5, 9], [0, 20, 30, 34]),
      ("a pause of days", [0, 5, 300_000, 300_002], [0, 5, 300_000, 300_002]),
    ] as [(String, [Double?], [Double])])
  func passesTrackTime(_ name: String, times: [Double?], expected: [Double]) throws {
    #expect(try elapsed(times: times).seconds == expected)
  }

  @Test func countsTheTimesItCouldNotUse() throws {
    let times = [0, nil, 5, 5, 9_000, 6, 3, 1e9] as [Double?]
    let unusableTimes = try elapsed(times: times, segments: [0, 0, 0, 0, 0, 0, 0, 1]).unusableTimes
    #expect(
      unusableTimes
        == UnusableTimes(missing: 1, repeated: 1, outOfLine: 1, stepsBack: 1, leaps: 1))
    #expect(try elapsed(times: [0, 1, 2]).unusableTimes == UnusableTimes())
  }

  @Test func aTimeRepeatedWithinASecondStaysWithinIt() throws {
    let times = (0..<40).map { Double($0 / 4) as Double? }
    let seconds = try elapsed(times: times, step: 2).seconds
    #expect(seconds[4...].elementsEqual(seconds[4...].sorted()))
    for (index, second) in seconds.enumerated().dropFirst(20) {
      #expect(second >= Double(index / 4) && second <= Double(index / 4 + 1))
    }
  }

  @Test func aClockThatStandsIsWalkedThrough() throws {
    let times = [0, 1, 2] + Array(repeating: 2.0 as Double?, count: 30)
    let seconds = try elapsed(times: times, step: 1.3).seconds
    #expect(seconds[3...21].allSatisfy { $0 == 3 })
    #expect(abs(seconds[32] - 14) < 0.01)
  }

  @Test func standingStillWithoutTimesTakesNoTime() throws {
    let result = try elapsed(times: [nil, nil, nil], step: 0)
    #expect(result.seconds == [0, 0, 0])
    #expect(result.walked == 0)
    #expect(result.unusableTimes == UnusableTimes(missing: 3))
  }

  @Test(
    arguments: [
      ("as recorded", [0, 10, 50_410, 50_420], nil, [0, 10, 50_410, 50_420]),
      ("shortened", [0, 10, 50_410, 50_420], .seconds(60), [0, 10, 70, 80]),
      ("without times", [nil, nil, nil, nil], nil, [0, 10, 10, 20]),
      ("without times after it", [0, 10, nil, nil], nil, [0, 10, 10, 20]),
      ("back in time", [0, 10, -95, -85], nil, [0, 10, 10, 20]),
      ("back by some seconds", [0, 10, 5, 15], nil, [0, 10, 10, 15]),
      ("thirty years", [0, 10, 1e9, 1e9 + 10], nil, [0, 10, 10, 20]),
    ] as [(String, [Double?], Duration?, [Double])])
  func aGapTakesItsRecordedTime(
    _ name: String, times: [Double?], maximumPause: Duration?, expected: [Double]
  ) throws {
    let result = try elapsed(times: times, segments: [0, 0, 1, 1], maximumPause: maximumPause)
    #expect(result.seconds == expected)
    #expect(abs(result.walked - 26) < 1e-6)
  }

  @Test(
    arguments: [
      ("a slow step", 13, [0, 10, 3_610, 3_620], 60, [0, 10, 70, 80]),
      ("no longer than the limit", 13, [0, 10, 70, 80], 60, [0, 10, 70, 80]),
      ("a walk between distant fixes", 1_000, [0, 800, 1_600], 60, [0, 800, 1_600]),
      ("a stop in one step", 0, [0, 3_600, 3_601], 60, [0, 60, 61]),
    ] as [(String, Double, [Double], Double, [Double])])
  func longerPausesAreShortened(
    _ name: String, step: Double, times: [Double], limit: Double, expected: [Double]
  ) throws {
    #expect(
      try elapsed(times: times, step: step, maximumPause: .seconds(limit)).seconds == expected)
  }

  @Test(arguments: [(10.0, 34), (60, 60), (600, 600)])
  func aStopRecordedEverySecondIsAPauseToo(limit: Double, expected: Int) throws {
    let times = (0...3_600).map { Double($0) as Double? }
    let seconds = try elapsed(times: times, step: 0.001, maximumPause: .seconds(limit)).seconds
    #expect(seconds.last.map { Int($0.rounded(.up)) } == expected)
  }

  @Test func timesFollowShortenedPausesAlone() throws {
    var odometer = Odometer(walkingSpeed: 1, maximumPause: .seconds(60))
    let here = try Coordinate(latitude: 10, longitude: 20)
    var shown: [Double] = []
    for (time, meters) in [(100.0, 0.0), (120, 20), (5, 30), (9, 34), (3_609, 34), (3_610, 35)] {
      var fix = Fix(
        here.destination(distance: meters, bearing: 0),
        time: SampleTracks.start.addingTimeInterval(time))
      if time == 5 { fix.origin.verdict = .stepBack }
      odometer.advance(to: fix)
      shown.append((time + odometer.timeShift).rounded())
    }
    #expect(shown == [100, 120, 5, 9, 69, 70])
  }

  @Test func aGapBetweenSegmentsAddsNothing() throws {
    let walked = try elapsed(times: [0, 1, 2, 3], step: 50, segments: [0, 0, 1, 1]).walked
    #expect(abs(walked - 100) < 1e-6)
  }
}
