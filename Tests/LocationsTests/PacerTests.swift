import Synchronization
import Testing

@testable import Locations

@Suite struct PacerTests {
  private func pacer(
    _ speed: ReplaySpeed, on clock: VirtualClock = VirtualClock(),
    didWait: @escaping @Sendable () -> Void = {}
  ) -> Pacer<VirtualClock> {
    Pacer(clock: clock, pace: .init(speed: speed), didWait: didWait)
  }

  private func at(_ seconds: Double) -> WalkPlace { WalkPlace(elapsed: seconds) }

  /// Moves the clock over the waits for these places and tells when each of them was over.
  private func arrivals(
    at places: [Double], speed: ReplaySpeed, start: Double = 0
  ) async throws -> [Double] {
    let clock = VirtualClock()
    let (waits, didWait) = AsyncStream<Void>.makeStream()
    let pacer = pacer(speed, on: clock) { didWait.yield() }
    pacer.start(at: at(start))
    let walking = Task {
      var arrivals: [Double] = []
      for place in places {
        try await pacer.wait(for: at(place), isolation: #isolation)
        arrivals.append(clock.now.offset.seconds)
      }
      didWait.finish()
      return arrivals
    }
    for await _ in waits {
      if let deadline = pacer.waiting?.deadline { clock.advance(to: deadline) }
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
  func waitsForTheShareOfTrackTime(
    speed: Double, start: Double, places: [Double], expected: [Double]
  ) async throws {
    let arrivals = try await arrivals(at: places, speed: .multiple(speed), start: start)
    for (arrival, expected) in zip(arrivals, expected) { #expect(abs(arrival - expected) < 1e-9) }
    #expect(arrivals.count == places.count)
  }

  @Test func atMaximumSpeedNothingIsWaitedFor() async throws {
    #expect(try await arrivals(at: [0, 100, 1e9], speed: .max) == [0, 0, 0])
  }

  @Test func tenHoursOfTenthsDoNotDrift() async throws {
    let places = (0...3_600).map { Double($0) * 10 + 0.1 }
    let arrivals = try await arrivals(at: places, speed: .multiple(7))
    for (arrival, place) in zip(arrivals, places) { #expect(abs(arrival - place / 7) < 1e-9) }
  }

  @Test func aLateWalkMakesUpForIt() async throws {
    let clock = VirtualClock()
    let pacer = pacer(.multiple(1), on: clock)
    clock.advance(by: .seconds(30))
    for place in [10.0, 20, 30] { try await pacer.wait(for: at(place), isolation: nil) }
    #expect(clock.now.offset == .seconds(30))
  }

  @Test func aLateWalkGoesOnFromWhereItIsAfterAPause() async throws {
    let clock = VirtualClock()
    let pacer = pacer(.multiple(1), on: clock)
    try await pacer.wait(for: at(0), isolation: nil)
    clock.advance(by: .seconds(500))
    _ = pacer.setPace(.init(speed: .multiple(1), isPaused: true))
    clock.advance(by: .seconds(100))
    _ = pacer.setPace(.init(speed: .multiple(1)))
    try await pacer.wait(for: at(10), isolation: nil)
    let waiting = Task { try await pacer.wait(for: at(13), isolation: nil) }
    while pacer.waiting == nil { await Task.yield() }
    #expect(pacer.waiting?.deadline?.offset == .seconds(603))
    waiting.cancel()
  }

  @Test(arguments: [1e-300, 1e-9, 1e300])
  func speedsBeyondAllReasonDoNoHarm(multiple: Double) async throws {
    let clock = VirtualClock()
    let pacer = pacer(.multiple(multiple), on: clock)
    let waiting = Task { try await pacer.wait(for: at(1e6), isolation: nil) }
    clock.advance(by: .seconds(1))
    pacer.setPace(.init(speed: .multiple(1)))?.cancel()
    pacer.setPace(.init(speed: .max))?.cancel()
    try await waiting.value
  }

  @Test func aSleepThatFailsEndsTheWait() async {
    let pacer = Pacer(clock: BrokenClock(), pace: .init(speed: .multiple(1))) {}
    await #expect(throws: BrokenClock.Failure.self) {
      try await pacer.wait(for: at(1), isolation: nil)
    }
  }

  @Test func onlyTheWaitThatWasSeenIsEnded() async throws {
    let clock = VirtualClock()
    let pacer = pacer(.multiple(1), on: clock)
    let first = Task { try await pacer.wait(for: at(1), isolation: nil) }
    while pacer.waiting == nil { await Task.yield() }
    let seen = try #require(pacer.waiting?.wait)
    clock.advance(by: .seconds(1))
    try await first.value
    let second = Task { try await pacer.wait(for: at(2), isolation: nil) }
    while pacer.waiting == nil { await Task.yield() }
    pacer.end(seen)
    #expect(pacer.waiting != nil)
    clock.advance(by: .seconds(1))
    try await second.value
    #expect(pacer.waiting == nil)
  }
}

/// A clock on which nobody can sleep.
private struct BrokenClock: Clock {
  struct Failure: Error {}

  var now: VirtualClock.Instant { .init(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    throw Failure()
  }
}
