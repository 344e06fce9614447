import Geodesy
import Testing

@testable import Locations

/// Concurrent calls from several tasks; these tests run many times to meet many orders.
@Suite struct ReplayListenersTests {
  @Test func aPauseAndASpeedAtOnceBothHold() async throws {
    for _ in 0..<50 {
      let clock = VirtualClock()
      let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
      let seen = UpdateRecorder()
      let running = Task { try await seen.run(provider) }
      try await provider.advance(to: .elapsed(.seconds(10)))
      let faster = ReplaySpeed.times(10)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { provider.pause() }
        group.addTask { provider.speed = faster }
      }
      await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
      #expect(seen.count == 11)
      provider.resume()
      try await provider.advance(to: .end)
      #expect(seen.count == 101)
      #expect(clock.now.offset == .seconds(19))
      try await running.value
    }
  }

  @Test func severalMayAdvanceAtOnce() async throws {
    for _ in 0..<40 {
      let provider = ReplayLocationProvider(
        try SampleTracks.north(seconds: 50), clock: VirtualClock())
      let seen = UpdateRecorder()
      let running = Task { try await seen.run(provider) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try await provider.advance(to: .elapsed(.seconds(50))) } }
        try await group.waitForAll()
      }
      #expect(seen.count == 51)
      running.cancel()
    }
  }

  @Test func theClockMayBeMovedByOthers() async throws {
    for _ in 0..<40 {
      let clock = VirtualClock()
      let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 50), clock: clock)
      let seen = UpdateRecorder()
      let running = Task { try await seen.run(provider) }
      let moving = Task {
        for _ in 0..<40 { clock.advance(by: .seconds(1)) }
      }
      try await provider.advance(to: .end)
      #expect(seen.count == 51)
      await moving.value
      try await running.value
    }
  }

  @Test func twoProvidersMayShareAClock() async throws {
    let clock = VirtualClock()
    let providers = try [2.0, 1.0].map { step in
      ReplayLocationProvider(try SampleTracks.north(seconds: 100, step: step), clock: clock)
    }
    let seen = [UpdateRecorder(), UpdateRecorder()]
    let runs = zip(providers, seen).map { provider, recorder in
      Task { try await recorder.run(provider) }
    }
    for provider in providers { try await provider.waitForSubscribers(atLeast: 1) }
    for second in stride(from: 10, through: 100, by: 10) {
      for provider in providers { try await provider.advance(to: .elapsed(.seconds(second))) }
      #expect(seen.map(\.count) == [second + 1, second + 1])
    }
    for run in runs { run.cancel() }
  }

  @Test func anIterationMayBeCanceledAtAnyUpdate() async throws {
    for count in 0..<50 {
      let provider = ReplayLocationProvider(
        try SampleTracks.north(seconds: 300), clock: VirtualClock())
      let running = Task {
        var seen = 0
        for try await _ in provider.updates() {
          if seen == count { withUnsafeCurrentTask { $0?.cancel() } }
          seen += 1
        }
        return seen
      }
      try await provider.advance(to: .end)
      await #expect(throws: CancellationError.self) { try await running.value }
      try await provider.advance(to: .end)
    }
  }

  @Test func anIterationMayBeCanceledFromOutsideAtAnyTime() async throws {
    for _ in 0..<50 {
      let provider = ReplayLocationProvider(
        try SampleTracks.north(seconds: 300), clock: VirtualClock())
      let running = Task { try await provider.allUpdates() }
      let advancing = Task { try await provider.advance(to: .end) }
      let canceling = Task { running.cancel() }
      await canceling.value
      let outcome = await running.result
      if case .failure(let error) = outcome { #expect(error is CancellationError) }
      advancing.cancel()
      if case .failure(let error) = await advancing.result {
        #expect(error is CancellationError)
      }
    }
  }

  @Test func aHundredIterationsKeepTheSameTime() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 30), clock: clock)
    let seen = (0..<100).map { _ in UpdateRecorder() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for recorder in seen { group.addTask { try await recorder.run(provider) } }
      try await provider.waitForSubscribers(atLeast: 100)
      for second in [5, 17, 29] {
        try await provider.advance(to: .elapsed(.seconds(second)))
        #expect(seen.allSatisfy { $0.count == second + 1 })
        #expect(clock.now.offset == .seconds(second))
      }
      try await provider.advance(to: .end)
      try await group.waitForAll()
    }
    #expect(Set(seen.map(\.updates)).count == 1)
  }

  @Test func whoComesLaterFirstGetsWhatTheDeviceKnows() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 60), clock: VirtualClock())
    let seen = [UpdateRecorder(), UpdateRecorder()]
    let first = Task { try await seen[0].run(provider) }
    try await provider.advance(to: .elapsed(.seconds(40)))
    let second = Task { try await seen[1].run(provider) }
    try await provider.waitForSubscribers(atLeast: 2)
    try await provider.advance(to: .elapsed(.seconds(43)))
    #expect(seen[0].count == 44)
    #expect(seen[1].updates.first == .authorization(.authorizedWhenInUse))
    #expect(
      seen[1].updates.dropFirst().map(\.location) == seen[0].updates.suffix(4).map(\.location))
    first.cancel()
    second.cancel()
  }

  @Test func aPauseHoldsEveryIteration() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 20), clock: VirtualClock())
    let seen = [UpdateRecorder(), UpdateRecorder()]
    let runs = seen.map { recorder in Task { try await recorder.run(provider) } }
    try await provider.waitForSubscribers(atLeast: 2)
    try await provider.advance(to: .elapsed(.seconds(4)))
    provider.pause()
    await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
    #expect(seen.map(\.count) == [5, 5])
    provider.resume()
    try await provider.advance(to: .end)
    #expect(seen.map(\.count) == [21, 21])
    for run in runs { try await run.value }
  }

  @Test func speedsChangedDuringAPauseHoldAfterIt() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .elapsed(.seconds(20)))
    provider.pause()
    for multiple in [7.0, 0.5, 4] { provider.speed = .times(multiple) }
    clock.advance(by: .seconds(1_000))
    await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
    #expect(seen.count == 21)
    provider.resume()
    try await provider.advance(to: .end)
    try await running.value
    #expect(seen.count == 101)
    #expect(clock.now.offset == .seconds(20 + 1_000 + 20))
  }

  @Test func maximumSpeedSetDuringAPauseWaitsForItsEnd() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .elapsed(.seconds(20)))
    provider.pause()
    provider.speed = .max
    await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
    #expect(seen.count == 21)
    provider.resume()
    try await running.value
    #expect(seen.count == 101)
    #expect(clock.now.offset == .seconds(20))
  }

  @Test func pausingTwiceIsPausingOnce() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 10), speed: .max, clock: VirtualClock())
    provider.pause()
    provider.pause()
    provider.resume()
    #expect(try await provider.allUpdates().fixes.count == 11)
  }

  @Test func afterTheEndThereIsTheLastFixUntilARestart() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 20), clock: VirtualClock())
    let first = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    let updates = try await first.value
    #expect(updates.fixes.count == 21)
    #expect(try await provider.allUpdates() == [updates[0], updates[21]])
    provider.restart()
    let seen = UpdateRecorder()
    let second = Task { try await seen.run(provider) }
    try await provider.waitForSubscribers(atLeast: 3)
    try await provider.advance(to: .elapsed(.seconds(5)))
    #expect(seen.updates == Array(updates[0...6]))
    second.cancel()
  }

  @Test func cancelingAWaitForAnIterationEndsIt() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 1), clock: VirtualClock())
    let waiting = Task { try await provider.waitForSubscribers(atLeast: 1) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aSpeedSetBeforeTheReplayHolds() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    provider.speed = .times(50)
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    _ = try await running.value
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func aReplayThatStartsPausedWaits() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 10), speed: .max, clock: clock)
    provider.pause()
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
    #expect(seen.updates.isEmpty)
    provider.resume()
    try await running.value
    #expect(seen.count == 11)
    #expect(clock.now.offset == .zero)
  }

  @Test func whoEndsWhenDeniedMayListenAgain() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100), clock: VirtualClock(),
      authorization: [
        .change(to: .denied, at: .elapsed(.seconds(20))),
        .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(50))),
      ])
    let first = Task {
      var count = 0
      for try await update in provider.updates() {
        if update.authorization == .denied { break }
        if update.location != nil { count += 1 }
      }
      return count
    }
    try await provider.advance(to: .elapsed(.seconds(30)))
    #expect(try await first.value == 20)
    // There is no listener meanwhile.
    let progress = try await provider.advance(to: .elapsed(.seconds(60)))
    #expect(progress.elapsed == .seconds(60))
    let seen = UpdateRecorder()
    let second = Task { try await seen.run(provider) }
    try await provider.waitForSubscribers(atLeast: 2)
    try await provider.advance(to: .end)
    try await second.value
    #expect(seen.updates.first == .authorization(.authorizedWhenInUse))
    #expect(seen.count == 41)
  }

  @Test func aRestartAndASeekGoOnForWhoListens() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100, step: 1), clock: VirtualClock())
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    func distances(since count: Int) -> [Int] {
      seen.updates.dropFirst(count).map { Int(($0.location?.distance ?? -1).rounded()) }
    }
    try await provider.advance(to: .elapsed(.seconds(10)))
    var count = seen.updates.count
    provider.seek(to: .elapsed(.seconds(80)))
    var progress = try await provider.advance(to: .elapsed(.seconds(82)))
    #expect(distances(since: count) == [80, 81, 82])
    #expect(progress.elapsed == .seconds(82))
    #expect(abs(progress.distance - 82) < 0.01)
    count = seen.updates.count
    provider.seek(to: .meters(40))
    try await provider.advance(to: .elapsed(.seconds(41)))
    #expect(distances(since: count).suffix(2) == [40, 41])
    count = seen.updates.count
    provider.restart()
    progress = try await provider.advance(to: .elapsed(.seconds(1.5)))
    #expect(distances(since: count) == [0, 1])
    #expect(abs(progress.distance - 1.5) < 0.01)
    #expect(seen.updates.count { $0.authorization != nil } == 1)
    running.cancel()
  }

  @Test func aSeekBeforeTheStartHolds() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100, step: 1), speed: .max)
    provider.seek(to: .elapsed(.seconds(95)))
    #expect(try await provider.allUpdates().fixes.count == 6)
  }

  @Test func anAdvanceThatCannotBeIsAnError() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100, step: 1), clock: VirtualClock())
    let running = Task { try await provider.allUpdates() }
    func message(_ position: ReplayPosition) async throws -> String {
      let error = await #expect(throws: AdvanceError.self) {
        try await provider.advance(to: position)
      }
      return try #require(error).description
    }
    try await provider.advance(to: .elapsed(.seconds(50)))
    try await provider.advance(to: .elapsed(.seconds(50)))
    #expect(
      try await message(.meters(20)) == """
        advance(to: .meters(20.0)): the replay is at 50 m, 50 s already: restart() it, or \
        seek(to:) the position
        """)
    provider.pause()
    #expect(provider.isPaused)
    #expect(try await message(.end).hasSuffix("the replay is paused: resume() it first"))
    provider.resume()
    try await provider.advance(to: .meters(100.9))
    #expect(
      try await message(.meters(150))
        == "advance(to: .meters(150.0)): the replay has ended at 100 m, 100 s")
    #expect(try await running.value.fixes.count == 101)
  }

  // MARK: A clock that the provider does not move

  @Test func theDeviceGoesOnWithoutListeners() async throws {
    let clock = OtherClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 2_000, step: 1), clock: clock,
      authorization: [.change(to: .authorizedAlways, at: .elapsed(.seconds(1_200)))])
    for try await update in provider.updates() where update.location != nil { break }
    clock.virtual.advance(by: .seconds(1_500.5))
    var iterator = provider.updates().makeAsyncIterator()
    #expect(try await iterator.next() == .authorization(.authorizedAlways))
    #expect(try await iterator.next()?.location?.distance.map { $0.rounded() } == 1_500)
    #expect(provider.elapsed == .seconds(1_500))
    #expect(iterator.nextIfReady() == nil)
    clock.virtual.advance(by: .seconds(0.5))
    #expect(try await iterator.next()?.location?.distance.map { $0.rounded() } == 1_501)
  }

  @Test func whoIsBehindGetsTheNewestFixAndEachChange() async throws {
    let clock = OtherClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100, step: 1), clock: clock,
      authorization: [
        .change(to: .denied, at: .elapsed(.seconds(20))),
        .change(to: .authorizedAlways, at: .elapsed(.seconds(30))),
      ])
    var slow = provider.updates().makeAsyncIterator()
    #expect(try await slow.next()?.authorization == .authorizedWhenInUse)
    #expect(try await slow.next()?.location?.distance == 0)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    for _ in 1...50 {
      try await clock.virtual.waitForSleepers(atLeast: 1)
      clock.virtual.advance(by: .seconds(1))
    }
    try await clock.virtual.waitForSleepers(atLeast: 1)
    #expect(seen.updates.fixes.count == 41)
    #expect(slow.nextIfReady() == .authorization(.denied))
    #expect(slow.nextIfReady() == .authorization(.authorizedAlways))
    #expect(slow.nextIfReady()?.location?.distance.map { $0.rounded() } == 50)
    #expect(slow.nextIfReady() == nil)
    running.cancel()
  }

  @Test func atMaximumSpeedWhoIsBehindHoldsTheOthersBack() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 5_000), speed: .max)
    var slow = provider.updates().makeAsyncIterator()
    #expect(try await slow.next()?.authorization != nil)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.waitForSubscribers(atLeast: 2)
    var updates = 0
    while try await slow.next() != nil {
      updates += 1
      #expect(seen.updates.count - updates <= 513)
    }
    #expect(updates == 5_001)
    try await running.value
    #expect(seen.count == 5_001)
  }

  @Test func whoHoldsTheOthersBackAndLeavesLetsThemGoOn() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 5_000), speed: .max)
    var slow: LocationUpdates.Iterator? = provider.updates().makeAsyncIterator()
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    while seen.updates.count < 512 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(seen.updates.count == 512)
    #expect(slow?.nextIfReady() != nil)
    slow = nil
    try await running.value
    #expect(seen.count == 5_001)
  }
}

/// A clock that is not a virtual one for the provider.
private struct OtherClock: Clock {
  let virtual = VirtualClock()

  var now: VirtualClock.Instant { virtual.now }
  var minimumResolution: Duration { virtual.minimumResolution }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    try await virtual.sleep(until: deadline)
  }
}
