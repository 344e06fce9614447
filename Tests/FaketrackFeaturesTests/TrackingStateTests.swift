import FaketrackFeatures
import Geodesy
import Locations
import PhotoSearch
import Testing

@Suite struct TrackingStateTests {
  private static let place = Coordinate(unchecked: 52, 13)

  private static func fix(_ distance: Double) -> TrackingEvent {
    var fix = Fix(place)
    fix.distance = distance
    return .updated(.fix(fix))
  }

  private static func state(after events: [TrackingEvent]) -> TrackingState {
    var state = TrackingState()
    for event in events { state.apply(event) }
    return state
  }

  @Test(
    arguments: [
      ([], .idle), ([.started], .running), ([.started, .paused], .paused),
      ([.started, .paused, .resumed], .running), ([.started, .finished], .finished),
      ([.started, .stopped], .stopped), ([.started, .failed("broken")], .failed("broken")),
      ([.paused], .idle), ([.resumed], .idle), ([.started, .finished, .paused], .finished),
      ([.started, .stopped, .resumed], .stopped), ([.started, .paused, .stopped], .stopped),
      ([.started, .failed("broken"), .started], .running),
    ] as [([TrackingEvent], TrackingState.Phase)])
  func phasesFollowEvents(events: [TrackingEvent], phase: TrackingState.Phase) {
    let state = Self.state(after: events)
    #expect(state.phase == phase)
    #expect(state.isUnderWay == (phase == .running || phase == .paused))
  }

  @Test func theNewestPermissionCounts() {
    let state = Self.state(after: [
      .started, .updated(.authorization(.notDetermined)),
      .updated(.authorization(.authorizedWhenInUse)), .updated(.authorization(.denied)),
    ])
    #expect(state.authorization == .denied)
    #expect(state.phase == .running)
  }

  @Test func aFixEndsTheLossOfTheSignal() {
    let lost = Self.state(after: [.started, Self.fix(0), .updated(.unavailable)])
    #expect(!lost.isAvailable)
    #expect(lost.locations == 1)
    var found = lost
    found.apply(Self.fix(250))
    #expect(found.isAvailable)
    #expect(found.locations == 2)
    #expect(found.distance == 250)
  }

  @Test func visitsAreCountedByWhatTheyBrought() {
    let fix = Fix(Self.place)
    let state = Self.state(after: [
      .started, .visited(Visit(index: 0, fix: fix, photo: .plain("a"))),
      .visited(Visit(index: 1, fix: fix)), .visited(Visit(index: 2, fix: fix, error: "first")),
      .visited(Visit(index: 3, fix: fix, error: "second")),
    ])
    #expect(state.searched == 4)
    #expect(state.photos == 1)
    #expect(state.failures == 2)
    #expect(state.failure == "second")
    #expect(state.visits.map(\.index) == [0, 1, 2, 3])
  }

  @Test func onlyTheNewestVisitsAreKept() {
    let count = TrackingState.visitsKept * 3 + 1
    let visits = (0..<count).map { TrackingEvent.visited(Visit(index: $0, fix: Fix(Self.place))) }
    let state = Self.state(after: visits)
    #expect(state.visits.count == TrackingState.visitsKept)
    #expect(state.visits.last?.index == count - 1)
    #expect(state.visits.first?.index == count - TrackingState.visitsKept)
    #expect(state.searched == count)
  }

  @Test func aNewWalkStartsFromNothing() {
    let state = Self.state(after: [
      .started, .updated(.authorization(.denied)), Self.fix(100), .updated(.unavailable),
      .visited(Visit(index: 0, fix: Fix(Self.place), error: "down")), .finished, .started,
    ])
    var fresh = TrackingState()
    fresh.phase = .running
    #expect(state == fresh)
  }

  @Test func nothingIsWalkedBeforeTheFirstFix() {
    #expect(TrackingState().distance == 0)
    #expect(Self.state(after: [.started, .updated(.fix(Fix(Self.place)))]).distance == 0)
  }
}
