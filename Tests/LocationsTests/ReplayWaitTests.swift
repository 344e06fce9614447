import FaketrackSupport
import Testing

@testable import Locations

@Suite struct ReplayWaitTests {
  /// An iteration that only waits.
  private struct Waiter {
    let iterations: ReplayIterations
    let timer: ReplayTimer

    init(_ speed: ReplaySpeed, on clock: some Clock<Duration> = VirtualClock()) {
      self.init(ReplayIterations(speed: speed, clock: AnyClock(clock)))
    }

    init(_ iterations: ReplayIterations) {
      self.iterations = iterations
      timer = iterations.add()
    }

    var elapsed: Double? { iterations.elapsed }

    func start(at seconds: Double) {
      timer.start(at: TrackProgress(elapsed: seconds))
    }

    func setPace(_ speed: ReplaySpeed, isPaused: Bool = false) {
      iterations.update { $0 = .init(speed: speed, isPaused: isPaused) }
    }

    func wait(for seconds: Double) async throws {
      try await timer.wait(for: TrackProgress(elapsed: seconds), isolation: #isolation)
    }
  }

  /// Moves the clock through the waits of several iterations for these places and returns when each
  /// of them was over. A single iteration moves the clock without a sleep.
  private func arrivals(
    at places: [Double], speed: ReplaySpeed, start: Double = 0, iterations count: Int
  ) async throws -> [[Double]] {
    let clock = VirtualClock()
    let iterations = ReplayIterations(speed: speed, clock: AnyClock(clock))
    let all = (0..<count).map { _ in Waiter(iterations) }
    for iteration in all { iteration.start(at: start) }
    let walking = all.map { iteration in
      Task {
        var arrivals: [Double] = []
        for place in places {
          try await iteration.wait(for: place)
          arrivals.append(clock.now.offset.seconds)
        }
        iterations.remove(iteration.timer)
        return arrivals
      }
    }
    try await iterations.advance(to: .end) { clock.advance(to: .init(offset: $0)) }
    var arrivals: [[Double]] = []
    for walk in walking { arrivals.append(try await walk.value) }
    return arrivals
  }

  @Test(
    arguments: [
      (1.0, 0.0, [0, 1, 10, 7_200], [0, 1, 10, 7_200]),
      (10, 0, [0, 1, 10, 7_200], [0, 0.1, 1, 720]),
      (0.1, 0, [0, 1, 10], [0, 10, 100]),
      (2, 600, [600, 602, 610], [0, 1, 5]),
      (1_000, 0, [5, 5, 5, 6], [0.005, 0.005, 0.005, 0.006]),
    ] as [(Double, Double, [Double], [Double])], [1, 2])
  func waitsForTheTrackTimeDividedByTheSpeed(
    _ walk: (speed: Double, start: Double, places: [Double], expected: [Double]), iterations: Int
  ) async throws {
    let arrivals = try await arrivals(
      at: walk.places, speed: try .times(walk.speed), start: walk.start, iterations: iterations)
    #expect(arrivals.count == iterations)
    for arrivals in arrivals {
      for (arrival, expected) in zip(arrivals, walk.expected) {
        #expect(abs(arrival - expected) < 1e-9)
      }
      #expect(arrivals.count == walk.places.count)
    }
  }

  @Test(arguments: [1, 2])
  func atMaximumSpeedNothingIsWaitedFor(iterations: Int) async throws {
    let arrivals = try await arrivals(at: [0, 100, 1e9], speed: .max, iterations: iterations)
    #expect(arrivals.allSatisfy { $0 == [0, 0, 0] })
  }

