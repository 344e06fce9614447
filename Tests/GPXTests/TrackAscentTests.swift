import Foundation
import GPX
import Geodesy
import Testing

/// The ascent of tracks whose true ascent is known.
@Suite struct TrackAscentTests {
  /// Waves along the way, as high from trough to crest as is said.
  private static func waves(_ height: Double, every meters: Double) -> (Double) -> Double {
    { 100 + height / 2 * sin(2 * .pi * $0 / meters) }
  }

  private static let barometer = SimulatedRecorder.Noise(meters: 0.3, seconds: 20)

  /// The sum of all rises after a smoothing over three points, as gpxpy adds them up.
  private static func sumOfRises(_ fixes: [Fix]) -> Double {
    let heights = fixes.compactMap(\.elevation)
    let smooth = heights.indices.dropFirst().dropLast().map {
      0.3 * heights[$0 - 1] + 0.4 * heights[$0] + 0.3 * heights[$0 + 1]
    }
    return zip(smooth, smooth.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
  }

  @Test(
    arguments: [
      (SimulatedRecorder(), 1.3), (SimulatedRecorder(), 7),
      (SimulatedRecorder(interval: 10), 1.3), (SimulatedRecorder(interval: 10), 7),
      (SimulatedRecorder(elevationNoise: barometer, resolution: 0.2), 1.3),
      (SimulatedRecorder(elevationNoise: barometer, resolution: 0.2), 7),
      (SimulatedRecorder(resolution: 1), 1.3), (SimulatedRecorder(resolution: 1), 7),
    ] as [(SimulatedRecorder, Double)])
  func climbsRollingGround(recorder: SimulatedRecorder, speed: Double) throws {
    // 50 waves of 4.4 m.
    let fixes = try recorder.record(
      meters: 20_000, speed: speed, height: Self.waves(4.4, every: 400))
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.ascent - 220) < 0.1 * 220, "\(statistics.ascent)")
    #expect(abs(statistics.descent - 220) < 0.1 * 220, "\(statistics.descent)")
  }

  @Test(
    arguments: [
      (1.0, 0.0, 0.001), (1, 30, 0.02), (1, 60, 0.1), (3, 0, 0.002), (3, 30, 0.15), (5, 0, 0.01),
      (5, 30, 0.2), (5, 60, 0.25),
    ], [1 as UInt64, 2, 3])
  func findsLittleClimbInTheNoiseOfAReceiver(
    noise: (meters: Double, seconds: Double, share: Double), seed: UInt64
  ) throws {
    let recorder = SimulatedRecorder(
      elevationNoise: .init(meters: noise.meters, seconds: noise.seconds), seed: seed)
    let fixes = try recorder.record(meters: 9_360, speed: 1.3) { _ in 100 }
    let statistics = TrackStatistics(fixes)
    let limit = noise.share * Self.sumOfRises(fixes)
    #expect(statistics.ascent <= limit, "\(statistics.ascent) of \(limit)")
    #expect(statistics.descent <= limit, "\(statistics.descent) of \(limit)")
  }

  @Test(arguments: [0.0, 30], [0.0, 3])
  func climbsAMountain(seconds: Double, meters: Double) throws {
    let recorder = SimulatedRecorder(elevationNoise: .init(meters: meters, seconds: seconds))
    // Up 1,500 m in 12,500 m and down again.
    let fixes = try recorder.record(meters: 25_000, speed: 1) {
      500 + 0.12 * min($0, 25_000 - $0)
    }
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.ascent - 1_500) < 0.02 * 1_500, "\(statistics.ascent)")
    #expect(abs(statistics.descent - 1_500) < 0.02 * 1_500, "\(statistics.descent)")
  }

  @Test func climbsStairsOfWholeMeters() throws {
    // Up 4 m and down again every 500 m, in steps of 1 m.
    let fixes = try SimulatedRecorder(resolution: 1).record(meters: 20_000, speed: 1.3) {
      100 + 4 * abs(1 - ($0 / 250).truncatingRemainder(dividingBy: 2))
    }
    let statistics = TrackStatistics(fixes)
    #expect(abs(statistics.ascent - 160) < 8, "\(statistics.ascent)")
  }

  @Test(arguments: [-3.0, 1, 3])
  func countsTheDriftOfABreakAtMostOnce(drift: Double) throws {
    // An hour's break, in which the weather moves the barometer.
    let recorder = SimulatedRecorder(elevationNoise: Self.barometer, resolution: 0.2)
    let height: (Double) -> Double? = { 100 + drift * max(0, min(1, ($0 - 900) / 3_600)) }
    let fixes = try recorder.record(5_400, height: height) { time in
      (east: 1.3 * (time < 900 ? time : max(900, time - 3_600)), north: 0)
    }
    let statistics = TrackStatistics(fixes)
    // The noise before and behind it adds about a meter.
    let sum = statistics.ascent + statistics.descent
    #expect(sum <= abs(drift) + 1.5, "\(sum)")
  }

  @Test(arguments: [0.0, 0.3, 3])
  func descendsBackwardsWhatItClimbs(noise: Double) throws {
    let recorder = SimulatedRecorder(elevationNoise: .init(meters: noise, seconds: 20))
    let fixes = try recorder.record(
      meters: 10_000, speed: 1.3, height: Self.waves(20, every: 2_000))
    let forwards = TrackStatistics(fixes)
    let backwards = TrackStatistics(
      fixes.reversed().enumerated().map { index, fix in
        var fix = fix
        fix.time = fixes[index].time
        return fix
      })
    #expect(abs(forwards.ascent - backwards.descent) < 0.05 * forwards.ascent)
    #expect(abs(forwards.descent - backwards.ascent) < 0.05 * forwards.descent)
  }
}
