import Geodesy
import Locations
import Synchronization
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
      for try await _ in batches { count += 1 }
    }
    #expect(count == 2)
  }

  @Test func waitsWhileTheQueueIsFull() async throws {
    let produced = Mutex(0)
    let batches = ThreadedBatches(queueLimit: 3) { deliver in
      for number in 0..<100 {
        try deliver(try batch(number))
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

  @Test func cancellingEndsAWaitForMore() async throws {
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
    let starts = Mutex(0)
    let batches = ThreadedBatches { deliver in
      starts.withLock { $0 += 1 }
      try deliver([])
    }
    for try await _ in batches {}
    for try await _ in batches {}
    #expect(starts.withLock { $0 } == 2)
  }
}
