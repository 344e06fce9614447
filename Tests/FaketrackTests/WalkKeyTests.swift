import FaketrackFeatures
import Locations
import Testing

@testable import faketrack

@Suite struct WalkKeyTests {
  @Test(
    arguments: [
      (" ", .pauseOrResume), ("+", .faster), ("=", .faster), ("-", .slower), ("_", .slower),
      ("q", .quit), ("Q", .quit),
    ] as [(String, WalkKey)])
  func knowsItsKeys(text: String, key: WalkKey) {
    #expect(text.utf8.map(WalkKey.init) == [key])
  }

  @Test func takesNoOtherByteForAKey() {
    let keys = (0...UInt8.max).filter { WalkKey($0) != nil }
    #expect(keys == Array(" +-=Q_q".utf8))
  }

  @Test(
    arguments: [
      (.running, .pause), (.paused, .resume), (.idle, nil), (.finished, nil), (.stopped, nil),
    ] as [(TrackingState.Phase, TrackingViewModel.Action?)])
  func spacePausesAndResumes(phase: TrackingState.Phase, action: TrackingViewModel.Action?) {
    #expect(WalkKey.pauseOrResume.action(in: phase, at: .max) == action)
  }

  @Test func qStopsInAnyPhase() {
    for phase in [TrackingState.Phase.running, .paused] {
      #expect(WalkKey.quit.action(in: phase, at: .multiple(1)) == .stop)
    }
  }

  @Test(
    arguments: [
      (1, 2, 0.5), (0.1, 0.2, nil), (0.15, 0.3, 0.1), (600, 1_000, 300), (500, 1_000, 250),
      (128, 256, 64),
    ] as [(Double, Double, Double?)])
  func plusDoublesAndMinusHalves(speed: Double, faster: Double, slower: Double?) {
    let speed = ReplaySpeed.multiple(speed)
    #expect(WalkKey.faster.action(in: .running, at: speed) == .setSpeed(.multiple(faster)))
    #expect(
      WalkKey.slower.action(in: .running, at: speed)
        == slower.map { .setSpeed(.multiple($0)) })
  }

  @Test func maximumLiesBeyondTheFastestMultiple() {
    #expect(WalkKey.faster.action(in: .paused, at: .multiple(1_000)) == .setSpeed(.max))
    #expect(WalkKey.slower.action(in: .paused, at: .max) == .setSpeed(.multiple(1_000)))
    #expect(WalkKey.faster.action(in: .running, at: .max) == nil)
  }

  @Test func allStepsLieInTheRangeOfTheOption() {
    var speed = ReplaySpeed.multiple(1)
    for step in [\ReplaySpeed.slower, \.faster] {
      for _ in 0..<30 {
        speed = speed[keyPath: step]
        if case .multiple(let multiple) = speed { #expect(SpeedArgument.range.contains(multiple)) }
      }
    }
    #expect(speed == .max)
  }
}
