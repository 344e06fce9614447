import FaketrackTestSupport
import Testing

@testable import FaketrackFeatures

@Suite struct BoundedQueueTests {
  @Test(arguments: [1, 2, 3, 8, 1_000])
  func handsOutInOrder(limit: Int) async throws {
    let queue = BoundedQueue<Int>(limit: limit)
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

  @Test(arguments: [(1, 1), (4, 4), (0, 1), (-7, 1)])
  func anElementIsNotMadeBeforeThereIsRoom(limit: Int, room: Int) async throws {
    let queue = BoundedQueue<Int>(limit: limit)
    let made = StateStore(0)
    let filling = Task {
      for number in 0..<50 {
        try await queue.put {
          made.update { $0 += 1 }
          return number
        }
      }
      queue.finish(.success(()))
    }
    var done = 0
    while try await queue.first() != nil {
      let bound = min(50, done + room)
      await made.first { $0 >= bound }
      #expect(made.state == bound)
      queue.removeFirst()
      done += 1
    }
    #expect(done == 50)
    try await filling.value
  }

  @Test func theOutcomeComesAfterWhatIsLeft() async throws {
    let queue = BoundedQueue<Int>(limit: 3)
    try await queue.put { 1 }
    try await queue.put { 2 }
    queue.finish(.failure(Broken()))
    #expect(try await queue.first() == 1)
    queue.removeFirst()
    #expect(try await queue.first() == 2)
    queue.removeFirst()
    await #expect(throws: Broken.self) { try await queue.first() }
    await #expect(throws: Broken.self) { try await queue.first() }
  }

  @Test func anEmptyQueueEndsAtOnce() async throws {
    let queue = BoundedQueue<Int>(limit: 3)
    queue.finish(.success(()))
    #expect(try await queue.first() == nil)
    #expect(try await queue.first() == nil)
  }

  @Test func finishingWakesTheTaskThatWaitsForAnElement() async throws {
    // In either order: before the wait begins, and after.
    for _ in 0..<200 {
      let queue = BoundedQueue<Int>(limit: 1)
      let waiting = Task { try await queue.first() }
      queue.finish(.success(()))
      #expect(try await waiting.value == nil)
    }
  }

  @Test func anElementWakesTheTaskThatWaitsForOne() async throws {
    for number in 0..<200 {
      let queue = BoundedQueue<Int>(limit: 1)
      let waiting = Task { try await queue.first() }
      try await queue.put { number }
      #expect(try await waiting.value == number)
    }
  }

  @Test func theFirstKeepsItsPlaceUntilItIsDone() async throws {
    let queue = BoundedQueue<Int>(limit: 2)
    try await queue.put { 7 }
    #expect(try await queue.first() == 7)
    #expect(try await queue.first() == 7)
    #expect(queue.removeAll() == [7])
    #expect(queue.removeAll().isEmpty)
  }

  @Test func removingAllMakesRoomForTheTaskThatWaits() async throws {
    for _ in 0..<200 {
      let queue = BoundedQueue<Int>(limit: 1)
      try await queue.put { 1 }
      let waiting = Task { try await queue.put { 2 } }
      #expect(queue.removeAll() == [1])
      try await waiting.value
      #expect(queue.removeAll() == [2])
    }
  }

  @Test func cancellingEndsTheWaitForRoom() async throws {
    for _ in 0..<200 {
      let queue = BoundedQueue<Int>(limit: 1)
      try await queue.put { 1 }
      let waiting = Task { try await queue.put { 2 } }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(queue.removeAll() == [1])
    }
  }

  @Test func cancellingEndsTheWaitForAnElement() async throws {
    for _ in 0..<200 {
      let queue = BoundedQueue<Int>(limit: 1)
      let waiting = Task { try await queue.first() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test func aTaskThatIsCancelledTakesNothingAlthoughThereIsSomething() async throws {
    let queue = BoundedQueue<Int>(limit: 2)
    try await queue.put { 1 }
    let latch = Latch()
    let late = Task {
      await latch.hold()
      return try await queue.first()
    }
    await latch.waitFor(1)
    late.cancel()
    await latch.open()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(queue.removeAll() == [1])
  }
}