  @Test(arguments: [1, 2])
  func tenHoursOfTenthsDoNotDrift(iterations: Int) async throws {
    let places = (0...3_600).map { Double($0) * 10 + 0.1 }
    for arrivals in try await arrivals(at: places, speed: try .times(7), iterations: iterations) {
      for (arrival, place) in zip(arrivals, places) { #expect(abs(arrival - place / 7) < 1e-9) }
    }
  }

  @Test func tellsHowFarTheReplayHasComeBetweenTwoPlaces() async throws {
    let clock = VirtualClock()
    let iteration = Waiter(try .times(10), on: clock)
    #expect(iteration.elapsed == nil)
    iteration.start(at: 60)
    #expect(iteration.elapsed == 60)
    let waiting = Task { try await iteration.wait(for: 80) }
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1.5))
    #expect(iteration.elapsed == 75)
    iteration.setPace(try .times(10), isPaused: true)
    clock.advance(by: .seconds(100))
    #expect(iteration.elapsed == 75)
    iteration.setPace(.realTime)
    clock.advance(by: .seconds(4))
    #expect(iteration.elapsed == 79)
    clock.advance(by: .seconds(4))
    #expect(iteration.elapsed == 80, "the next place has not been asked for")
    try await waiting.value
    iteration.setPace(.max)
    try await iteration.wait(for: 500)
    #expect(iteration.elapsed == 500)
  }

  @Test func aLateReplayCatchesUp() async throws {
    let clock = VirtualClock()
    let iteration = Waiter(.realTime, on: clock)
    clock.advance(by: .seconds(30))
    for place in [10.0, 20, 30] { try await iteration.wait(for: place) }
    #expect(clock.now.offset == .seconds(30))
  }

  @Test func aLateReplayGoesOnFromWhereItIsAfterAPause() async throws {
    let clock = VirtualClock()
    let iteration = Waiter(.realTime, on: clock)
    try await iteration.wait(for: 0)
    clock.advance(by: .seconds(500))
    iteration.setPace(.realTime, isPaused: true)
    clock.advance(by: .seconds(100))
    iteration.setPace(.realTime)
    try await iteration.wait(for: 10)
    let waiting = Task { try await iteration.wait(for: 13) }
    try await clock.waitForSleepers(1)
    #expect(clock.description.hasSuffix("deadlines of sleeping tasks: 603.0 seconds"))
    waiting.cancel()
  }

  @Test(arguments: [1e-300, 1e-9, 1e300])
  func extremeSpeedsDoNoHarm(multiple: Double) async throws {
    let clock = VirtualClock()
    let iteration = Waiter(try .times(multiple), on: clock)
    let waiting = Task { try await iteration.wait(for: 1e6) }
    clock.advance(by: .seconds(1))
    iteration.setPace(.realTime)
    iteration.setPace(.max)
    try await waiting.value
  }

  @Test(arguments: [Double.infinity, 1e300, .greatestFiniteMagnitude])
  func aPlaceThatNoClockReachesIsWaitedForAsLongAsPossible(elapsed: Double) async throws {
    let clock = VirtualClock()
    let iteration = Waiter(.realTime, on: clock)
    let waiting = Task { try await iteration.wait(for: elapsed) }
    try await clock.waitForSleepers(1)
    #expect(clock.description.hasSuffix("deadlines of sleeping tasks: 1000000000.0 seconds"))
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aPausedWaitHasNoDeadline() async throws {
    let clock = VirtualClock()
    let iteration = Waiter(.realTime, on: clock)
    iteration.setPace(.realTime, isPaused: true)
    let waiting = Task { try await iteration.wait(for: 1) }
    try await clock.waitForSleepers(1)
    try await iteration.iterations.advance(to: .end) { clock.advance(to: .init(offset: $0)) }
    #expect(clock.now.offset == .zero)
    iteration.setPace(.max)
    try await waiting.value
  }

  @Test func cancelingEndsAWait() async throws {
    let clock = VirtualClock()
    let iteration = Waiter(.realTime, on: clock)
    let waiting = Task { try await iteration.wait(for: 5) }
    try await clock.waitForSleepers(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aSleepThatFailsEndsTheWait() async {
    let iteration = Waiter(.realTime, on: BrokenClock())
    await #expect(throws: BrokenClock.Failure.self) { try await iteration.wait(for: 1) }
  }

  @Test func aWaitThatIsOverIsNotAdvancedThrough() async throws {
    let clock = VirtualClock()
    let iteration = Waiter(.realTime, on: clock)
    let first = Task { try await iteration.wait(for: 1) }
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    try await first.value
    let second = Task { try await iteration.wait(for: 2) }
    try await clock.waitForSleepers(1)
    try await iteration.iterations.advance(to: .elapsed(.seconds(1))) { _ in
      Issue.record("moved the clock for a wait that is over")
    }
    clock.advance(by: .seconds(1))
    try await second.value
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
