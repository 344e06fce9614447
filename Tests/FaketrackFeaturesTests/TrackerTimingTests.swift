import Geodesy
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

/// How long a walk takes whose searches take a while.
@Suite(.timeLimit(.minutes(1))) struct TrackerTimingTests {
  @Test(arguments: [(1, 10), (2, 5), (4, 3), (5, 2), (10, 1)])
  func tenSearchesOfATenthOfASecondTakeAsLongAsTheyMust(concurrency: Int, rounds: Int) async throws
  {
    let clock = VirtualClock()
    let search = ScriptedSearch { _, query, _ in
      try await clock.sleep(for: .milliseconds(100))
      return .around(query)
    }
    let store = StateStore(TrackingState())
    let tracker = Tracker(
      locations: TestTrack.provider(TestTrack.kilometers(10)), photos: PhotoPicker(search),
      concurrency: concurrency)
    let running = Task { try await tracker.run(updating: store) { _ in } }
    for round in 1...rounds {
      let isLast = round == rounds
      try await clock.waitForSleepers(isLast ? 10 - (rounds - 1) * concurrency : concurrency)
      clock.advance(by: .milliseconds(100))
    }
    try await running.value
    #expect(clock.now.offset == .milliseconds(100 * rounds))
    #expect(search.begun == 10)
    #expect(search.peak == concurrency)
    #expect(store.state.found == 10)
  }

  @Test func laterVisitsWaitForTheSearchOfTheFirst() async throws {
    let clock = VirtualClock()
    // The first search takes the longest, the last none at all.
    let search = ScriptedSearch { _, query, _ in
      try await clock.sleep(for: .seconds(3 - TestTrack.number(of: query)))
      return .around(query)
    }
    let store = StateStore(TrackingState())
    let tracker = Tracker(
      locations: TestTrack.provider(TestTrack.kilometers(4)), photos: PhotoPicker(search))
    let running = Task { try await tracker.run(updating: store) { _ in } }
    for sleepers in [3, 2, 1] {
      try await clock.waitForSleepers(sleepers)
      #expect(store.state.searched == 0)
      clock.advance(by: .seconds(1))
    }
    try await running.value
    #expect(store.state.searched == 4)
    #expect(clock.now.offset == .seconds(3))
  }
}
