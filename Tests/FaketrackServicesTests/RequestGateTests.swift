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

  @Test func letsNoMoreThanTheLimitThrough() async throws {
    let gate = RequestGate(limit: 3)
    let inside = Occupancy()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          try await gate.pass {
            await inside.enter()
            for _ in 0..<5 { await Task.yield() }
            await inside.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await inside.peak == 3)
    #expect(await inside.now == 0)
  }

  @Test func aLimitBelowOneIsOne() async throws {
    #expect(try await RequestGate(limit: 0).pass { 5 } == 5)
  }

  @Test func cancellingOneWhoWaitsLeavesThePlaceToTheNext() async throws {
    let gate = RequestGate(limit: 1)
    let latch = Latch()
    let first = Task { try await gate.pass { await latch.hold() } }
    await latch.waitFor(1)
    let second = Task { try await gate.pass { Issue.record("was cancelled") } }
    let third = Task { try await gate.pass { 3 } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await latch.open()
    try await first.value
    #expect(try await third.value == 3)
  }

  @Test func anErrorFreesThePlace() async throws {
    struct Failure: Error {}
    let gate = RequestGate(limit: 1)
    for _ in 0..<3 {
      await #expect(throws: Failure.self) { try await gate.pass { throw Failure() } }
    }
    #expect(try await gate.pass { 1 } == 1)
  }
}
