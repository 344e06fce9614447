import Locations
import Testing

@Suite struct VirtualClockTests {
  private func at(_ seconds: Int) -> VirtualClock.Instant { .init(offset: .seconds(seconds)) }

  @Test func standsStillUnlessMoved() {
    let clock = VirtualClock()
    #expect(clock.now == at(0))
    clock.advance(by: .seconds(5))
    #expect(clock.now == at(5))
    clock.advance(to: at(3))
    #expect(clock.now == at(5))
  }

  @Test func aDeadlineInThePastIsNotWaitedFor() async throws {
    let clock = VirtualClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: at(1))
  }

  @Test func wakesSleepersWhenTheirTimeHasCome() async throws {
    let clock = VirtualClock()
    let sleepers = [3, 1, 2].map { second in
      Task {
        try await clock.sleep(until: VirtualClock.Instant(offset: .seconds(second)))
        return clock.now
      }
    }
    clock.advance(to: at(2))
    #expect(try await sleepers[1].value == at(2))
    #expect(try await sleepers[2].value == at(2))
    clock.advance(to: at(3))
    #expect(try await sleepers[0].value == at(3))
  }

  @Test func cancellingEndsASleep() async {
    let clock = VirtualClock()
    let sleeper = Task { try await clock.sleep(until: at(1)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func cancellingOneSleepLeavesTheOthers() async throws {
    let clock = VirtualClock()
    let sleepers = (1...50).map { second in
      Task { try await clock.sleep(until: at(second)) }
    }
    for sleeper in sleepers.prefix(25) { sleeper.cancel() }
    clock.advance(to: at(50))
    for sleeper in sleepers.suffix(25) { try await sleeper.value }
    for sleeper in sleepers.prefix(25) { _ = await sleeper.result }
  }

  @Test func aMomentInTheFutureIsNotReachedByASmallerStep() async throws {
    let clock = VirtualClock()
    let (woken, wakes) = AsyncStream<Int>.makeStream()
    for second in [1, 2, 3] {
      Task {
        try await clock.sleep(until: at(second))
        wakes.yield(second)
      }
    }
    var iterator = woken.makeAsyncIterator()
    for second in [1, 2, 3] {
      clock.advance(by: .milliseconds(999))
      clock.advance(by: .milliseconds(1))
      #expect(await iterator.next() == second)
    }
  }

  @Test func momentsAreTimesSinceItWasMade() {
    #expect(at(3).advanced(by: .seconds(2)) == at(5))
    #expect(at(3).duration(to: at(1)) == .seconds(-2))
    #expect(at(1) < at(2))
    #expect(VirtualClock().minimumResolution == .nanoseconds(1))
  }
}
