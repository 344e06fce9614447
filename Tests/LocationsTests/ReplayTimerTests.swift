import FaketrackSupport
import Testing

@testable import Locations

@Suite struct ReplayTimerTests {
  private func timer(
    _ speed: ReplaySpeed, on clock: VirtualClock = VirtualClock(),
    didWait: @escaping @Sendable () -> Void = {}
  ) -> ReplayTimer {
    ReplayTimer(
      clock: AnyClock(clock), pace: .init(speed: speed), moveClock: { _, _ in false },
      didWait: didWait)
  }

  private func at(_ seconds: Double) -> TrackProgress { TrackProgress(elapsed: seconds) }

  /// Moves the clock through the waits for these places and returns when each of them was over.
  private func arrivals(
    at places: [Double], speed: ReplaySpeed, start: Double = 0
  ) async throws -> [Double] {
    let clock = VirtualClock()
    let (waits, didWait) = AsyncStream<Void>.makeStream()
    let timer = timer(speed, on: clock) { didWait.yield() }
    timer.start(at: at(start))
    let walking = Task {
      var arrivals: [Double] = []
      for place in places {
        try await timer.wait(for: at(place), isolation: #isolation)
        arrivals.append(clock.now.offset.seconds)
      }
      didWait.finish()
      return arrivals
    }
    for await _ in waits {
      if let deadline = timer.waiting?.deadline { clock.advance(to: .init(offset: deadline)) }
    }
    return try await walking.value
  }

  @Test(
    arguments: [
      (1.0, 0.0, [0, 1, 10, 7_200], [0, 1, 10, 7_200]),
      (10, 0, [0, 1, 10, 7_200], [0, 0.1, 1, 720]),
      (0.1, 0, [0, 1, 10], [0, 10, 100]),
      (2, 600, [600, 602, 610], [0, 1, 5]),
      (1_000, 0, [5, 5, 5, 6], [0.005, 0.005, 0.005, 0.006]),
    ] as [(Double, Double, [Double], [Double])])
  func waitsForTheTrackTimeDividedByTheSpeed(
    speed: Double, start: Double, places: [Double], expected: [Double]
  ) async throws {
    let arrivals = try await arrivals(at: places, speed: try .times(speed), start: start)
    for (arrival, expected) in zip(arrivals, expected) { #expect(abs(arrival - expected) < 1e-9) }
    #expect(arrivals.count == places.count)
  }

  @Test func atMaximumSpeedNothingIsWaitedFor() async throws {
    #expect(try await arrivals(at: [0, 100, 1e9], speed: .max) == [0, 0, 0])
  }

  @Test func tenHoursOfTenthsDoNotDrift() async throws {
    let places = (0...3_600).map { Double($0) * 10 + 0.1 }
    let arrivals = try await arrivals(at: places, speed: try .times(7))
    for (arrival, place) in zip(arrivals, places) { #expect(abs(arrival - place / 7) < 1e-9) }
  }

  @Test func tellsHowFarTheReplayHasComeBetweenTwoPlaces() async throws {
    let clock = VirtualClock()
    let timer = timer(try .times(10), on: clock)
    #expect(timer.elapsed == nil)
    timer.start(at: at(60))
    #expect(timer.elapsed == 60)
    let waiting = Task { try await timer.wait(for: at(80), isolation: nil) }
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1.5))
    #expect(timer.elapsed == 75)
    _ = timer.setPace(.init(speed: try .times(10), isPaused: true))
    clock.advance(by: .seconds(100))
    #expect(timer.elapsed == 75)
    _ = timer.setPace(.init(speed: .realTime))
    clock.advance(by: .seconds(4))
    #expect(timer.elapsed == 79)
    clock.advance(by: .seconds(4))
    #expect(timer.elapsed == 80, "the next place has not been asked for")
    try await waiting.value
    _ = timer.setPace(.init(speed: .max))
    try await timer.wait(for: at(500), isolation: nil)
    #expect(timer.elapsed == 500)
  }

  @Test func aLateReplayCatchesUp() async throws {
    let clock = VirtualClock()
    let timer = timer(.realTime, on: clock)
    clock.advance(by: .seconds(30))
    for place in [10.0, 20, 30] { try await timer.wait(for: at(place), isolation: nil) }
    #expect(clock.now.offset == .seconds(30))
  }

  @Test func aLateReplayGoesOnFromWhereItIsAfterAPause() async throws {
    let clock = VirtualClock()
    let timer = timer(.realTime, on: clock)
    try await timer.wait(for: at(0), isolation: nil)
    clock.advance(by: .seconds(500))
    _ = timer.setPace(.init(speed: .realTime, isPaused: true))
    clock.advance(by: .seconds(100))
    _ = timer.setPace(.init(speed: .realTime))
    try await timer.wait(for: at(10), isolation: nil)
    let waiting = Task { try await timer.wait(for: at(13), isolation: nil) }
    try await clock.waitForSleepers(1)
    #expect(timer.waiting?.deadline == .seconds(603))
    waiting.cancel()
  }

  @Test(arguments: [1e-300, 1e-9, 1e300])
  func extremeSpeedsDoNoHarm(multiple: Double) async throws {
    let clock = VirtualClock()
    let timer = timer(try .times(multiple), on: clock)
    let waiting = Task { try await timer.wait(for: at(1e6), isolation: nil) }
    clock.advance(by: .seconds(1))
    timer.setPace(.init(speed: .realTime))?.cancel()
    timer.setPace(.init(speed: .max))?.cancel()
    try await waiting.value
  }

  @Test(arguments: [Double.infinity, 1e300, .greatestFiniteMagnitude])
  func aPlaceThatNoClockReachesIsWaitedForAsLongAsPossible(elapsed: Double) async throws {
    let clock = VirtualClock()
    let timer = timer(.realTime, on: clock)
    let waiting = Task { try await timer.wait(for: at(elapsed), isolation: nil) }
    try await clock.waitForSleepers(1)
    #expect(timer.waiting?.deadline == .seconds(1_000_000_000))
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aPausedWaitHasNoDeadline() async throws {
    let clock = VirtualClock()
    let timer = timer(.realTime, on: clock)
    #expect(timer.setPace(.init(speed: .realTime, isPaused: true)) == nil)
    let waiting = Task { try await timer.wait(for: at(1), isolation: nil) }
    try await clock.waitForSleepers(1)
    let seen = try #require(timer.waiting)
    #expect(seen.deadline == nil)
    #expect(seen.wait.place == at(1))
    timer.setPace(.init(speed: .max))?.cancel()
    try await waiting.value
    #expect(timer.waiting == nil)
  }

  @Test func cancelingEndsAWait() async throws {
    let clock = VirtualClock()
    let timer = timer(.realTime, on: clock)
    let waiting = Task { try await timer.wait(for: at(5), isolation: nil) }
    try await clock.waitForSleepers(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aSleepThatFailsEndsTheWait() async {
    let timer = ReplayTimer(
      clock: AnyClock(BrokenClock()), pace: .init(speed: .realTime), moveClock: { _, _ in false },
      didWait: {})
    await #expect(throws: BrokenClock.Failure.self) {
      try await timer.wait(for: at(1), isolation: nil)
    }
  }

  @Test func onlyTheWaitThatWasSeenIsEnded() async throws {
    let clock = VirtualClock()
    let timer = timer(.realTime, on: clock)
    let first = Task { try await timer.wait(for: at(1), isolation: nil) }
    try await clock.waitForSleepers(1)
    let seen = try #require(timer.waiting?.wait)
    clock.advance(by: .seconds(1))
    try await first.value
    let second = Task { try await timer.wait(for: at(2), isolation: nil) }
    try await clock.waitForSleepers(1)
    timer.end(seen)
    #expect(timer.waiting != nil)
    clock.advance(by: .seconds(1))
    try await second.value
    #expect(timer.waiting == nil)
  }
}

/// A clock whose sleeps fail.
private struct BrokenClock: Clock {
  struct Failure: Error {}

  var now: VirtualClock.Instant { .init(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    throw Failure()
  }
}
