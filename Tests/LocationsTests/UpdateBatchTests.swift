import FaketrackSupport
import Testing

@testable import Locations

extension LocationUpdates.Iterator {
  /// The next update and those after it that are ready, at most `limit`; `nil` after the last one.
  fileprivate mutating func nextBatch(upTo limit: Int) async throws -> [LocationUpdate]? {
    guard let first = try await next() else { return nil }
    var batch = [first]
    while batch.count < limit, let update = nextIfReady() { batch.append(update) }
    return batch
  }
}

/// Updates that are taken together.
@Suite struct UpdateBatchTests {
  private struct Broken: Error {}

  private func batches(
    of provider: some LocationProviding, upTo limit: Int
  ) async throws -> [[LocationUpdate]] {
    var iterator = provider.updates().makeAsyncIterator()
    var batches: [[LocationUpdate]] = []
    while let batch = try await iterator.nextBatch(upTo: limit) { batches.append(batch) }
    #expect(try await iterator.nextBatch(upTo: limit) == nil)
    return batches
  }

  @Test(arguments: [-3, 1, 7, 256, 100_000])
  func atMaximumSpeedTheyAreTheSameTogetherAsOneByOne(limit: Int) async throws {
    let track = try SampleTracks.north(seconds: 700)
    let options = ReplayOptions(interpolation: .interval(.milliseconds(700)), laps: 2)
    let provider = ReplayLocationProvider(
      track, distanceFilter: 2, speed: .max,
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
      ],
      options: options)
    let batches = try await batches(of: provider, upTo: limit)
    provider.restart()
    #expect(batches.allSatisfy { (1...max(1, limit)).contains($0.count) })
    #expect(Array(batches.joined()) == (try await provider.allUpdates()))
    if limit > 100 { #expect(batches.count < 20) }
  }

  @Test func whatIsDueComesTogetherAndNothingElse() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    let counts = BatchCounter()
    let running = Task { try await counts.run(provider) }
    // The permission and the first fix.
    try await clock.waitForSleepers(atLeast: 1)
    for step in [1, 1, 10, 3] {
      clock.advance(by: .seconds(step))
      try await clock.waitForSleepers(atLeast: 1)
    }
    #expect(counts.counts.suffix(4) == [1, 1, 10, 3])
    #expect(counts.counts.reduce(0, +) == 2 + 15)
    running.cancel()
  }

  @Test func aBatchIsNoLargerThanAskedForAlthoughMoreIsDue() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 100), clock: clock)
    let counts = BatchCounter(limit: 4)
    let running = Task { try await counts.run(provider) }
    try await clock.waitForSleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    try await clock.waitForSleepers(atLeast: 1)
    #expect(counts.counts.suffix(3) == [4, 4, 2])
    running.cancel()
  }

  @Test func aPauseHoldsWhatHasNotBeenTaken() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 20), speed: .max, clock: clock)
    var iterator = provider.updates().makeAsyncIterator()
    #expect(try await iterator.nextBatch(upTo: 5)?.count == 1, "the permission")
    #expect(try await iterator.nextBatch(upTo: 5)?.count == 5)
    provider.pause()
    let resuming = Task {
      try await clock.waitForSleepers(atLeast: 1)
      provider.resume()
    }
    #expect(try await iterator.nextBatch(upTo: 100)?.count == 16)
    try await resuming.value
  }

  @Test func updatesThatAFunctionMakesComeOneByOne() async throws {
    let updates = LocationUpdates {
      var left = 3
      return { _ in
        left -= 1
        if left < 0 { throw Broken() }
        return .unavailable
      }
    }
    var iterator = updates.makeAsyncIterator()
    for _ in 0..<3 { #expect(try await iterator.nextBatch(upTo: 10) == [.unavailable]) }
    await #expect(throws: Broken.self) { try await iterator.nextBatch(upTo: 10) }
    #expect(try await iterator.nextBatch(upTo: 10) == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func afterAnErrorOrTheEndNothingIsReady() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 5), clock: VirtualClock())
    let running = Task {
      var iterator = provider.updates().makeAsyncIterator()
      _ = try await iterator.next()
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) { while try await iterator.next() != nil {} }
      return iterator.nextIfReady()
    }
    try await provider.waitForSubscribers(atLeast: 1)
    #expect(try await running.value == nil)
    var iterator = ReplayLocationProvider([], speed: .max).updates().makeAsyncIterator()
    while try await iterator.next() != nil {}
    #expect(iterator.nextIfReady() == nil)
  }

  @Test func theClockStandsAtTheTimeOfEachUpdate() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 600), clock: clock)
    let running = Task {
      var times: [Duration] = []
      for try await update in provider.updates() {
        if update.location != nil { times.append(clock.now.offset) }
      }
      return times
    }
    try await provider.advance(to: .elapsed(.seconds(299)))
    #expect(clock.now.offset == .seconds(299))
    try await provider.advance(to: .end)
    #expect(try await running.value == (0...600).map { .seconds($0) })
  }

  @Test func anIterationThatIsCanceledTakesNoFurtherUpdate() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 200), clock: VirtualClock())
    let seen = UpdateRecorder()
    let running = Task {
      for try await update in provider.updates() {
        seen.record(update)
        if seen.count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    try await provider.advance(to: .end)
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(seen.count == 3)
  }

  @Test func anAdvanceThatIsCanceledMovesTheClockNoFurther() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 50), clock: clock)
    provider.pause()
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.waitForSubscribers(atLeast: 1)
    let advancing = Task { try await provider.advance(to: .end) }
    advancing.cancel()
    _ = await advancing.result
    provider.resume()
    try await clock.waitForSleepers(atLeast: 1)
    #expect(clock.now.offset == .zero)
    running.cancel()
  }
}

/// Takes the updates of a provider in batches, and notes the size of each.
private final class BatchCounter: Sendable {
  private let taken = Locked<[Int]>([])
  private let limit: Int

  init(limit: Int = 100) {
    self.limit = limit
  }

  var counts: [Int] { taken.withLock { $0 } }

  func run(_ provider: some LocationProviding) async throws {
    var iterator = provider.updates().makeAsyncIterator()
    while let batch = try await iterator.nextBatch(upTo: limit) {
      taken.withLock { $0.append(batch.count) }
    }
  }
}
