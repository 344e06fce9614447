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

  @Test func tasksThatMoveItAtOnceEachMoveIt() async {
    let clock = VirtualClock()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<2_000 { clock.advance(by: .seconds(1)) } }
      }
    }
    #expect(clock.now == at(16_000))
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

  @Test func wakesInTheOrderOfTheDeadlines() async throws {
    let clock = VirtualClock()
    let (woken, wakes) = AsyncStream<Int>.makeStream()
    for second in [5, 2, 4, 1, 3] {
      Task {
        try await clock.sleep(until: at(second))
        wakes.yield(second)
      }
    }
    try await clock.waitForSleepers(atLeast: 5)
    var iterator = woken.makeAsyncIterator()
    for second in 1...5 {
      clock.advance(to: at(second))
      #expect(await iterator.next() == second)
    }
  }

  @Test func waitsForAsManySleepersAsItIsAskedFor() async throws {
    let clock = VirtualClock()
    try await clock.waitForSleepers(atLeast: 0)
    let sleepers = (1...20).map { second in
      Task { try await clock.sleep(until: at(second)) }
    }
    try await clock.waitForSleepers(atLeast: 20)
    clock.advance(to: at(5))
    try await clock.waitForSleepers(atLeast: 15)
    for sleeper in sleepers.prefix(5) { try await sleeper.value }
    clock.advance(to: at(20))
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test(arguments: [0, -1, Int.min])
  func noSleepersAreNotWaitedFor(count: Int) async throws {
    try await VirtualClock().waitForSleepers(atLeast: count)
  }

  @Test func severalMayWaitForSleepers() async throws {
    let clock = VirtualClock()
    let observers = [3, 1, 2].map { count in
      Task { try await clock.waitForSleepers(atLeast: count) }
    }
    let sleepers = (1...3).map { second in
      Task { try await clock.sleep(until: at(second)) }
    }
    for observer in observers { try await observer.value }
    for sleeper in sleepers { sleeper.cancel() }
  }

  @Test func aSleeperThatWasCanceledDoesNotCount() async throws {
    let clock = VirtualClock()
    let canceled = Task { try await clock.sleep(until: at(1)) }
    try await clock.waitForSleepers(atLeast: 1)
    canceled.cancel()
    await #expect(throws: CancellationError.self) { try await canceled.value }
    let observer = Task { try await clock.waitForSleepers(atLeast: 2) }
    let first = Task { try await clock.sleep(until: at(2)) }
    try await clock.waitForSleepers(atLeast: 1)
    let second = Task { try await clock.sleep(until: at(2)) }
    try await observer.value
    clock.advance(to: at(2))
    try await first.value
    try await second.value
  }

  @Test func cancelingEndsAWaitForSleepers() async {
    for _ in 0..<100 {
      let clock = VirtualClock()
      let observer = Task { try await clock.waitForSleepers(atLeast: 1) }
      observer.cancel()
      await #expect(throws: CancellationError.self) { try await observer.value }
    }
  }

  @Test
  func aThousandNapsNeedNoYield() async throws {
    let clock = VirtualClock()
    for second in 1...1_000 {
      let nap = Task { try await clock.sleep(for: .seconds(1)) }
      try await clock.waitForSleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      try await nap.value
      #expect(clock.now == at(second))
    }
  }

  @Test(arguments: [
    (Duration.seconds(1), Duration.seconds(2), Duration.seconds(3)),
    (Duration(attoseconds: .max), .seconds(1), Duration(attoseconds: .max)),
    (Duration(attoseconds: .min), .seconds(-1), Duration(attoseconds: .min)),
    (Duration(attoseconds: .max), Duration(attoseconds: .min), Duration(attoseconds: -1)),
  ])
  func momentsEndWhereDurationDoes(offset: Duration, step: Duration, expected: Duration) {
    #expect(VirtualClock.Instant(offset: offset).advanced(by: step).offset == expected)
  }

  @Test func theTimeBetweenMomentsIsClampedToo() {
    let first = VirtualClock.Instant(offset: Duration(attoseconds: .min))
    let last = VirtualClock.Instant(offset: Duration(attoseconds: .max))
    #expect(first.duration(to: last) == Duration(attoseconds: .max))
    #expect(last.duration(to: first) == Duration(attoseconds: .min))
    #expect(last.duration(to: last) == .zero)
    let clock = VirtualClock()
    clock.advance(to: last)
    clock.advance(by: .seconds(1))
    #expect(clock.now == last)
  }

  @Test func cancelingEndsASleep() async {
    let clock = VirtualClock()
    let sleeper = Task { try await clock.sleep(until: at(1)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func cancelingOneSleepLeavesTheOthers() async throws {
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
