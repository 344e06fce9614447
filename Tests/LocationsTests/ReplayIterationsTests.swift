import Geodesy
import Testing

@testable import Locations

/// Concurrent calls from several tasks; these tests run many times to meet many orders.
@Suite struct ReplayIterationsTests {
  @Test func aPauseAndASpeedAtOnceBothHold() async throws {
    for _ in 0..<50 {
      let clock = VirtualClock()
      let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
      let seen = UpdateRecorder()
      let running = Task { try await seen.run(provider) }
      try await provider.advance(to: .elapsed(.seconds(10)))
      let faster = try ReplaySpeed.times(10)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { provider.pause() }
        group.addTask { provider.setSpeed(faster) }
      }
      try await provider.advance(to: .end)
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
        for second in [10, 30, 50] {
          group.addTask { try await provider.advance(to: .elapsed(.seconds(second))) }
        }
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
    for provider in providers { try await provider.waitForIterations(1) }
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
      try await provider.waitForIterations(100)
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

  @Test func iterationsThatStartLaterAreBehind() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 60), clock: VirtualClock())
    let seen = [UpdateRecorder(), UpdateRecorder()]
    let first = Task { try await seen[0].run(provider) }
    try await provider.advance(to: .elapsed(.seconds(40)))
    let second = Task { try await seen[1].run(provider) }
    try await provider.waitForIterations(2)
    try await provider.advance(to: .elapsed(.seconds(10)))
    #expect(seen[1].count == 11)
    // The first one continues automatically as the clock passes its deadlines.
    #expect((41...51).contains(seen[0].count))
    first.cancel()
    second.cancel()
  }

  @Test func aPauseHoldsEveryIteration() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 20), clock: VirtualClock())
    let seen = [UpdateRecorder(), UpdateRecorder()]
    let runs = seen.map { recorder in Task { try await recorder.run(provider) } }
    try await provider.waitForIterations(2)
    try await provider.advance(to: .elapsed(.seconds(4)))
    provider.pause()
    try await provider.advance(to: .end)
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
    for multiple in [7.0, 0.5, 4] { provider.setSpeed(try .times(multiple)) }
    clock.advance(by: .seconds(1_000))
    try await provider.advance(to: .end)
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
    provider.setSpeed(.max)
    try await provider.advance(to: .end)
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

  @Test func aLaterIterationCanBeWaitedFor() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 20), clock: VirtualClock())
    let first = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    #expect(try await first.value.fixes.count == 21)
    let seen = UpdateRecorder()
    let second = Task { try await seen.run(provider) }
    try await provider.waitForIterations(2)
    try await provider.advance(to: .elapsed(.seconds(5)))
    #expect(seen.count == 6)
    second.cancel()
  }

  @Test func cancelingAWaitForAnIterationEndsIt() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 1), clock: VirtualClock())
    let waiting = Task { try await provider.waitForIterations(1) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aSpeedSetBeforeTheReplayHolds() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    provider.setSpeed(try .times(50))
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
    try await provider.advance(to: .end)
    #expect(seen.updates.isEmpty)
    provider.resume()
    try await running.value
    #expect(seen.count == 11)
    #expect(clock.now.offset == .zero)
  }
}
