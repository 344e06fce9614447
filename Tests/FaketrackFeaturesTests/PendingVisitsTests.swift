import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct PendingVisitsTests {
  private struct Broken: Error {}

  @Test(arguments: [1, 2, 3, 8])
  func handsOutInOrder(limit: Int) async throws {
    let queue = PendingVisits<Int>(limit: limit)
    let filling = Task {
      for number in 0..<100 { try await queue.put { number } }
      queue.finish(.success(()))
    }
    var taken: [Int] = []
    while let first = try await queue.first() {
      taken.append(first)
      queue.removeFirst()
    }
    #expect(taken == Array(0..<100))
    try await filling.value
  }

  @Test(arguments: [1, 4])
  func anElementIsNotMadeBeforeThereIsRoom(limit: Int) async throws {
    let queue = PendingVisits<Int>(limit: limit)
    var made = 0
    let filling = Task {
      for number in 0..<50 {
        try await queue.put {
          made += 1
          return number
        }
      }
      queue.finish(.success(()))
    }
    var done = 0
    while try await queue.first() != nil {
      // Gives the other side every chance to run ahead.
      for _ in 0..<10 { await Task.yield() }
      #expect(made <= done + limit)
      queue.removeFirst()
      done += 1
    }
    #expect(made == 50)
    try await filling.value
  }

  @Test func theOutcomeComesAfterWhatIsLeft() async throws {
    let queue = PendingVisits<Int>(limit: 3)
    try await queue.put { 1 }
    try await queue.put { 2 }
    queue.finish(.failure(Broken()))
    #expect(try await queue.first() == 1)
    queue.removeFirst()
    #expect(try await queue.first() == 2)
    queue.removeFirst()
    await #expect(throws: Broken.self) { try await queue.first() }
  }

  @Test func theFirstKeepsItsPlaceUntilItIsDone() async throws {
    let queue = PendingVisits<Int>(limit: 2)
    try await queue.put { 7 }
    #expect(try await queue.first() == 7)
    #expect(try await queue.first() == 7)
    #expect(queue.close() == [7])
  }

  @Test func aClosedQueueTakesNothing() async throws {
    let queue = PendingVisits<Int>(limit: 1)
    #expect(queue.close().isEmpty)
    await #expect(throws: CancellationError.self) {
      try await queue.put {
        Issue.record("nothing may be made for a closed queue")
        return 1
      }
    }
  }

  @Test func closingWakesWhoWaitsForRoom() async throws {
    let queue = PendingVisits<Int>(limit: 1)
    try await queue.put { 1 }
    let waiting = Task { try await queue.put { 2 } }
    await Task.yield()
    #expect(queue.close() == [1])
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func cancellingEndsTheWaitForRoom() async throws {
    let queue = PendingVisits<Int>(limit: 1)
    try await queue.put { 1 }
    let waiting = Task { try await queue.put { 2 } }
    await Task.yield()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(queue.close() == [1])
  }

  @Test func cancellingEndsTheWaitForAnElement() async throws {
    let queue = PendingVisits<Int>(limit: 1)
    let waiting = Task { try await queue.first() }
    await Task.yield()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
