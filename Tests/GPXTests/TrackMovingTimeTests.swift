import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

/// The moving time of tracks whose true moving time is known.
@Suite struct TrackMovingTimeTests {
  private func movingTime(_ fixes: [Fix]) throws -> Double {
    try #require(TrackStatistics(fixes).movingSeconds)
  }

  @Test(arguments: [(1.0, 4.5), (0.7, 4.5), (1.3, 4), (1, 3)], [0.0, 1])
  func countsACircle(walk: (speed: Double, radius: Double), jitter: Double) throws {
    let recorder = SimulatedRecorder(jitter: .init(meters: jitter, seconds: 10))
    let fixes = try recorder.record(1_800) { time in
      let angle = time * walk.speed / walk.radius
      return (walk.radius * cos(angle), walk.radius * sin(angle))
    }
    let moving = try movingTime(fixes)
    #expect(abs(moving - 1_799) < 0.02 * 1_799, "\(moving)")
  }

  @Test(arguments: [0.8, 1, 1.3], [0.0, 1])
  func countsALawnMownInStrips(speed: Double, jitter: Double) throws {
    let recorder = SimulatedRecorder(jitter: .init(meters: jitter, seconds: 10))
    let fixes = try recorder.record(1_800) { time in
      let strip = (time * speed / 12).rounded(.down)
      let way = time * speed - strip * 12
      let isBack = strip.truncatingRemainder(dividingBy: 2) == 1
      return (east: isBack ? 12 - way : way, north: strip * 0.5)
    }
    let moving = try movingTime(fixes)
    #expect(abs(moving - 1_799) < 0.03 * 1_799, "\(moving)")
  }

  @Test(arguments: [0.0, 10])
  func countsASlowWalk(seconds: Double) throws {
    let recorder = SimulatedRecorder(jitter: .init(meters: 3, seconds: seconds))
    let moving = try movingTime(try recorder.record(1_800) { (0.5 * $0, 0) })
    #expect(abs(moving - 1_799) < 0.03 * 1_799, "\(moving)")
  }

  @Test(
    arguments: [
      SimulatedRecorder(jitter: .init(meters: 3)),
      SimulatedRecorder(jitter: .init(meters: 3, seconds: 30)),
      SimulatedRecorder(interval: 2, jitter: .init(meters: 3)),
      SimulatedRecorder(interval: 3, jitter: .init(meters: 3)),
      SimulatedRecorder(interval: 5, jitter: .init(meters: 3)),
      SimulatedRecorder(interval: 10, jitter: .init(meters: 3)),
    ], 1...3 as ClosedRange<UInt64>)
  func leavesABreakOut(recorder: SimulatedRecorder, seed: UInt64) throws {
    var recorder = recorder
    recorder.seed = seed
    // Ten minutes of walking, ten of standing, ten of walking.
    let fixes = try recorder.record(1_800) { time in
      (east: 1.3 * (time < 600 ? time : max(600, time - 600)), north: 0)
    }
    let moving = try movingTime(fixes)
    #expect(abs(moving - 1_200) < 0.05 * 1_200, "\(moving)")
  }

  @Test func tellsACircleFromTheStandingBeforeIt() throws {
    let fixes = try SimulatedRecorder(jitter: .init(meters: 1, seconds: 10)).record(2_400) {
      let angle = max(0, $0 - 1_200) / 4.5
      return (4.5 * cos(angle), 4.5 * sin(angle))
    }
    let moving = try movingTime(fixes)
    #expect(abs(moving - 1_200) < 0.06 * 1_200, "\(moving)")
  }

  @Test func countsAFixAMinute() throws {
    let moving = try movingTime(
      try SimulatedRecorder(interval: 60, jitter: .init(meters: 3)).record(3_660) {
        (1.3 * $0, 0)
      })
    #expect(abs(moving - 3_600) < 0.01 * 3_600, "\(moving)")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func countsFixesAtUnevenTimes(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var times = [0.0]
    while let last = times.last, last < 3_600 {
      times.append(last + 1 + Double(generator.index(below: 20)))
    }
    // Twice 20 minutes of walking with 20 of standing between them.
    let recorder = SimulatedRecorder(jitter: .init(meters: 3), seed: seed)
    let fixes = try recorder.record(at: times) { time in
      (east: 1.3 * (time < 1_200 ? time : max(1_200, time - 1_200)), north: 0)
    }
    let moving = try movingTime(fixes)
    #expect(abs(moving - 2_400) < 0.04 * 2_400, "\(moving)")
  }

  @Test func leavesOutWhatARecorderPauses() throws {
    // A ride at 7 m/s with a red light of 20 s after every 300 s, where nothing is recorded.
    let times = (0..<1_800).map { second -> Double in
      let lights = (second + 1) / 300
      return Double(second + 20 * lights)
    }
    let recorder = SimulatedRecorder(jitter: .init(meters: 1, seconds: 30))
    let fixes = try recorder.record(at: times) { time in
      let lights = ((time + 1) / 320).rounded(.down)
      return (7 * (time - lights * 21), 0)
    }
    let statistics = TrackStatistics(fixes)
    let moving = try #require(statistics.movingSeconds)
    let duration = try #require(statistics.durationSeconds)
    #expect(abs(duration - 1_919) < 1e-3)
    #expect(abs(moving - 1_793) < 0.015 * 1_793, "\(moving)")
  }
}
