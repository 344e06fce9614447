import FaketrackFeatures
import Locations
import Testing

@testable import FaketrackTerminal

@Suite struct WalkKeyTests {
  @Test(
    arguments: [
      (" ", .pauseOrResume), ("+", .faster), ("=", .faster), ("-", .slower), ("_", .slower),
      ("q", .quit), ("Q", .quit),
    ] as [(String, WalkKey)])
  func knowsItsKeys(text: String, key: WalkKey) {
    #expect(text.map(WalkKey.init) == [key])
  }

  @Test func takesNoOtherCharacterForAKey() {
    let characters = (0...UInt8.max).map { Character(UnicodeScalar($0)) }
    #expect(String(characters.filter { WalkKey($0) != nil }) == " +-=Q_q")
  }

  @Test(
    arguments: [
      (.running, "pause"), (.paused, "resume"), (.idle, nil), (.finished, nil), (.stopped, nil),
      (.failed(Failure(message: "m")), nil),
    ] as [(TrackingState.Phase, String?)])
  func spacePausesAndResumes(phase: TrackingState.Phase, action: String?) {
    #expect(Self.words(WalkKey.pauseOrResume.action(in: phase, at: .max)) == action)
  }

  @Test func qStopsInAnyPhase() {
    for phase in [TrackingState.Phase.running, .paused, .idle, .finished] {
      #expect(Self.words(WalkKey.quit.action(in: phase, at: .realTime)) == "stop")
    }
  }

  @Test(
    arguments: [
      (1, "speed 2", "speed 0.5"), (0.1, "speed 0.2", nil), (0.15, "speed 0.3", "speed 0.1"),
      (600, "speed 1000", "speed 300"), (500, "speed 1000", "speed 250"),
      (1_000, "speed max", "speed 500"),
    ] as [(Double, String?, String?)])
  func plusDoublesAndMinusHalves(multiple: Double, faster: String?, slower: String?) throws {
    let speed = try #require(ReplaySpeed(multiple: multiple))
    #expect(Self.words(WalkKey.faster.action(in: .running, at: speed)) == faster)
    #expect(Self.words(WalkKey.slower.action(in: .paused, at: speed)) == slower)
  }

  @Test func maxLiesBeyondTheFastestMultiple() {
    #expect(Self.words(WalkKey.slower.action(in: .paused, at: .max)) == "speed 1000")
    #expect(Self.words(WalkKey.faster.action(in: .running, at: .max)) == nil)
  }

  /// The effect of an action in words; `nil` for actions without a key.
  private static func words(_ action: TrackingViewModel.Action?) -> String? {
    switch action {
    case .pause: "pause"
    case .resume: "resume"
    case .stop: "stop"
    case .setSpeed(let speed): "speed \(speed.name)"
    case nil: nil
    case .choose, .start, .move, .answer, .setMinPopulation: "another action"
    }
  }
}
