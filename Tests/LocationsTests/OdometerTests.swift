import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct OdometerTests {
  /// Fixes `step` meters apart on a meridian with these times.
  private func elapsed(
    times: [Double?], step: Double = 13, segments: [Int] = []
  ) throws -> (seconds: [Double], walked: Double, unusableTimes: UnusableTimes) {
    var odometer = Odometer(walkingSpeed: 1.3)
    var seconds: [Double] = []
    let start = try Coordinate(latitude: 10, longitude: 20)
    for (index, time) in times.enumerated() {
      let fix = Fix(
        start.destination(distance: Double(index) * step, bearing: 0),
        time: time.map { SampleTracks.start.addingTimeInterval($0) },
        segment: segments.isEmpty ? 0 : segments[index])
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
      ("back after a jump", [0, 5, 300_000, 10, 12], [0, 5, 15, 25, 27]),
      ("a day in one step", [0, 86_400], [0, 10]),
      ("just under six hours", [0, 21_600], [0, 21_600]),
      ("a time going back", [0, 20, 5, 9], [0, 20, 30, 34]),
      ("a jump of days", [0, 5, 300_000, 300_002], [0, 5, 15, 17]),
    ] as [(String, [Double?], [Double])])
  func passesTrackTime(_ name: String, times: [Double?], expected: [Double]) throws {
    #expect(try elapsed(times: times).seconds == expected)
  }

  @Test func countsTheTimesItCouldNotUse() throws {
    let unusableTimes = try elapsed(times: [0, nil, 5, 5, 3, 300_000]).unusableTimes
    #expect(unusableTimes == UnusableTimes(missing: 1, repeated: 1, backward: 1, jumps: 1))
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

  @Test func aGapBetweenSegmentsAddsNothing() throws {
    let walked = try elapsed(times: [0, 1, 2, 3], step: 50, segments: [0, 0, 1, 1]).walked
    #expect(abs(walked - 100) < 1e-6)
  }
}
