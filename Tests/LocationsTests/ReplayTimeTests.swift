import FaketrackSupport
import Geodesy
import Testing

@testable import Locations

/// When a device is where, at all speeds.
@Suite struct ReplayTimeTests {
  /// The time of a device on a clock, with its pace.
  private struct Walk {
    let clock = VirtualClock()
    var pace: ReplayPace
    var time = ReplayTime(reading: .zero)

    init(_ speed: ReplaySpeed) {
      pace = ReplayPace(speed: speed)
    }

    var elapsed: Double? { time.elapsed(pace, reading: clock.now.offset) }

    mutating func start(at seconds: Double) {
      time.start(at: TrackProgress(elapsed: seconds), reading: clock.now.offset)
    }

    mutating func setPace(_ speed: ReplaySpeed, isPaused: Bool = false) {
      time.keep(pace, reading: clock.now.offset)
      pace = ReplayPace(speed: speed, isPaused: isPaused)
    }

    /// Moves the clock until the device is at a place, and returns its reading.
    mutating func go(to seconds: Double) throws -> Double {
      let place = TrackProgress(elapsed: seconds)
      time.ask(for: place)
      let deadline = time.deadline(at: place, pace)
      clock.advance(to: .init(offset: try #require(deadline)))
      return clock.now.offset.seconds
    }

    mutating func expect(_ reading: Double, at seconds: Double) throws {
      let actual = try go(to: seconds)
      #expect(actual == reading)
    }
  }

  @Test(
    arguments: [
      (1.0, 0.0, [0, 1, 10, 7_200], [0, 1, 10, 7_200]),
      (10, 0, [0, 1, 10, 7_200], [0, 0.1, 1, 720]),
      (0.1, 0, [0, 1, 10], [0, 10, 100]),
      (2, 600, [600, 602, 610], [0, 1, 5]),
      (1_000, 0, [5, 5, 5, 6], [0.005, 0.005, 0.005, 0.006]),
    ] as [(Double, Double, [Double], [Double])])
  func aPlaceIsReachedAfterTheTrackTimeDividedByTheSpeed(
    speed: Double, start: Double, places: [Double], expected: [Double]
  ) throws {
    var walk = Walk(.times(speed))
    walk.start(at: start)
    for (place, expected) in zip(places, expected) {
      let reading = try walk.go(to: place)
      #expect(abs(reading - expected) < 1e-9)
    }
  }

  @Test func atMaximumSpeedNothingIsWaitedFor() throws {
    var walk = Walk(.max)
    for place in [0, 100, 1e9] { try walk.expect(0, at: place) }
  }

  @Test func tenHoursOfTenthsDoNotDrift() throws {
    var walk = Walk(.times(7))
    for place in (0...3_600).map({ Double($0) * 10 + 0.1 }) {
      let reading = try walk.go(to: place)
      #expect(abs(reading - place / 7) < 1e-9)
    }
  }

  @Test func tellsHowFarTheReplayHasComeBetweenTwoPlaces() throws {
    var walk = Walk(.times(10))
    #expect(walk.elapsed == nil)
    walk.start(at: 60)
    #expect(walk.elapsed == 60)
    walk.time.ask(for: TrackProgress(elapsed: 80))
    walk.clock.advance(by: .seconds(1.5))
    #expect(walk.elapsed == 75)
    walk.setPace(.times(10), isPaused: true)
    walk.clock.advance(by: .seconds(100))
    #expect(walk.elapsed == 75)
    walk.setPace(.realTime)
    walk.clock.advance(by: .seconds(4))
    #expect(walk.elapsed == 79)
    walk.clock.advance(by: .seconds(4))
    #expect(walk.elapsed == 80, "the next place has not been asked for")
    walk.setPace(.max)
    _ = try walk.go(to: 500)
    #expect(walk.elapsed == 500)
  }

  @Test func aLateReplayCatchesUp() throws {
    var walk = Walk(.realTime)
    walk.clock.advance(by: .seconds(30))
    for place in [10.0, 20, 30] { try walk.expect(30, at: place) }
  }

  @Test func aLateReplayGoesOnFromWhereItIsAfterAPause() throws {
    var walk = Walk(.realTime)
    try walk.expect(0, at: 0)
    walk.clock.advance(by: .seconds(500))
    walk.setPace(.realTime, isPaused: true)
    walk.clock.advance(by: .seconds(100))
    walk.setPace(.realTime)
    try walk.expect(600, at: 10)
    try walk.expect(603, at: 13)
  }

  @Test func aPausedDeviceReachesNothing() {
    var walk = Walk(.realTime)
    walk.setPace(.realTime, isPaused: true)
    let deadline = walk.time.deadline(at: TrackProgress(elapsed: 1), walk.pace)
    #expect(deadline == nil)
  }

  @Test(arguments: [1e-300, 1e-9, 1e300])
  func extremeSpeedsDoNoHarm(multiple: Double) throws {
    var walk = Walk(.times(multiple))
    walk.time.ask(for: TrackProgress(elapsed: 1e6))
    walk.clock.advance(by: .seconds(1))
    walk.setPace(.realTime)
    walk.setPace(.max)
    try walk.expect(1, at: 1e6)
  }

  @Test(arguments: [Double.infinity, 1e300, .greatestFiniteMagnitude])
  func aPlaceThatNoClockReachesIsWaitedForAsLongAsPossible(elapsed: Double) throws {
    var walk = Walk(.realTime)
    try walk.expect(1e9, at: elapsed)
  }

  @Test func positionsBetweenUpdatesHaveATime() throws {
    var walk = Walk(.times(2))
    walk.start(at: 0)
    let places = [(0.0, 0.0), (10, 100), (20, 100), (30, 400)].map { place in
      TrackProgress(elapsed: place.0, walked: place.1)
    }
    walk.time.extendPath(by: places, from: 0)
    let next = TrackProgress(elapsed: 30, walked: 400)
    walk.time.ask(for: next)
    func deadline(_ position: ReplayPosition) -> Double? {
      walk.time.deadline(at: position, before: next, walk.pace, reading: walk.clock.now.offset)?
        .seconds
    }
    #expect(deadline(.meters(50)) == 2.5)
    #expect(deadline(.meters(250)) == 12.5)
    #expect(deadline(.elapsed(.seconds(15))) == 7.5)
    #expect(deadline(.meters(401)) == nil)
    #expect(deadline(.end) == nil)
    walk.clock.advance(by: .seconds(12.5))
    #expect(deadline(.meters(50)) == nil, "it has passed")
    #expect(
      walk.time.progress(before: next, walk.pace, reading: walk.clock.now.offset)
        == TrackProgress(elapsed: 25, walked: 250))
  }
}

/// Waits of those who iterate.
@Suite struct ReplayWaitTests {
  private func provider(_ clock: some Clock<Duration>) throws -> ReplayLocationProvider {
    ReplayLocationProvider(try SampleTracks.north(seconds: 5), clock: clock)
  }

  @Test func cancelingEndsAWait() async throws {
    let clock = VirtualClock()
    let provider = try provider(clock)
    let waiting = Task { try await provider.allUpdates() }
    try await clock.waitForSleepers(atLeast: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func aSleepThatFailsEndsTheWait() async throws {
    let provider = try provider(BrokenClock())
    await #expect(throws: BrokenClock.Failure.self) { try await provider.allUpdates() }
  }

  @Test func theClockMayBeMovedWithoutTheProvider() async throws {
    let clock = VirtualClock()
    let provider = try provider(clock)
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    for count in 1...5 {
      try await clock.waitForSleepers(atLeast: 1)
      #expect(seen.count == count)
      clock.advance(by: .seconds(1))
    }
    try await running.value
    #expect(seen.count == 6)
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
