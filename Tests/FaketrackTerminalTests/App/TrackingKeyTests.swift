import FaketrackFeatures
import Locations
import Testing
import WorldCities

@testable import FaketrackTerminal

@Suite struct TrackingKeyTests {
  @Test func takesNoOtherCharacterForAKey() {
    let characters = (0...UInt8.max).map { Character(UnicodeScalar($0)) }
    #expect(String(characters.filter { Self.action($0, in: .running) != nil }) == " +,-.<=>Q_q")
  }

  @Test(
    arguments: [
      (.running, "pause"), (.paused, "resume"), (.idle, nil), (.finished, nil), (.stopped, nil),
      (.failed(Failure(message: "m")), nil),
    ] as [(TrackingState.Phase, String?)])
  func spacePausesAndResumes(phase: TrackingState.Phase, action: String?) {
    #expect(Self.action(" ", in: phase, at: .max) == action)
  }

  @Test(arguments: ["q", "Q"] as [Character])
  func qStopsInAnyPhase(key: Character) {
    for phase in [TrackingState.Phase.running, .paused, .idle, .finished] {
      #expect(Self.action(key, in: phase) == "stop")
    }
  }

  @Test(
    arguments: [
      (1, "speed 2", "speed 0.5"), (0.1, "speed 0.2", nil), (0.15, "speed 0.2", "speed 0.1"),
      (600, "speed 1000", "speed 500"), (500, "speed 1000", "speed 200"),
      (1_000, "speed max", "speed 500"),
    ] as [(Double, String?, String?)])
  func speedGoesInSteps(multiple: Double, faster: String?, slower: String?) throws {
    let speed = try #require(ReplaySpeed(multiple: multiple))
    for key in ">.+=" as String { #expect(Self.action(key, in: .running, at: speed) == faster) }
    for key in "<,-_" as String { #expect(Self.action(key, in: .paused, at: speed) == slower) }
  }

  @Test func maxLiesBeyondTheFastestMultiple() {
    #expect(Self.action("<", in: .paused, at: .max) == "speed 1000")
    #expect(Self.action(">", in: .running, at: .max) == nil)
  }

  private func actions(_ key: Character, _ state: TrackingState) -> [TrackingViewModel.Action] {
    var view = TrackingView(index: .world)
    let area = AppFrame.body(of: CellSize(columns: 80, rows: 24))
    return (view.react(to: .key(.character(key)), state, in: area) ?? []).compactMap {
      if case .send(let action) = $0 { action } else { nil }
    }
  }

  @Test func spaceKeepsAWalkThatHasArrivedAndAJumpPastTheEndArrives() throws {
    let length = try #require(try Walks.state().shape?.length)
    let paused = try Walks.state(.paused, meters: 3_560)
    #expect(actions("]", paused) == [.move(to: length), .resume])
    let arrived = try Walks.state(.finished(nil), meters: 3_560)
    #expect(actions(" ", arrived).isEmpty && actions("]", arrived) == [.move(to: length)])
  }

  @Test func afterTheArrivalJumpsGoOnFromThePositionThatIsLookedAt() throws {
    var state = try Walks.state(.finished(nil), meters: 3_560)
    let step = max(100, try #require(state.shape?.length) / 50)
    for meters in [2_000.0, 1_000] {
      state.apply(.placed(at: meters, try #require(state.shape?.place(atDistance: meters))))
      #expect(actions("[", state) == [.move(to: meters - step)])
    }
  }

  @Test func theChosenPhotoIsTheOneAtThePosition() throws {
    let area = AppFrame.body(of: CellSize(columns: 80, rows: 24))
    var view = TrackingView(index: .world)
    func chosen(_ state: TrackingState) -> Int? {
      _ = view.update(state, in: area)
      return view.chosenCard(state)?.number
    }
    var state = try Walks.state(.paused)
    #expect(chosen(state) == 8)
    _ = view.react(to: .key(.down), state, in: area)
    #expect(chosen(state) == 7)
    // A jump back to the start.
    let reactions = view.react(to: .key(.character("[")), state, in: area)
    #expect(reactions?.count == 1)
    state.apply(.placed(at: 120, try #require(state.shape?.place(atDistance: 120))))
    #expect(chosen(state) == 2)
  }

  private static func action(
    _ key: Character, in phase: TrackingState.Phase, at speed: ReplaySpeed = .realTime
  ) -> String? {
    var state = TrackingState(speed: speed)
    state.phase = phase
    return words(state.action(of: key))
  }

  /// The effect of an action in words; `nil` for actions without a key.
  private static func words(_ action: TrackingViewModel.Action?) -> String? {
    switch action {
    case .pause: "pause"
    case .resume: "resume"
    case .stop: "stop"
    case .setSpeed(let speed): "speed \(speed.name)"
    case nil: nil
    case .choose, .remove, .start, .move, .answer, .setMinPopulation, .setDistanceFilter,
      .setPhotoSource:
      "another action"
    }
  }
}
