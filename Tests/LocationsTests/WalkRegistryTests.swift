import Geodesy
import Testing

@testable import Locations

/// What holds whoever calls when: these run many times, on all cores.
@Suite struct WalkRegistryTests {
  @Test func aPauseAndASpeedAtOnceBothHold() async throws {
    for _ in 0..<50 {
      let clock = VirtualClock()
      let provider = ReplayLocationProvider(try Walks.north(seconds: 100), clock: clock)
      let seen = UpdateRecorder()
      let running = Task { try await seen.run(provider) }
      try await provider.advance(to: .elapsed(.seconds(10)))
      await withTaskGroup(of: Void.self) { group in
        group.addTask { provider.pause() }
        group.addTask { provider.setSpeed(.multiple(10)) }
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
      let provider = ReplayLocationProvider(try Walks.north(seconds: 50), clock: VirtualClock())
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
      let provider = ReplayLocationProvider(try Walks.north(seconds: 50), clock: clock)
      let seen = UpdateRecorder()
      let running = Task { try await seen.run(provider) }
      let moving = Task {
        for _ in 0..<40 {
          clock.advance(by: .seconds(1))
          await Task.yield()
        }
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
      ReplayLocationProvider(try Walks.north(seconds: 100, step: step), clock: clock)
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

  @Test func cancellingAtAnyTimeEndsAllOfIt() async throws {
    for count in 0..<50 {
      let provider = ReplayLocationProvider(try Walks.north(seconds: 300), clock: VirtualClock())
      let running = Task { try await provider.allUpdates() }
      let advancing = Task { try await provider.advance(to: .end) }
      for _ in 0..<count { await Task.yield() }
      running.cancel()
      _ = await running.result
      advancing.cancel()
      _ = await advancing.result
      try await provider.advance(to: .end)
    }
  }

  @Test func aLaterIterationCanBeWaitedFor() async throws {
    let provider = ReplayLocationProvider(try Walks.north(seconds: 20), clock: VirtualClock())
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

  @Test func cancellingAWaitForAnIterationEndsIt() async throws {
    let provider = ReplayLocationProvider(try Walks.north(seconds: 1), clock: VirtualClock())
    let waiting = Task { try await provider.waitForIterations(1) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aSpeedSetBeforeTheWalkHolds() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try Walks.north(seconds: 100), clock: clock)
    provider.setSpeed(.multiple(50))
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    _ = try await running.value
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func aWalkThatStartsPausedWaits() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try Walks.north(seconds: 10), speed: .max, clock: clock)
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
