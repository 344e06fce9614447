import Geodesy
import Locations
import Testing

@Suite struct ReplayLocationProviderTests {
  private struct Broken: Error {}

  @Test func replaysWithoutWaitingAtMaximumSpeed() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 7_200), distanceFilter: 100, speed: .max)
    let updates = try await provider.allUpdates()
    #expect(updates.first == .authorization(.authorizedWhenInUse))
    #expect(updates.fixes.count == 94)
  }

  @Test func aRestartWalksAgain() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100), distanceFilter: 10, speed: .max)
    let first = try await provider.allUpdates()
    provider.restart()
    let second = try await provider.allUpdates()
    #expect(first == second)
    #expect(first.fixes.count > 10)
  }

  @Test func keepsTheRecordedPaceOnTheClock() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 7_200), distanceFilter: 100, clock: clock)
    let times = Task {
      var times: [Duration] = []
      for try await update in provider.updates() {
        if update.location != nil { times.append(clock.now.offset) }
      }
      return times
    }
    try await provider.advance(to: .end)
    let expected = (0..<94).map { Duration.seconds($0 * 77) }
    #expect(try await times.value == expected)
  }

  @Test func aMultipleShortensTheWaits() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 600), speed: .times(100), clock: clock)
    let running = Task { try await provider.allUpdates().count }
    try await provider.advance(to: .end)
    #expect(try await running.value == 602)
    #expect(clock.now.offset == .seconds(6))
  }

  @Test func advanceIncludesThePositionItself() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 60), clock: clock)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .elapsed(.seconds(10)))
    #expect(seen.count == 11)
    try await provider.advance(to: .meters(26.5))
    #expect(seen.count == 21)
    running.cancel()
  }

  @Test func pausingHoldsTheWalkAndResumingGoesOn() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 60), clock: clock)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .elapsed(.seconds(5)))
    provider.pause()
    clock.advance(by: .seconds(3_600))
    await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
    #expect(seen.count == 6)
    provider.resume()
    try await provider.advance(to: .elapsed(.seconds(7)))
    #expect(seen.count == 8)
    #expect(clock.now.offset == .seconds(3_607))
    running.cancel()
  }

  @Test func aNewSpeedHoldsFromNowOn() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .elapsed(.seconds(50)))
    provider.speed = .times(10)
    try await provider.advance(to: .end)
    _ = try await running.value
    #expect(clock.now.offset == .seconds(55))
  }

  @Test func cancelingStopsIt() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 60), clock: VirtualClock())
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .elapsed(.seconds(3)))
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    try await provider.advance(to: .end)
  }

  @Test func cancelingAnAdvanceEndsIt() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 60), clock: VirtualClock())
    let advancing = Task { try await provider.advance(to: .end) }
    advancing.cancel()
    await #expect(throws: CancellationError.self) { try await advancing.value }
  }

  @Test func aBrokenSourceEndsTheUpdatesAfterWhatCameBefore() async throws {
    let fixes = try SampleTracks.north(seconds: 9)
    let provider = ReplayLocationProvider(
      batches: AsyncThrowingStream { continuation in
        continuation.yield(fixes)
        continuation.finish(throwing: Broken())
      }, speed: .max)
    var seen: [LocationUpdate] = []
    await #expect(throws: Broken.self) {
      for try await update in provider.updates() { seen.append(update) }
    }
    #expect(seen.fixes.count == 10)
  }

  @Test func fixesComingInReplayLikeFixesInMemory() async throws {
    let fixes = try SampleTracks.north(seconds: 2_000)
    let batches = AsyncThrowingStream<[Fix], any Error> { continuation in
      for start in stride(from: 0, to: fixes.count, by: 70) {
        continuation.yield(Array(fixes[start..<min(start + 70, fixes.count)]))
      }
      continuation.finish()
    }
    let streamed = try await ReplayLocationProvider(
      batches: batches, distanceFilter: 50, speed: .max
    ).allUpdates()
    let held = try await ReplayLocationProvider(fixes, distanceFilter: 50, speed: .max).allUpdates()
    #expect(streamed == held)
  }

  @Test func twoIterationsAdvanceTogether() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 20), clock: VirtualClock())
    let counters = [UpdateRecorder(), UpdateRecorder()]
    let runs = counters.map { counter in Task { try await counter.run(provider) } }
    try await provider.waitForSubscribers(atLeast: 2)
    try await provider.advance(to: .elapsed(.seconds(10)))
    #expect(counters.map(\.count) == [11, 11])
    for run in runs { run.cancel() }
  }

  @Test func fixesAreReportedDuringARest() async throws {
    let before = try SampleTracks.north(seconds: 20)
    let rest = before[20]
    let after = try SampleTracks.north(seconds: 20).map { fix in
      Fix(
        fix.coordinate.destination(distance: 26, bearing: 0),
        time: fix.time?.addingTimeInterval(620))
    }
    let fixes = try await ReplayLocationProvider(
      before + after, speed: .max,
      options: ReplayOptions(interpolation: .interval(.seconds(1)), noise: 5, seed: 3)
    ).allUpdates().fixes
    #expect(fixes.count == 641)
    let resting = fixes[30..<620]
    #expect(resting.allSatisfy { $0.speed.map { $0 < 0.01 } ?? false && $0.course == nil })
    let distances = resting.map { $0.coordinate.distance(to: rest.coordinate) }
    #expect(distances.max() ?? 0 > 5)
    #expect(distances.max() ?? 100 < 25)
  }

  @Test func aPartIsReachedWithoutWaitingForWhatComesBefore() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 600), speed: .times(2), clock: clock,
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedAlways, at: .elapsed(.seconds(4))),
      ],
      options: ReplayOptions(start: .elapsed(.seconds(300))))
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .elapsed(.seconds(303)))
    #expect(seen.updates == [.authorization(.notDetermined)])
    try await provider.advance(to: .elapsed(.seconds(310)))
    #expect(seen.count == 7)
    #expect(clock.now.offset == .seconds(5))
    running.cancel()
  }

  @Test(arguments: [Double.nan, -Double.infinity, -5])
  func aDistanceFilterThatIsNoDistanceLetsEveryFixPass(distance: Double) async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 10), distanceFilter: distance, speed: .max)
    #expect(try await provider.allUpdates().fixes.count == 11)
  }

  @Test func anInfiniteDistanceFilterDeliversTheFirstFixOnly() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 10), distanceFilter: .infinity, speed: .max)
    #expect(try await provider.allUpdates().fixes.count == 1)
  }

  @Test func aPositionThatIsNeverReachedIsAdvancedToByTheFirstFix() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 10), clock: VirtualClock())
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .meters(.nan))
    #expect(seen.count == 1)
    running.cancel()
  }

  @Test func anEmptyTrackHasOnlyItsAuthorization() async throws {
    let provider = ReplayLocationProvider([], clock: VirtualClock())
    #expect(try await provider.allUpdates() == [.authorization(.authorizedWhenInUse)])
    #expect(provider.unusableTimes == UnusableTimes())
  }

  @Test func theErrorOfASourceComesAfterTheAuthorization() async throws {
    let provider = ReplayLocationProvider(
      batches: AsyncThrowingStream<[Fix], any Error> { throw Broken() }, speed: .max)
    var seen: [LocationUpdate] = []
    await #expect(throws: Broken.self) {
      for try await update in provider.updates() { seen.append(update) }
    }
    #expect(seen == [.authorization(.authorizedWhenInUse)])
  }

  @Test func unusableTimesAreKnownWhenTheReplayHasEnded() async throws {
    var track = try SampleTracks.north(seconds: 10)
    (track[3].time, track[7].time) = (nil, nil)
    let provider = ReplayLocationProvider(track, clock: VirtualClock())
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .elapsed(.seconds(9)))
    #expect(provider.unusableTimes == UnusableTimes())
    try await provider.advance(to: .end)
    _ = try await running.value
    #expect(provider.unusableTimes == UnusableTimes(missing: 2))
  }
}
