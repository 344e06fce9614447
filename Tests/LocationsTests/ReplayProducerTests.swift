import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct ReplayProducerTests {
  private func producer(
    _ source: FixSource, options: ReplayOptions = ReplayOptions(), distanceFilter: Double = 0,
    authorization: [AuthorizationChange] = []
  ) -> ReplayProducer {
    var device = SimulatedDevice(
      distanceFilter: distanceFilter, script: authorization.map(\.step))
    #expect(device.takeEvents().map(\.update) == [device.permission.update])
    return ReplayProducer(source, options: options, device: device)
  }

  /// The outputs of a producer until it has finished: the number of events of each batch, and a word
  /// for each end.
  private func outputs(_ producer: ReplayProducer) async throws -> [String] {
    var outputs: [String] = []
    while true {
      switch try await producer.next() {
      case .events(let events, let start):
        outputs.append("\(events.count)\(start == nil ? "" : " from the start")")
      case .lapEnded(let times):
        outputs.append("lap ended, \(times.missing) missing")
      case .finished(let place):
        outputs.append("finished at \(place.elapsed)")
        return outputs
      }
    }
  }

  @Test func eventsComeInBatchesAndThenTheEnd() async throws {
    let source = FixSource(try SampleTracks.north(seconds: 599))
    #expect(
      try await outputs(producer(source)) == [
        "256 from the start", "256", "88", "lap ended, 0 missing", "finished at 599.0",
      ])
  }

  @Test func isCanceledInTheMiddleOfABatch() async throws {
    let fixes = try SampleTracks.north(seconds: 999)
    let producer = producer(FixSource(.file) { { _ in fixes } })
    let task = Task {
      var batches = 0
      while batches < 10 {
        _ = try await producer.next()
        batches += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return batches
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func everyLapEndsByItself() async throws {
    let source = FixSource(try SampleTracks.north(seconds: 3, isTimed: false))
    let outputs = try await outputs(
      producer(source, options: ReplayOptions(end: .meters(2), laps: 3)))
    #expect(
      outputs.dropLast() == [
        "2 from the start", "lap ended, 3 missing", "2", "lap ended, 3 missing", "2",
        "lap ended, 3 missing",
      ])
  }

  @Test func aTrackWithoutFixesHasOneLap() async throws {
    let outputs = try await outputs(producer(FixSource([]), options: ReplayOptions(laps: 5)))
    #expect(outputs == ["lap ended, 0 missing", "finished at 0.0"])
  }

  @Test func theStartIsKnownEvenWithoutPermission() async throws {
    let source = FixSource(try SampleTracks.north(seconds: 5))
    let outputs = try await outputs(
      producer(source, authorization: [.change(to: .denied, at: .start)]))
    #expect(outputs == ["0 from the start", "lap ended, 0 missing", "finished at 5.0"])
  }

  @Test func interpolationStaysWithinABatch() async throws {
    let track = [
      Fix(try Coordinate(latitude: 0, longitude: 0)),
      Fix(try Coordinate(latitude: 0, longitude: 49)),
    ]
    let producer = producer(
      FixSource(track), options: ReplayOptions(interpolation: .interval(.seconds(1))))
    for _ in 0..<10 {
      guard case .events(let events, _) = try await producer.next() else {
        Issue.record("the interpolation ended after less than a batch of millions of fixes")
        return
      }
      #expect((1...ReplayProducer.batchSize).contains(events.count))
    }
  }

  @Test func millionsOfInterpolatedFixesAreMadeOnlyWhenTheyAreTaken() async throws {
    let track = [
      Fix(try Coordinate(latitude: 0, longitude: 0)),
      Fix(try Coordinate(latitude: 0, longitude: 49)),
    ]
    let provider = ReplayLocationProvider(
      track, speed: .max, options: ReplayOptions(interpolation: .interval(.milliseconds(1))))
    var fixes: [Fix] = []
    for try await update in provider.updates() {
      guard let fix = update.location else { continue }
      fixes.append(fix)
      if fixes.count == 2_000 { break }
    }
    #expect(abs(try #require(fixes.last?.distance) - 1.3 * 1.999) < 1e-6)
  }

  @Test func whatIsReadyIsNotHeldBackForWhatIsNot() async throws {
    let track = try SampleTracks.north(seconds: 3)
    let (batches, continuation) = AsyncThrowingStream<[Fix], any Error>.makeStream()
    let producer = producer(FixSource(batches: batches))
    for (number, fix) in track.enumerated() {
      continuation.yield([fix])
      guard case .events(let events, let start) = try await producer.next() else {
        Issue.record("no event for fix \(number)")
        return
      }
      #expect(events.map(\.progress.elapsed) == [Double(number)])
      #expect((start != nil) == (number == 0))
    }
    continuation.finish()
    #expect(try await outputs(producer) == ["lap ended, 0 missing", "finished at 3.0"])
  }

  @Test func nothingIsReadBeforeItIsAskedFor() async throws {
    let starts = Locked(0)
    let track = try SampleTracks.north(seconds: 3)
    let source = FixSource(.file) {
      starts.withLock { $0 += 1 }
      return FixSource(track).start()
    }
    let producer = producer(source)
    #expect(starts.withLock { $0 } == 0)
    _ = try await producer.next()
    #expect(starts.withLock { $0 } == 1)
  }

  // MARK: Where the work is done

  /// A track that records whether its fixes are taken on the main thread.
  private struct WatchedTrack: Sequence, Sendable {
    final class Record: Sendable {
      let threads = Locked<Set<Bool>>([])
    }

    let fixes: [Fix]
    let record = Record()

    func makeIterator() -> AnyIterator<Fix> {
      var rest = fixes.makeIterator()
      return AnyIterator {
        record.threads.withLock { _ = $0.insert(Thread.isMainThread) }
        return rest.next()
      }
    }
  }

  /// A track that records on which actor its batches are asked for.
  private struct WatchedBatches: AsyncSequence, Sendable {
    typealias Element = [Fix]
    typealias Failure = any Error

    final class Record: Sendable {
      let isMainActor = Locked<Set<Bool>>([])
    }

    let fixes: [Fix]
    let record = Record()

    struct Iterator: AsyncIteratorProtocol {
      var rest: ArraySlice<Fix>
      let record: Record

      mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> [Fix]? {
        record.isMainActor.withLock { _ = $0.insert(actor === MainActor.shared) }
        return rest.popFirst().map { [$0] }
      }

      mutating func next() async throws -> [Fix]? {
        try await next(isolation: nil)
      }
    }

    func makeAsyncIterator() -> Iterator {
      Iterator(rest: fixes[...], record: record)
    }
  }

  @Test(arguments: [
    ReplayOptions(), ReplayOptions(isReversed: true),
    ReplayOptions(interpolation: .interval(.milliseconds(100))),
    ReplayOptions(interpolation: .interval(.milliseconds(100)), isReversed: true, laps: 2),
  ])
  @MainActor func aTrackInMemoryIsReadOffTheMainActor(options: ReplayOptions) async throws {
    let track = WatchedTrack(fixes: try SampleTracks.north(seconds: 400))
    let provider = ReplayLocationProvider(track, speed: .max, options: options)
    for try await _ in provider.updates() { MainActor.assertIsolated() }
    #expect(track.record.threads.withLock { $0 } == [false])
  }

  @Test(arguments: [ReplayOptions(), ReplayOptions(isReversed: true)])
  @MainActor func batchesAreReadOffTheMainActor(options: ReplayOptions) async throws {
    let batches = WatchedBatches(fixes: try SampleTracks.north(seconds: 50))
    let provider = ReplayLocationProvider(batches: batches, speed: .max, options: options)
    var count = 0
    for try await _ in provider.updates() { count += 1 }
    #expect(count == 52)
    #expect(batches.record.isMainActor.withLock { $0 } == [false])
  }

  // MARK: Cancellation

  /// A track without an end, on one place. It comes slowly: read backwards, all of it is held in
  /// memory, for as long as a busy machine lets the cancellation wait.
  private struct EndlessTrack: Sequence, IteratorProtocol, Sendable {
    let fix: Fix
    private var count = 0

    init(fix: Fix) {
      self.fix = fix
    }

    mutating func next() -> Fix? {
      count += 1
      if count.isMultiple(of: 100) { usleep(1_000) }
      return fix
    }
  }

  @Test(arguments: [ReplayOptions(), ReplayOptions(isReversed: true)])
  func cancelingEndsWorkThatDeliversNothing(options: ReplayOptions) async throws {
    let track = EndlessTrack(fix: Fix(try Coordinate(latitude: 1, longitude: 2)))
    let provider = ReplayLocationProvider(
      track, distanceFilter: .infinity, speed: .max, options: options)
    let running = Task { try await provider.allUpdates() }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func cancelingEndsAnInterpolationThatDeliversNothing() async throws {
    let track = [
      Fix(try Coordinate(latitude: 0, longitude: 0)),
      Fix(try Coordinate(latitude: 0, longitude: 49)),
    ]
    let provider = ReplayLocationProvider(
      track, distanceFilter: .infinity, speed: .max,
      options: ReplayOptions(walkingSpeed: 0.001, interpolation: .interval(.milliseconds(1))))
    let running = Task {
      for try await update in provider.updates() {
        if update.location != nil { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await running.value }
  }
}
