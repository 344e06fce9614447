import FaketrackSupport
import Geodesy
import Locations
import Testing

@Suite struct ThreadedBatchesTests {
  private struct Broken: Error {}

  private func batch(_ number: Int) throws -> [Fix] {
    [Fix(try Coordinate(latitude: Double(number) / 1_000, longitude: 0))]
  }

  @Test func handsOverEverythingInOrder() async throws {
    let batches = ThreadedBatches(queueLimit: 2) { deliver in
      for number in 0..<500 { try deliver(try batch(number)) }
    }
    var latitudes: [Double] = []
    for try await batch in batches { latitudes += batch.map(\.coordinate.latitude) }
    #expect(latitudes == (0..<500).map { Double($0) / 1_000 })
  }

  @Test func whatWasReadBeforeAnErrorComesFirst() async throws {
    let batches = ThreadedBatches { deliver in
      try deliver(try batch(1))
      try deliver(try batch(2))
      throw Broken()
    }
    var count = 0
    await #expect(throws: Broken.self) {
      for try await batch in batches { count += batch.count }
    }
    #expect(count == 2)
  }

  @Test func waitsWhileTheQueueIsFull() async throws {
    let produced = Locked(0)
    let batches = ThreadedBatches(queueLimit: 3) { deliver in
      for number in 0..<100 {
        try deliver(Array(repeating: try batch(number)[0], count: 512))
        produced.withLock { $0 += 1 }
      }
    }
    var taken = 0
    for try await _ in batches {
      taken += 1
      #expect(produced.withLock { $0 } <= taken + 3)
    }
    #expect(taken == 100)
  }

  @Test func smallBatchesThatWaitAreJoined() async throws {
    let (isDone, done) = AsyncStream<Void>.makeStream()
    var iterator = ThreadedBatches(queueLimit: 2) { deliver in
      for number in 0..<900 { try deliver(try batch(number)) }
      done.finish()
    }.makeAsyncIterator()
    // Nothing is taken meanwhile, and 900 fixes fit in the two places.
    for await _ in isDone {}
    #expect(try await iterator.next()?.count == 512)
    #expect(try await iterator.next()?.count == 388)
    #expect(try await iterator.next() == nil)
  }

  @Test func theThreadEndsWithTheIteration() async throws {
    await confirmation { ended in
      await withCheckedContinuation { continuation in
        let batches = ThreadedBatches { deliver in
          do {
            while true { try deliver([]) }
          } catch {
            continuation.resume()
            throw error
          }
        }
        Task {
          for try await _ in batches { break }
        }
      }
      ended()
    }
  }

  @Test func cancelingEndsAWaitForMore() async throws {
    let batches = ThreadedBatches { deliver in
      try deliver([])
      while true { try deliver([]) }
    }
    let reader = Task {
      for try await _ in batches {}
    }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
  }

  @Test func eachIterationStartsAnew() async throws {
    let starts = Locked(0)
    let batches = ThreadedBatches { deliver in
      starts.withLock { $0 += 1 }
      try deliver([])
    }
    for try await _ in batches {}
    for try await _ in batches {}
    #expect(starts.withLock { $0 } == 2)
  }

  @Test(arguments: [0, -1, Int.min, 1, 1_000, Int.max])
  func anyQueueLimitWillDo(limit: Int) async throws {
    let batches = ThreadedBatches(queueLimit: limit) { deliver in
      for number in 0..<50 { try deliver(try batch(number)) }
    }
    var count = 0
    for try await batch in batches { count += batch.count }
    #expect(count == 50)
  }

  @Test func aProducerThatDeliversNothingEndsTheSequence() async throws {
    for try await _ in ThreadedBatches({ _ in }) { Issue.record("a batch from nowhere") }
    await #expect(throws: Broken.self) {
      for try await _ in ThreadedBatches({ _ in throw Broken() }) {}
    }
  }

  @Test func anEndedSequenceStaysEnded() async throws {
    var iterator = ThreadedBatches { deliver in try deliver([]) }.makeAsyncIterator()
    #expect(try await iterator.next()?.count == 0)
    for _ in 0..<3 { #expect(try await iterator.next() == nil) }
  }

  @Test func aDeliveryAfterTheEndThrows() async throws {
    let (errors, error) = AsyncStream<Bool>.makeStream()
    var iterator: ThreadedBatches.Iterator? = ThreadedBatches(queueLimit: 1) { deliver in
      do {
        for number in 0..<1_000_000 { try deliver(try batch(number)) }
      } catch let failure {
        error.yield(failure is CancellationError)
        throw failure
      }
    }.makeAsyncIterator()
    _ = try await iterator?.next()
    iterator = nil
    var all = errors.makeAsyncIterator()
    #expect(await all.next() == true)
  }
}
