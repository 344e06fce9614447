import FaketrackSupport
import Geodesy
import Testing

@testable import GPX

@Suite struct ReadAheadTests {
  private struct Broken: Error {}

  private func batch(_ number: Int) throws -> [Fix] {
    [Fix(try Coordinate(latitude: Double(number) / 1_000, longitude: 0))]
  }

  @Test func handsOverEverythingInOrder() async throws {
    let batches = ReadAhead(limit: 2) { deliver in
      for number in 0..<500 { try deliver(try batch(number)) }
    }
    var latitudes: [Double] = []
    while let batch = try await batches.next() { latitudes += batch.map(\.coordinate.latitude) }
    #expect(latitudes == (0..<500).map { Double($0) / 1_000 })
  }

  @Test func whatWasReadBeforeAnErrorComesFirst() async throws {
    let batches = ReadAhead { deliver in
      try deliver(try batch(1))
      try deliver(try batch(2))
      throw Broken()
    }
    var count = 0
    await #expect(throws: Broken.self) {
      while let batch = try await batches.next() { count += batch.count }
    }
    #expect(count == 2)
  }

  @Test func waitsWhileTheQueueIsFull() async throws {
    let produced = Locked(0)
    let batches = ReadAhead(limit: 3) { deliver in
      for number in 0..<100 {
        try deliver(Array(repeating: try batch(number)[0], count: 512))
        produced.withLock { $0 += 1 }
      }
    }
    var taken = 0
    while try await batches.next() != nil {
      taken += 1
      #expect(produced.withLock { $0 } <= taken + 3)
    }
    #expect(taken == 100)
  }

  @Test func smallBatchesThatWaitAreJoined() async throws {
    let (isDone, done) = AsyncStream<Void>.makeStream()
    let iterator = ReadAhead(limit: 2) { deliver in
      for number in 0..<900 { try deliver(try batch(number)) }
      done.finish()
    }
    // Nothing is taken meanwhile, and 900 fixes fit in the two places.
    for await _ in isDone {}
    #expect(try await iterator.next()?.count == 512)
    #expect(try await iterator.next()?.count == 388)
    #expect(try await iterator.next() == nil)
  }

  @Test func theThreadEndsWithTheIteration() async throws {
    await confirmation { ended in
      await withCheckedContinuation { continuation in
        let batches = ReadAhead { deliver in
          do {
            while true { try deliver([]) }
          } catch {
            continuation.resume()
            throw error
          }
        }
        Task {
          _ = try await batches.next()
        }
      }
      ended()
    }
  }

  @Test func cancelingEndsAWaitForMore() async throws {
    let batches = ReadAhead { deliver in
      try deliver([])
      while true { try deliver([]) }
    }
    let reader = Task {
      while try await batches.next() != nil {}
    }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
  }

  @Test func aProducerThatDeliversNothingEndsTheSequence() async throws {
    #expect(try await ReadAhead { _ in }.next() == nil)
    await #expect(throws: Broken.self) { try await ReadAhead { _ in throw Broken() }.next() }
  }

  @Test func anEndedSequenceStaysEnded() async throws {
    let iterator = ReadAhead { deliver in try deliver([]) }
    #expect(try await iterator.next()?.count == 0)
    for _ in 0..<3 { #expect(try await iterator.next() == nil) }
  }

  @Test func aDeliveryAfterTheEndThrows() async throws {
    let (errors, error) = AsyncStream<Bool>.makeStream()
    var iterator: ReadAhead? = ReadAhead(limit: 1) { deliver in
      do {
        for number in 0..<1_000_000 { try deliver(try batch(number)) }
      } catch let failure {
        error.yield(failure is CancellationError)
        throw failure
      }
    }
    _ = try await iterator?.next()
    iterator = nil
    var all = errors.makeAsyncIterator()
    #expect(await all.next() == true)
  }
}
