import Geodesy
import Testing

@testable import Locations

@Suite struct MotionEstimatorTests {
  /// Speed and course after each of these steps: seconds since the start, meters along a straight
  /// line at this bearing.
  private func motion(
    _ steps: [(elapsed: Double, walked: Double)], bearing: Double = 90, segments: [Int] = []
  ) -> [(speed: Double?, course: Double?)] {
    var motion = MotionEstimator()
    let origin = Coordinate(validLatitude: 0, longitude: 0)
    return steps.enumerated().map { index, step in
      let fix = Fix(
        origin.destination(distance: step.walked, bearing: bearing),
        segment: segments.isEmpty ? 0 : segments[index])
      motion.record(
        TrackFix(fix: fix, progress: TrackProgress(elapsed: step.elapsed, walked: step.walked)))
      return (motion.speed, motion.course)
    }
  }

  @Test(arguments: [0.0, 45, 90, 180, 270, 359])
  func aStraightWalkHasItsSpeedAndCourse(bearing: Double) throws {
    let steps = (0...20).map { (elapsed: Double($0), walked: Double($0) * 1.5) }
    for motion in motion(steps, bearing: bearing).dropFirst() {
      #expect(abs(try #require(motion.speed) - 1.5) < 1e-9)
      let turn = (try #require(motion.course) - bearing).remainder(dividingBy: 360)
      #expect(abs(turn) < 1e-3)
    }
  }

  @Test func aSegmentBeginsWithoutAny() {
    let steps = (0...5).map { (elapsed: Double($0), walked: Double($0) * 1.1) }
    let motions = motion(steps, segments: [0, 0, 0, 1, 1, 1])
    #expect(motions.map { $0.speed == nil } == [true, false, false, true, false, false])
    #expect(motions.map { $0.course == nil } == [true, false, false, true, false, false])
  }

  @Test func onlyTheLastSecondsCount() throws {
    let steps = (0...20).map { (elapsed: Double($0), walked: $0 <= 10 ? Double($0) * 3 : 30) }
    let speeds = motion(steps).map { $0.speed ?? -1 }
    #expect(abs(speeds[10] - 3) < 1e-9)
    #expect(speeds[12] > 0 && speeds[12] < 3)
    #expect(speeds[15...].allSatisfy { $0 == 0 })
  }

  @Test func aFarFixIsComparedWithTheOneBefore() throws {
    let motions = motion([(0, 0), (1, 1), (100, 199)])
    #expect(abs(try #require(motions[2].speed) - 2) < 1e-9)
  }

  @Test func lessThanAMeterHasNoDirection() {
    let steps = (0...10).map { (elapsed: Double($0), walked: Double($0) * 0.1) }
    #expect(motion(steps).allSatisfy { $0.course == nil })
  }

  /// The fixes that define the estimates: all since the last one outside the window.
  @Test func agreesWithAllFixesOfTheWindow() {
    var steps: [(elapsed: Double, walked: Double)] = [(0, 0)]
    for number in 1..<500 {
      let last = steps[steps.count - 1]
      let pause = [0, 0, 0.5, 0, 1, 4, 0.5, 0, 0, 9, 0.5][number * number % 11]
      steps.append((last.elapsed + pause, last.walked + Double(number % 7)))
    }
    for (index, motion) in motion(steps).enumerated() {
      let now = steps[index]
      let start = steps[..<index].lastIndex { now.elapsed - $0.elapsed >= MotionEstimator.window }
      let first = steps[start ?? 0]
      let duration = now.elapsed - first.elapsed
      #expect(motion.speed == (duration > 0 ? (now.walked - first.walked) / duration : nil))
    }
  }

  @Test
  func fixesWhereTimeStandsStillCostNoMore() {
    let steps = [(elapsed: Double, walked: Double)](repeating: (3, 7), count: 60_000)
    let motions = motion(steps)
    #expect(motions.allSatisfy { $0.speed == nil && $0.course == nil })
  }

  @Test func twoFixesAtOneTimeHaveNoSpeed() {
    #expect(motion([(3, 0), (3, 5)])[1].speed == nil)
  }
}
