import FaketrackTestSupport
import Testing

@testable import FaketrackServices

@Suite struct RequestGateTests {
  private actor Occupancy {
    var now = 0
    var peak = 0

    func enter() {
      now += 1
      peak = max(peak, now)
    }

    func leave() {
      now -= 1
    }
  }

  @Test func neverExceedsTheLimit() async throws {
    let gate = RequestGate(limit: 3)
    let inside = Occupancy()
    let latch = Latch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          try await gate.pass {
            await inside.enter()
            await latch.hold()
            await inside.leave()
          }
        }
      }
      await latch.waitFor(3)
      await latch.open()
      try await group.waitForAll()
    }
    #expect(await inside.peak == 3)
    #expect(await inside.now == 0)
  }

  @Test func aLimitBelowOneIsOne() async throws {
    #expect(try await RequestGate(limit: 0).pass { 5 } == 5)
  }

  @Test func cancelingAWaitingTaskLetsTheNextPass() async throws {
    let gate = RequestGate(limit: 1)
    let latch = Latch()
    let first = Task { try await gate.pass { await latch.hold() } }
    await latch.waitFor(1)
    let second = Task { try await gate.pass { Issue.record("was canceled") } }
    let third = Task { try await gate.pass { 3 } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await latch.open()
    try await first.value
    #expect(try await third.value == 3)
  }

  @Test func aTaskThatIsAlreadyCanceledDoesNotPass() async throws {
    let gate = RequestGate(limit: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await gate.pass { Issue.record("was canceled") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await gate.pass { 1 } == 1)
  }

  @Test func theWorkHandlesItsOwnCancellation() async throws {
    let gate = RequestGate(limit: 1)
    let latch = Latch()
    let task = Task {
      try await gate.pass {
        await latch.hold()
        return Task.isCancelled
      }
    }
    await latch.waitFor(1)
    task.cancel()
    await latch.open()
    #expect(try await task.value)
    #expect(try await gate.pass { 1 } == 1)
  }

  @Test func anErrorLetsTheNextPass() async throws {
    struct Failure: Error {}
    let gate = RequestGate(limit: 1)
    for _ in 0..<3 {
      await #expect(throws: Failure.self) { try await gate.pass { throw Failure() } }
    }
    #expect(try await gate.pass { 1 } == 1)
  }

  @Test func waitingTasksPassInOrder() async throws {
    let gate = RequestGate(limit: 1)
    let latch = Latch()
    let first = Task { try await gate.pass { await latch.hold() } }
    await latch.waitFor(1)
    let tasks = (1...20).map { number in Task { try await gate.pass { number } } }
    await latch.open()
    try await first.value
    var passed: [Int] = []
    for task in tasks { passed.append(try await task.value) }
    #expect(passed == Array(1...20))
  }
}
